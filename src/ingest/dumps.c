// SPDX-License-Identifier: MIT
// From outcomes to the run, in the order of the dumps: whichever worker read a dump, its stacks get
// the ids that one thread reading all in order would have given them.
#include "ingest/ingest.h"

#include "ingest/maps.h"
#include "ingest/worker.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

struct merge {
    struct hr_run *run;
    struct hr_diagnostics *diagnostics;
    uint32_t **run_stacks; // by worker: the run's id of a worker's stack, or UINT32_MAX
    GArray *addresses;     // of uint64_t, of one stack
    GArray *keys;          // of uint64_t, for sorting
    GArray *mappings;      // of the whole run
    size_t conflicts;
    bool any_map;
    bool any_rows; // in an earlier dump
    bool all_accumulate;
    bool any_accumulates;
};

static void merge_init(struct merge *merge, struct hr_run *run, unsigned workers_count,
                       struct hr_diagnostics *diagnostics)
{
    *merge = (struct merge){.run = run,
                            .diagnostics = diagnostics,
                            .run_stacks = g_new0(uint32_t *, workers_count),
                            .addresses = g_array_new(FALSE, FALSE, sizeof(uint64_t)),
                            .keys = g_array_new(FALSE, FALSE, sizeof(uint64_t)),
                            .mappings = g_array_new(FALSE, FALSE, sizeof(struct hr_mapping)),
                            .all_accumulate = true};
    g_array_append_vals(merge->mappings, run->mappings, (guint)run->mappings_count);
}

static void merge_clear(struct merge *merge, unsigned workers_count)
{
    for (unsigned i = 0; i < workers_count; i++) {
        g_free(merge->run_stacks[i]);
    }
    g_free(merge->run_stacks);
    g_array_unref(merge->addresses);
    g_array_unref(merge->keys);
    g_array_unref(merge->mappings);
}

static uint32_t intern_in_run(struct merge *merge, const struct hr_stacks *from, uint32_t id)
{
    const struct hr_stack stack = hr_stacks_get(from, id);
    g_array_set_size(merge->addresses, stack.depth);
    uint64_t *addresses = (uint64_t *)(void *)merge->addresses->data;
    for (uint32_t i = 0; i < stack.depth; i++) {
        addresses[i] = hr_stacks_location_address(from, stack.locations[i]);
    }
    return hr_stacks_intern(merge->run->stacks, addresses, stack.depth);
}

// The run's ids for a worker's stacks, met in the order of the file.
static uint32_t *run_stacks_of(struct merge *merge, const struct hr_read_outcome *outcome)
{
    uint32_t **ids = &merge->run_stacks[outcome->worker];
    if (!*ids) {
        const uint32_t count = hr_stacks_count(outcome->stacks);
        *ids = g_new(uint32_t, MAX(count, 1));
        memset(*ids, 0xff, count * sizeof **ids);
    }
    return *ids;
}

static int compare_keys(const void *left, const void *right)
{
    const uint64_t a = *(const uint64_t *)left;
    const uint64_t b = *(const uint64_t *)right;
    return (a > b) - (a < b);
}

// Copies the rows into the run by rising stack id. A key is the id and the place in the file.
static void take_rows(struct merge *merge, struct hr_dump *dump, struct hr_read_outcome *outcome)
{
    const size_t count = outcome->dump.rows_count;
    uint32_t *ids = run_stacks_of(merge, outcome);
    g_array_set_size(merge->keys, (guint)count);
    uint64_t *keys = (uint64_t *)(void *)merge->keys->data;
    bool rising = true;
    for (size_t i = 0; i < count; i++) {
        const uint32_t stack = outcome->dump.rows[i].stack;
        if (ids[stack] == UINT32_MAX) {
            ids[stack] = intern_in_run(merge, outcome->stacks, stack);
        }
        keys[i] = (uint64_t)ids[stack] << 32 | i;
        rising &= i == 0 || keys[i] > keys[i - 1];
    }
    if (!rising) {
        qsort(keys, count, sizeof *keys, compare_keys);
    }
    struct hr_row *rows = HR_ARENA_ARRAY(merge->run->arena, struct hr_row, count);
    for (size_t i = 0; i < count; i++) {
        rows[i] = outcome->dump.rows[(uint32_t)keys[i]];
        rows[i].stack = (uint32_t)(keys[i] >> 32);
    }
    dump->rows = rows;
}

