// SPDX-License-Identifier: MIT
#include "fixture.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>

void hr_fixture_init(struct hr_fixture *fixture)
{
    *fixture = (struct hr_fixture){.directory = g_dir_make_tmp("hr-XXXXXX", NULL),
                                   .run = hr_run_new(),
                                   .diagnostics = hr_diagnostics_new()};
    g_assert_nonnull(fixture->directory);
    fixture->source = hr_source_new(fixture->directory, fixture->diagnostics, NULL);
    g_assert_nonnull(fixture->source);
    fixture->options = (struct hr_ingest_options){.source = fixture->source,
                                                  .pid = -1,
                                                  .since_s = NAN,
                                                  .until_s = NAN,
                                                  .every = 1,
                                                  .jobs = 1};
}

void hr_fixture_clear(struct hr_fixture *fixture)
{
    GDir *directory = g_dir_open(fixture->directory, 0, NULL);
    const char *name;
    while ((name = g_dir_read_name(directory))) {
        g_autofree char *path = g_build_filename(fixture->directory, name, NULL);
        g_assert_cmpint(g_remove(path), ==, 0);
    }
    g_dir_close(directory);
    g_assert_cmpint(g_rmdir(fixture->directory), ==, 0);
    hr_source_free(fixture->source);
    hr_diagnostics_free(fixture->diagnostics);
    hr_run_free(fixture->run);
    g_free(fixture->directory);
}

void hr_fixture_add_bytes(struct hr_fixture *fixture, const char *name, const char *bytes,
                          size_t size, double time_s)
{
    g_autofree char *path = g_build_filename(fixture->directory, name, NULL);
    FILE *file = g_fopen(path, "wb");
    g_assert_nonnull(file);
    g_assert_cmpuint(fwrite(bytes, 1, size, file), ==, size);
    g_assert_cmpint(fclose(file), ==, 0);
    const double whole = floor(time_s);
    const struct timespec time = {(time_t)(HR_FIXTURE_START_S + whole),
                                  (long)((time_s - whole) * 1e9)};
    const struct timespec times[2] = {time, time};
    g_assert_cmpint(utimensat(AT_FDCWD, path, times, 0), ==, 0);
}

void hr_fixture_add(struct hr_fixture *fixture, const char *name, const char *content,
                    double time_s)
{
    hr_fixture_add_bytes(fixture, name, content, strlen(content), time_s);
}

void hr_fixture_read(struct hr_fixture *fixture, bool all_rows)
{
    GError *error = NULL;
    hr_ingest_find(fixture->run, &fixture->options, fixture->diagnostics, &error);
    g_assert_no_error(error);
    g_autofree bool *wanted = g_new(bool, fixture->run->dumps_count + 1);
    memset(wanted, true, fixture->run->dumps_count);
    hr_ingest_read_dumps(fixture->run, &fixture->options, all_rows ? wanted : NULL,
                         fixture->diagnostics);
}

unsigned hr_fixture_reports(const struct hr_fixture *fixture, enum hr_diagnostic_code code)
{
    const struct hr_diagnostic *found = hr_diagnostics_find(fixture->diagnostics, code);
    return found ? found->count : 0;
}
