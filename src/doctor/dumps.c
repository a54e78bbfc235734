// SPDX-License-Identifier: MIT
#include "doctor/dumps.h"

#include "ingest/ingest.h"
#include "symbolize/symbolize.h"

#include <math.h>
#include <string.h>

// The last ones tell how the service is set now.
#define LOOKED_INTO_MAX 3

static void count_kinds(const struct hr_run *run, struct hr_doctor_dumps *dumps)
{
    double first_s = NAN;
    double last_s = NAN;
    dumps->count = run->dumps_count;
    for (size_t i = 0; i < run->dumps_count; i++) {
        if (run->dumps[i].kind != HR_DUMP_INTERVAL) {
            continue;
        }
        first_s = isnan(first_s) ? run->dumps[i].taken_at_s : first_s;
        last_s = run->dumps[i].taken_at_s;
        dumps->interval_count++;
    }
    dumps->interval_gap_s =
        dumps->interval_count > 1 ? (last_s - first_s) / (double)(dumps->interval_count - 1) : NAN;
}

static void read_last(struct hr_run *run, const struct hr_ingest_options *options,
                      struct hr_diagnostics *diagnostics, struct hr_doctor_dumps *dumps)
{
    // The others need not even be opened.
    const size_t keep = MIN(run->dumps_count, LOOKED_INTO_MAX);
    run->dumps += run->dumps_count - keep;
    run->dumps_count = keep;
    bool wanted[LOOKED_INTO_MAX] = {true, true, true};
    hr_ingest_read_dumps(run, options, wanted, diagnostics);
    dumps->looked_into = keep;
    dumps->stacks_count = hr_stacks_count(run->stacks);
    for (uint32_t i = 0; i < dumps->stacks_count; i++) {
        dumps->short_count += hr_stacks_get(run->stacks, i).depth <= 1;
    }
}

static bool match(struct hr_run *run, const char *binary, const char *const *debug_dirs,
                  struct hr_diagnostics *diagnostics, struct hr_doctor_dumps *dumps, GError **error)
{
    const struct hr_symbolize_options options = {
        .binary = binary, .debug_dirs = debug_dirs, .jobs = 1};
    const struct hr_symbols *symbols = hr_symbolize(run, &options, diagnostics, error);
    if (!symbols) {
        return false;
    }
    dumps->match = symbols->binary_match;
    dumps->match_ratio = symbols->binary_match_ratio;
    return true;
}

bool hr_doctor_dumps_read(struct hr_arena *arena, const char *directory, int64_t pid,
                          const char *binary, const char *const *debug_dirs,
                          struct hr_doctor_dumps *dumps, GError **error)
{
    *dumps = (struct hr_doctor_dumps){.interval_gap_s = NAN, .match_ratio = NAN};
    HR_AUTO(hr_diagnostics) diagnostics = hr_diagnostics_new();
    HR_AUTO(hr_source) source = hr_source_new(directory, diagnostics, NULL);
    const struct hr_ingest_options options = {
        .source = source, .pid = pid, .since_s = NAN, .until_s = NAN, .every = 1, .jobs = 1};
    HR_AUTO(hr_run) run = hr_run_new();
    if (!source || !hr_ingest_find(run, &options, diagnostics, NULL)) {
        return true;
    }
    dumps->looked = true;
    dumps->other_kind = run->foreign_count > 0;
    count_kinds(run, dumps);
    if (dumps->count == 0) {
        return true;
    }
    dumps->last_file = hr_arena_strdup(arena, run->dumps[run->dumps_count - 1].file);
    read_last(run, &options, diagnostics, dumps);
    return !binary || dumps->stacks_count == 0 ||
           match(run, binary, debug_dirs, diagnostics, dumps, error);
}
