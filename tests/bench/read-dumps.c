// SPDX-License-Identifier: MIT
// Finds and reads a directory of dumps as the report does and ends: what is measured when reading
// is measured. Up to 512 dumps keep their rows; of more, totals are read first, then those rows.
#include "ingest/ingest.h"

#include <math.h>
#include <stdlib.h>

#define POINTS 512

static void choose(const struct hr_run *run, bool *wanted)
{
    const size_t points = MIN(run->dumps_count, POINTS);
    for (size_t i = 0; i < points; i++) {
        wanted[points > 1 ? i * (run->dumps_count - 1) / (points - 1) : 0] = true;
    }
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        g_printerr("usage: read-dumps DIRECTORY THREADS\n");
        return 2;
    }
    struct hr_run *run = hr_run_new();
    struct hr_diagnostics *diagnostics = hr_diagnostics_new();
    g_autoptr(GError) error = NULL;
    struct hr_source *source = hr_source_new(argv[1], diagnostics, &error);
    const struct hr_ingest_options options = {.source = source,
                                              .pid = -1,
                                              .since_s = NAN,
                                              .until_s = NAN,
                                              .every = 1,
                                              .jobs = (unsigned)atoi(argv[2])};
    if (!source || !hr_ingest_find(run, &options, diagnostics, &error)) {
        g_printerr("read-dumps: %s\n", error->message);
        return 3;
    }
    g_autofree bool *wanted = g_new0(bool, run->dumps_count + 1);
    choose(run, wanted);
    if (run->dumps_count > POINTS) {
        hr_ingest_read_dumps(run, &options, NULL, diagnostics);
    }
    hr_ingest_read_dumps(run, &options, wanted, diagnostics);
    const bool read = hr_run_used_count(run) > 0;
    hr_source_free(source);
    hr_diagnostics_free(diagnostics);
    hr_run_free(run);
    return read ? 0 : 3;
}