static void take_mappings(struct merge *merge, const struct hr_read_outcome *outcome)
{
    for (guint i = 0; i < outcome->mappings_count; i++) {
        outcome->mappings[i].path =
            hr_strings_intern(merge->run->strings, outcome->mappings[i].path);
    }
    merge->conflicts += hr_maps_merge(merge->mappings, outcome->mappings, outcome->mappings_count);
}

static void take_totals(struct hr_dump *dump, const struct hr_read_outcome *outcome)
{
    const struct hr_heap_dump *read = &outcome->dump;
    dump->size_bytes = read->size_bytes;
    dump->sample_interval_bytes = read->sample_interval_bytes;
    dump->header_objects = read->header_objects;
    dump->header_bytes = read->header_bytes;
    dump->live_bytes = outcome->live_bytes;
    dump->live_objects = outcome->live_objects;
    dump->live_variance = outcome->live_variance;
    dump->rows_count = (uint32_t)read->rows_count;
    dump->kept_ratio = 1;
}

// A dump that ends inside: whole stacks were kept, the header says of how much.
static void mark_cut(struct hr_dump *dump, uint64_t raw_bytes)
{
    dump->note = HR_DUMP_NOTE_CUT;
    dump->kept_ratio =
        dump->header_bytes > raw_bytes ? (double)raw_bytes / (double)dump->header_bytes : 1;
}

static void report(struct merge *merge, const struct hr_dump *dump, const struct hr_heap_dump *read)
{
    static const int codes[] = {
        [HR_DUMP_NOTE_CUT] = HR_DIAG_DUMP_CUT,
        [HR_DUMP_NOTE_EMPTY] = HR_DIAG_DUMP_EMPTY,
        [HR_DUMP_NOTE_FOREIGN] = HR_DIAG_NOT_A_DUMP,
        [HR_DUMP_NOTE_UNREADABLE] = HR_DIAG_DUMP_UNREADABLE,
        [HR_DUMP_NOTE_MALFORMED] = HR_DIAG_DUMP_MALFORMED,
        [HR_DUMP_NOTE_GROWING] = HR_DIAG_DUMP_GROWING,
    };
    if (dump->note < G_N_ELEMENTS(codes) && codes[dump->note] != 0) {
        hr_diagnostics_add(merge->diagnostics, (enum hr_diagnostic_code)codes[dump->note],
                           dump->file, NULL);
    }
    if (!dump->used) {
        return;
    }
    if (read->leading_lines > 0) {
        hr_diagnostics_add(merge->diagnostics, HR_DIAG_DUMP_LEADING_LINES, dump->file, NULL);
    }
    if (read->skipped_lines > 0) {
        g_autofree char *lines = g_strdup_printf("%u", read->skipped_lines);
        g_autofree char *offset = g_strdup_printf("%" PRIu64, read->skipped_offset);
        hr_diagnostics_add(merge->diagnostics, HR_DIAG_DUMP_LINES_SKIPPED, dump->file,
                           "skipped_lines", lines, "offset", offset, NULL);
    }
}

// What the first reading of a dump decides: whether it can be used at all.
static void judge(struct merge *merge, struct hr_dump *dump, const struct hr_read_outcome *outcome)
{
    const struct hr_heap_dump *read = &outcome->dump;
    take_totals(dump, outcome);
    if (read->note == HR_DUMP_NOTE_CUT ||
        (read->note == HR_DUMP_NOTE_NONE && !read->has_map && merge->any_map)) {
        mark_cut(dump, read->raw_bytes);
        dump->used = dump->rows_count > 0;
    } else if (read->note != HR_DUMP_NOTE_NONE) {
        dump->note = read->note;
        dump->note_detail = read->note_detail;
        dump->used = false;
    } else if (dump->rows_count == 0 && !merge->any_rows) {
        // Before anything was sampled: profiling may have been switched on later. After that, an
        // empty dump is a state like any other (all was freed).
        dump->note = HR_DUMP_NOTE_EMPTY;
        dump->used = false;
    }
    merge->any_rows |= dump->rows_count > 0;
    if (dump->used && read->header_objects > 0) {
        merge->any_accumulates |= read->header_accum_objects > 0;
        merge->all_accumulate &= read->header_accum_objects > 0;
    }
    report(merge, dump, read);
}

