// SPDX-License-Identifier: MIT
// Prints what we make of one dump, as jeprof --addresses does: the total, then a line for each
// address with the scaled bytes of all stacks that it is on. `dump-addresses DIR FILE`.
#include "ingest/ingest.h"
#include "model/sample.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static void add_stack(const struct hr_run *run, const struct hr_dump *dump,
                      const struct hr_row *row, double *bytes, uint32_t *last_row)
{
    const double scaled =
        hr_sample_scale(row->objects, row->bytes, dump->sample_interval_bytes).bytes;
    const struct hr_stack stack = hr_stacks_get(run->stacks, row->stack);
    for (uint32_t i = 0; i < stack.depth; i++) {
        // A recursive function holds a stack's bytes once.
        const uint32_t location = stack.locations[i];
        if (last_row[location] != row->stack + 1) {
            last_row[location] = row->stack + 1;
            bytes[location] += scaled;
        }
    }
}

static void print_dump(const struct hr_run *run, const struct hr_dump *dump)
{
    const uint32_t locations = hr_stacks_location_count(run->stacks);
    g_autofree double *bytes = g_new0(double, locations);
    g_autofree uint32_t *last_row = g_new0(uint32_t, locations);
    for (uint32_t i = 0; i < dump->rows_count; i++) {
        add_stack(run, dump, &dump->rows[i], bytes, last_row);
    }
    printf("total %.0f\n", dump->live_bytes);
    for (uint32_t i = 0; i < locations; i++) {
        if (bytes[i] > 0) {
            printf("0x%" PRIx64 " %.0f\n", hr_stacks_location_address(run->stacks, i), bytes[i]);
        }
    }
}

int main(int argc, char **argv)
{
    g_assert_cmpint(argc, ==, 3);
    HR_AUTO(hr_run) run = hr_run_new();
    HR_AUTO(hr_diagnostics) diagnostics = hr_diagnostics_new();
    g_autoptr(GError) error = NULL;
    HR_AUTO(hr_source) source = hr_source_new(argv[1], diagnostics, &error);
    const struct hr_ingest_options options = {
        .source = source, .pid = -1, .since_s = NAN, .until_s = NAN, .every = 1, .jobs = 1};
    if (!source || !hr_ingest_find(run, &options, diagnostics, &error)) {
        fprintf(stderr, "%s\n", error->message);
        return 1;
    }
    g_autofree bool *wanted = g_new0(bool, run->dumps_count + 1);
    for (size_t i = 0; i < run->dumps_count; i++) {
        wanted[i] = strcmp(run->dumps[i].file, argv[2]) == 0;
    }
    hr_ingest_read_dumps(run, &options, wanted, diagnostics);
    for (size_t i = 0; i < run->dumps_count; i++) {
        if (wanted[i] && run->dumps[i].rows) {
            print_dump(run, &run->dumps[i]);
            return 0;
        }
    }
    fprintf(stderr, "%s was not read\n", argv[2]);
    return 1;
}
