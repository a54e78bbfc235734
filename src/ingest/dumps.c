// SPDX-License-Identifier: MIT
// From outcomes to the run, in the order of the dumps: whichever worker read a dump, its stacks get
// the ids that one thread reading all in order would have given them.
#include "ingest/ingest.h"

#include "ingest/dump_judge.h"
#include "ingest/maps.h"
#include "ingest/name_list.h"
#include "ingest/profile_reader.h"
#include "ingest/worker.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

// Where a dump's map ends.
struct map_end {
    const char *file;
    uint64_t end;
    bool cut;
    size_t limit_bytes; // it was longer than this; 0: it was not
};

struct merge {
    struct hr_run *run;
    struct hr_diagnostics *diagnostics;
    const size_t *indices;
    const struct hr_read_order *orders;
    GArray **run_stacks; // by worker: the run's id of a worker's stack, or UINT32_MAX
    unsigned workers_count;
    GArray *addresses; // of uint64_t, of one stack
    GArray *keys;      // of uint64_t, for sorting
    GArray *sorted_keys;
    GArray *mappings; // of the whole run
    size_t conflicts;
    GArray *map_ends; // of struct map_end
    struct hr_name_merge names;
    struct hr_dump_judge judge;
};

static void merge_init(struct merge *merge, struct hr_run *run, unsigned jobs, uint64_t max_times,
                       struct hr_diagnostics *diagnostics)
{
    *merge = (struct merge){.run = run,
                            .diagnostics = diagnostics,
                            .run_stacks = g_new0(GArray *, MAX(jobs, 1)),
                            .workers_count = MAX(jobs, 1),
                            .addresses = g_array_new(FALSE, FALSE, sizeof(uint64_t)),
                            .keys = g_array_new(FALSE, FALSE, sizeof(uint64_t)),
                            .sorted_keys = g_array_new(FALSE, FALSE, sizeof(uint64_t)),
                            .mappings = g_array_new(FALSE, FALSE, sizeof(struct hr_mapping)),
                            .map_ends = g_array_new(FALSE, FALSE, sizeof(struct map_end))};
    for (unsigned i = 0; i < merge->workers_count; i++) {
        merge->run_stacks[i] = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    }
    g_array_append_vals(merge->mappings, run->mappings, (guint)run->mappings_count);
    hr_name_merge_init(&merge->names, &run->given);
    hr_dump_judge_init(&merge->judge, run, max_times, diagnostics);
}

static void merge_clear(struct merge *merge)
{
    for (unsigned i = 0; i < merge->workers_count; i++) {
        g_array_unref(merge->run_stacks[i]);
    }
    g_free(merge->run_stacks);
    g_array_unref(merge->addresses);
    g_array_unref(merge->keys);
    g_array_unref(merge->sorted_keys);
    g_array_unref(merge->mappings);
    g_array_unref(merge->map_ends);
    hr_name_merge_clear(&merge->names);
    hr_dump_judge_clear(&merge->judge);
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

// The run's ids for a worker's stacks, as far as they were met.
static uint32_t *run_stacks_of(struct merge *merge, const struct hr_read_outcome *outcome)
{
    GArray *ids = merge->run_stacks[outcome->worker];
    const guint known = ids->len;
    const guint count = hr_stacks_count(outcome->stacks);
    g_array_set_size(ids, count);
    uint32_t *first = (uint32_t *)(void *)ids->data;
    if (count > known) {
        memset(first + known, 0xff, (count - known) * sizeof *first);
    }
    return first;
}

// Sorts keys by their upper half, whose values are below `limit`: one counting pass a byte.
static const uint64_t *sort_keys(GArray *keys, GArray *scratch, uint32_t limit)
{
    g_array_set_size(scratch, keys->len);
    uint64_t *from = (uint64_t *)(void *)keys->data;
    uint64_t *to = (uint64_t *)(void *)scratch->data;
    for (unsigned shift = 32; shift < 64 && limit >> (shift - 32) > 0; shift += 8) {
        uint32_t places[257] = {0};
        for (guint i = 0; i < keys->len; i++) {
            places[(from[i] >> shift & 0xff) + 1]++;
        }
        for (unsigned i = 1; i < 257; i++) {
            places[i] += places[i - 1];
        }
        for (guint i = 0; i < keys->len; i++) {
            to[places[from[i] >> shift & 0xff]++] = from[i];
        }
        uint64_t *swap = from;
        from = to;
        to = swap;
    }
    return from;
}

// Copies the rows into the run by rising stack id. A key is the id and the place in the file.
static void take_rows(struct merge *merge, struct hr_dump *dump,
                      const struct hr_read_outcome *outcome)
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
    const uint64_t *sorted =
        rising ? keys
               : sort_keys(merge->keys, merge->sorted_keys, hr_stacks_count(merge->run->stacks));
    struct hr_row *rows = HR_ARENA_ARRAY(merge->run->arena, struct hr_row, count);
    for (size_t i = 0; i < count; i++) {
        rows[i] = hr_metric_order_row(merge->run->metric, outcome->dump.rows[(uint32_t)sorted[i]]);
        rows[i].stack = (uint32_t)(sorted[i] >> 32);
    }
    dump->rows = rows;
}

