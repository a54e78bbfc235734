// SPDX-License-Identifier: MIT
#include "model/run.h"

struct hr_run *hr_run_new(void)
{
    struct hr_arena *arena = hr_arena_new();
    struct hr_run *run = HR_ARENA_NEW(arena, struct hr_run);
    run->arena = arena;
    run->strings = hr_strings_new(arena);
    run->stacks = hr_stacks_new();
    run->key = (struct hr_run_key){.prefix = "", .pid = -1, .pid_namespace = -1};
    run->directory = "";
    return run;
}

void hr_run_free(struct hr_run *run)
{
    if (!run) {
        return;
    }
    hr_stacks_free(run->stacks);
    hr_strings_free(run->strings);
    hr_arena_free(run->arena);
}

bool hr_run_is_cumulative(const struct hr_run *run)
{
    return run->metric == HR_METRIC_ALLOCATED_BYTES && !run->comparison;
}

size_t hr_run_used_count(const struct hr_run *run)
{
    size_t used = 0;
    for (size_t i = 0; i < run->dumps_count; i++) {
        used += run->dumps[i].used;
    }
    return used;
}

bool hr_dump_tells_threads(const struct hr_dump *dump)
{
    for (uint32_t i = 0; i < dump->thread_rows_count; i++) {
        if (dump->thread_rows[i].row.bytes > 0) {
            return true;
        }
    }
    for (uint32_t i = 0; dump->rows && i < dump->rows_count; i++) {
        if (dump->rows[i].bytes > 0) {
            return false;
        }
    }
    return true;
}

const struct hr_mapping *hr_run_find_mapping(const struct hr_run *run, uint64_t address)
{
    size_t low = 0;
    size_t high = run->mappings_count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (run->mappings[middle].end <= address) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    if (low == run->mappings_count || run->mappings[low].start > address) {
        return NULL;
    }
    return &run->mappings[low];
}