// A dump that was read before and is another one now.
static void check_unchanged(struct merge *merge, struct hr_dump *dump,
                            const struct hr_read_outcome *outcome)
{
    if (outcome->dump.rows_count != dump->rows_count ||
        outcome->dump.size_bytes != dump->size_bytes) {
        dump->used = false;
        dump->note = HR_DUMP_NOTE_GROWING;
        report(merge, dump, &outcome->dump);
    }
}

static void take_outcome(struct merge *merge, struct hr_dump *dump, struct hr_read_outcome *outcome,
                         bool with_rows)
{
    if (isnan(dump->live_bytes)) {
        judge(merge, dump, outcome);
    } else {
        check_unchanged(merge, dump, outcome);
    }
    if (with_rows && dump->used) {
        take_rows(merge, dump, outcome);
        take_mappings(merge, outcome);
    }
    hr_read_outcome_clear(outcome);
}

static bool is_to_be_read(const struct hr_dump *dump, bool wanted)
{
    return dump->used && (isnan(dump->live_bytes) || (wanted && !dump->rows));
}

static void finish(struct merge *merge, bool first_pass)
{
    struct hr_run *run = merge->run;
    run->mappings = hr_arena_copy(run->arena, merge->mappings->data, merge->mappings->len,
                                  sizeof(struct hr_mapping));
    run->mappings_count = merge->mappings->len;
    if (first_pass) {
        run->accumulates = merge->any_accumulates && merge->all_accumulate;
    }
    if (merge->conflicts > 0) {
        hr_diagnostics_add(merge->diagnostics, HR_DIAG_MAPS_CHANGED, NULL, NULL);
    }
}

static void merge_outcomes(struct hr_run *run, const size_t *indices,
                           const struct hr_read_order *orders, struct hr_read_outcome *outcomes,
                           size_t count, unsigned workers_count, struct hr_diagnostics *diagnostics)
{
    struct merge merge;
    merge_init(&merge, run, workers_count, diagnostics);
    const bool first_pass = count > 0 && isnan(run->dumps[indices[0]].live_bytes);
    for (size_t i = 0; i < count; i++) {
        merge.any_map |= outcomes[i].dump.has_map;
    }
    for (size_t i = 0; i < count; i++) {
        take_outcome(&merge, &run->dumps[indices[i]], &outcomes[i], orders[i].with_rows);
    }
    finish(&merge, first_pass);
    merge_clear(&merge, workers_count);
}

static void mark_thinned(struct hr_run *run, const bool *wanted)
{
    for (size_t i = 0; i < run->dumps_count; i++) {
        struct hr_dump *dump = &run->dumps[i];
        if (dump->used && !wanted[i] && dump->note == HR_DUMP_NOTE_NONE) {
            dump->note = HR_DUMP_NOTE_THINNED;
        }
    }
}

void hr_ingest_read_dumps(struct hr_run *run, const struct hr_ingest_options *options,
                          const bool *wanted, struct hr_diagnostics *diagnostics)
{
    size_t count = 0;
    g_autofree size_t *indices = g_new(size_t, run->dumps_count);
    g_autofree struct hr_read_order *orders = g_new(struct hr_read_order, run->dumps_count);
    for (size_t i = 0; i < run->dumps_count; i++) {
        const bool with_rows = wanted && wanted[i];
        if (is_to_be_read(&run->dumps[i], with_rows)) {
            indices[count] = i;
            orders[count] = (struct hr_read_order){run->dumps[i].file, with_rows};
            count++;
        }
    }
    g_autofree struct hr_read_outcome *outcomes = g_new0(struct hr_read_outcome, count);
    HR_AUTO(hr_workers)
    workers = hr_workers_read(run->directory, orders, outcomes, count, options->jobs);
    merge_outcomes(run, indices, orders, outcomes, count, hr_workers_count(workers), diagnostics);
    if (wanted) {
        mark_thinned(run, wanted);
    }
}