static void take_mappings(struct merge *merge, const struct hr_read_outcome *outcome)
{
    for (guint i = 0; i < outcome->mappings_count; i++) {
        outcome->mappings[i].path =
            hr_strings_intern(merge->run->strings, outcome->mappings[i].path);
        if (outcome->mappings[i].build_id) {
            outcome->mappings[i].build_id =
                hr_strings_intern(merge->run->strings, outcome->mappings[i].build_id);
        }
    }
    merge->conflicts += hr_maps_merge(merge->mappings, outcome->mappings, outcome->mappings_count);
}

static void note_map_end(struct merge *merge, const struct hr_dump *dump,
                         const struct hr_read_outcome *outcome)
{
    if (outcome->dump.has_map) {
        const struct map_end end = {dump->file, outcome->map_end, outcome->dump.map_cut,
                                    outcome->dump.map_limit_bytes};
        g_array_append_val(merge->map_ends, end);
    }
}

static void report_cut_maps(const struct merge *merge)
{
    uint64_t end = 0;
    for (guint i = 0; i < merge->map_ends->len; i++) {
        end = MAX(end, g_array_index(merge->map_ends, struct map_end, i).end);
    }
    for (guint i = 0; i < merge->map_ends->len; i++) {
        const struct map_end *map = &g_array_index(merge->map_ends, struct map_end, i);
        if (map->limit_bytes > 0) {
            g_autofree char *limit = g_strdup_printf("%zu", map->limit_bytes);
            hr_diagnostics_add(merge->diagnostics, HR_DIAG_MAP_LIMIT, map->file, "limit_bytes",
                               limit, NULL);
        } else if (map->cut || map->end < end) {
            hr_diagnostics_add(merge->diagnostics, HR_DIAG_MAP_CUT, map->file, NULL);
        }
    }
}

static void take_outcome(void *context, size_t order, struct hr_read_outcome *outcome)
{
    struct merge *merge = context;
    const size_t index = merge->indices[order];
    struct hr_dump *dump = &merge->run->dumps[index];
    if (isnan(dump->live_bytes)) {
        hr_dump_judge_take(&merge->judge, index, outcome);
    } else {
        hr_dump_judge_check_unchanged(&merge->judge, dump, &outcome->dump);
    }
    if (merge->orders[order].with_rows) {
        // of dumps that are left out too: a worker hands a map over once, and later ones may have
        // it
        take_mappings(merge, outcome);
    }
    if (merge->orders[order].with_rows && dump->used) {
        take_rows(merge, dump, outcome);
        note_map_end(merge, dump, outcome);
        hr_name_merge_add(&merge->names, merge->run->strings, &outcome->names);
    }
}

static bool is_to_be_read(const struct hr_dump *dump, bool wanted)
{
    return dump->used && (isnan(dump->live_bytes) || (wanted && !dump->rows));
}

static void finish(struct merge *merge, bool first_pass)
{
    struct hr_run *run = merge->run;
    hr_dump_judge_finish(&merge->judge, first_pass);
    run->mappings = hr_arena_copy(run->arena, merge->mappings->data, merge->mappings->len,
                                  sizeof(struct hr_mapping));
    run->mappings_count = merge->mappings->len;
    run->given = hr_name_merge_finish(&merge->names, run->arena);
    report_cut_maps(merge);
    if (merge->conflicts > 0) {
        hr_diagnostics_add(merge->diagnostics, HR_DIAG_MAPS_CHANGED, NULL, NULL);
    }
}

static void hash_dump(struct hr_run *run, const struct hr_source *source, size_t index)
{
    if (index < run->dumps_count && !run->dumps[index].sha256) {
        bool is_base;
        g_autofree char *stored = hr_profile_stored_name(run->dumps[index].file, &is_base);
        g_autofree char *hash = hr_source_hash(source, stored);
        run->dumps[index].sha256 = hash ? hr_arena_strdup(run->arena, hash) : NULL;
    }
}

void hr_ingest_hash_dumps(struct hr_run *run, const struct hr_ingest_options *options, size_t base,
                          size_t final)
{
    hash_dump(run, options->source, base);
    hash_dump(run, options->source, final);
}

static void mark_thinned(struct hr_run *run, const bool *wanted)
{
    for (size_t i = 0; i < run->dumps_count; i++) {
        struct hr_dump *dump = &run->dumps[i];
        if (dump->used && !wanted[i] && dump->note == HR_DUMP_NOTE_NONE) {
            dump->note = HR_DUMP_NOTE_THINNED;
        } else if (wanted[i] && dump->note == HR_DUMP_NOTE_THINNED) {
            dump->note = HR_DUMP_NOTE_NONE; // by an earlier choice
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
    struct merge merge;
    run->metric = options->metric;
    merge_init(&merge, run, options->jobs,
               hr_source_limits(options->source)->value[HR_LIMIT_unpacked_times], diagnostics);
    merge.indices = indices;
    merge.orders = orders;
    const bool first_pass = count > 0 && isnan(run->dumps[indices[0]].live_bytes);
    hr_workers_read(options->source, orders, count, options->jobs, take_outcome, &merge);
    finish(&merge, first_pass);
    merge_clear(&merge);
    if (wanted) {
        mark_thinned(run, wanted);
    }
}
