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

char *hr_fixture_series(const struct hr_run *run, enum hr_evidence_id id)
{
    const struct hr_evidence_series *series = &run->evidence.series[id];
    GString *text = g_string_new(NULL);
    for (size_t i = 0; i < series->count; i++) {
        g_string_append_printf(text, "%s%g:%.10g", i > 0 ? " " : "",
                               round((series->time_s[i] - HR_FIXTURE_START_S) * 1e4) / 1e4,
                               series->value[i]);
    }
    return g_string_free(text, FALSE);
}

void hr_fixture_read_evidence(struct hr_fixture *fixture)
{
    static const char *const needs[] = {"rss_mb", "heap_mb", NULL};
    static const struct hr_column_rule columns[] = {
        {"rss_mb", HR_EVIDENCE_RSS, 1048576}, {"heap_mb", HR_EVIDENCE_PRIVATE_DIRTY, 1048576}};
    static const struct hr_table_rule table = {"monitor", "timestamp", needs, columns, 2};
    const struct hr_rules rules = {.table_rules = &table, .table_rules_count = 1};
    hr_ingest_read_evidence(fixture->run, &fixture->options, &rules, fixture->diagnostics);
}
