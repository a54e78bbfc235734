// SPDX-License-Identifier: MIT
#include "analysis/comparison.h"

#include "analysis/comparison_keys.h"
#include "model/sample.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BASE, FINAL, SIDES };

// Addresses that the other run used for something else are moved to where no program is mapped.
#define ELSEWHERE ((uint64_t)1 << 63)

// Where a location of the new run comes from.
struct origin {
    int side;
    uint32_t location;
};

// The stacks of one key in both dumps: indices of rows.
struct bucket {
    GArray *rows[SIDES]; // of uint32_t
    bool paired;
};

struct work {
    const struct hr_comparison_side *sides[SIDES];
    struct hr_comparison_keys keys[SIDES];
    const uint32_t *partner_of_base; // [modules of base]: the same file in final
    uint64_t *bias;                  // [modules of final]: address minus offset
    bool *bias_known;
    struct hr_arena *scratch;
    struct hr_run *run;
    GHashTable *origins; // address in the new run -> struct origin *
    GHashTable *buckets; // key -> struct bucket *
    uint32_t *stack_of_row[SIDES];
    double bytes_by[HR_BY_NOTHING + 1];
    double base_bytes;
    double found_again_bytes;
};

static const struct hr_dump *dump_of(const struct hr_comparison_side *side)
{
    return &side->run->dumps[side->dump];
}

static void free_bucket(gpointer memory)
{
    struct bucket *bucket = memory;
    g_array_unref(bucket->rows[BASE]);
    g_array_unref(bucket->rows[FINAL]);
    g_free(bucket);
}

static double row_bytes(const struct hr_dump *dump, uint32_t row)
{
    return hr_sample_scale(dump->rows[row].objects, dump->rows[row].bytes,
                           dump->sample_interval_bytes)
        .bytes;
}

// Sorts the rows of a side into the buckets of their keys.
static void fill_buckets(struct work *work, int side)
{
    const struct hr_dump *dump = dump_of(work->sides[side]);
    g_autoptr(GString) key = g_string_new(NULL);
    for (uint32_t r = 0; r < dump->rows_count; r++) {
        g_string_truncate(key, 0);
        const enum hr_comparison_by by =
            hr_comparison_keys_append(&work->keys[side], dump->rows[r].stack, key);
        work->bytes_by[by] += row_bytes(dump, r);
        struct bucket *bucket = g_hash_table_lookup(work->buckets, key->str);
        if (!bucket) {
            bucket = g_new0(struct bucket, 1);
            bucket->rows[BASE] = g_array_new(FALSE, FALSE, sizeof(uint32_t));
            bucket->rows[FINAL] = g_array_new(FALSE, FALSE, sizeof(uint32_t));
            g_hash_table_insert(work->buckets, g_strdup(key->str), bucket);
        }
        g_array_append_val(bucket->rows[side], r);
    }
}

static struct origin *origin_at(struct work *work, uint64_t address)
{
    return g_hash_table_lookup(work->origins, &address);
}

static void set_origin(struct work *work, uint64_t address, int side, uint32_t location)
{
    const struct origin origin = {side, location};
    g_hash_table_insert(work->origins, hr_arena_copy(work->scratch, &address, 1, sizeof address),
                        hr_arena_copy(work->scratch, &origin, 1, sizeof origin));
}

// The address that a location has in the new run: final's keep theirs, the base's go to the same
// place of the same file, or out of the way.
static uint64_t take_address(struct work *work, int side, uint32_t location)
{
    const struct hr_comparison_side *from = work->sides[side];
    const struct hr_location *place = &from->symbols->locations[location];
    uint64_t address = hr_stacks_location_address(from->run->stacks, location);
    if (side == BASE) {
        const uint32_t same =
            place->module == HR_MODULE_NONE ? HR_MODULE_NONE : work->partner_of_base[place->module];
        if (same != HR_MODULE_NONE && work->bias_known[same]) {
            address = work->bias[same] + place->offset;
        } else {
            address ^= ELSEWHERE;
            for (const struct origin *there = origin_at(work, address);
                 there && (there->side != BASE || there->location != location);
                 there = origin_at(work, address)) {
                address++;
            }
        }
    }
    if (!origin_at(work, address)) {
        set_origin(work, address, side, location);
    }
    return address;
}

static uint32_t intern_stack(struct work *work, int side, uint32_t stack)
{
    const struct hr_stack places = hr_stacks_get(work->sides[side]->run->stacks, stack);
    g_autofree uint64_t *addresses = g_new(uint64_t, places.depth + 1);
    for (uint32_t i = 0; i < places.depth; i++) {
        addresses[i] = take_address(work, side, places.locations[i]);
    }
    return hr_stacks_intern(work->run->stacks, addresses, places.depth);
}

// By the offsets of its places, innermost first: the order of call sites in the code, which a
// rebuild mostly keeps.
static int compare_rows(const void *a, const void *b, void *context)
{
    const struct hr_comparison_side *side = context;
    const struct hr_dump *dump = dump_of(side);
    const struct hr_stack left =
        hr_stacks_get(side->run->stacks, dump->rows[*(const uint32_t *)a].stack);
    const struct hr_stack right =
        hr_stacks_get(side->run->stacks, dump->rows[*(const uint32_t *)b].stack);
    for (uint32_t i = 0; i < MIN(left.depth, right.depth); i++) {
        const uint64_t at_left = side->symbols->locations[left.locations[i]].offset;
        const uint64_t at_right = side->symbols->locations[right.locations[i]].offset;
        if (at_left != at_right) {
            return at_left < at_right ? -1 : 1;
        }
    }
    return (left.depth > right.depth) - (left.depth < right.depth);
}

// Stacks of one key are paired in their order where both runs have as many. Where not, nobody can
// say which is which: they stay apart, and meet in the function that answers for them.
static void pair_rows(struct work *work, struct bucket *bucket)
{
    const guint count = bucket->rows[BASE]->len;
    if (bucket->paired || bucket->rows[FINAL]->len != count) {
        return;
    }
    for (int side = 0; side < SIDES; side++) {
        g_array_sort_with_data(bucket->rows[side], compare_rows,
                               (gpointer)(uintptr_t)work->sides[side]);
    }
    for (guint i = 0; i < count; i++) {
        const uint32_t base = g_array_index(bucket->rows[BASE], uint32_t, i);
        const uint32_t final = g_array_index(bucket->rows[FINAL], uint32_t, i);
        work->stack_of_row[BASE][base] = work->stack_of_row[FINAL][final];
    }
    bucket->paired = true;
}

static void match_rows(struct work *work)
{
    const struct hr_dump *final = dump_of(work->sides[FINAL]);
    for (uint32_t r = 0; r < final->rows_count; r++) {
        work->stack_of_row[FINAL][r] = intern_stack(work, FINAL, final->rows[r].stack);
    }
    const struct hr_dump *base = dump_of(work->sides[BASE]);
    g_autoptr(GString) key = g_string_new(NULL);
    for (uint32_t r = 0; r < base->rows_count; r++) {
        g_string_truncate(key, 0);
        hr_comparison_keys_append(&work->keys[BASE], base->rows[r].stack, key);
        struct bucket *bucket = g_hash_table_lookup(work->buckets, key->str);
        pair_rows(work, bucket);
        if (!bucket->paired) {
            work->stack_of_row[BASE][r] = intern_stack(work, BASE, base->rows[r].stack);
        }
        work->base_bytes += row_bytes(base, r);
        work->found_again_bytes += bucket->rows[FINAL]->len > 0 ? row_bytes(base, r) : 0;
    }
}

static int by_stack(const void *a, const void *b)
{
    const struct hr_row *left = a;
    const struct hr_row *right = b;
    return (left->stack > right->stack) - (left->stack < right->stack);
}

static void take_dump(struct work *work, int side)
{
    struct hr_dump *dump = &work->run->dumps[side];
    *dump = *dump_of(work->sides[side]);
    struct hr_row *rows =
        hr_arena_copy(work->run->arena, dump->rows, dump->rows_count, sizeof *dump->rows);
    for (uint32_t r = 0; r < dump->rows_count; r++) {
        rows[r].stack = work->stack_of_row[side][r];
    }
    if (dump->rows_count > 0) {
        qsort(rows, dump->rows_count, sizeof *rows, by_stack);
    }
    dump->rows = rows;
}

static void find_biases(struct work *work)
{
    const struct hr_comparison_side *final = work->sides[FINAL];
    work->bias = HR_ARENA_ARRAY(work->scratch, uint64_t, final->symbols->modules_count);
    work->bias_known = HR_ARENA_ARRAY(work->scratch, bool, final->symbols->modules_count);
    for (uint32_t l = 0; l < final->symbols->locations_count; l++) {
        const struct hr_location *place = &final->symbols->locations[l];
        if (place->module != HR_MODULE_NONE && !work->bias_known[place->module]) {
            work->bias[place->module] =
                hr_stacks_location_address(final->run->stacks, l) - place->offset;
            work->bias_known[place->module] = true;
        }
    }
}

static const char *intern(struct hr_run *run, const char *text)
{
    return text ? hr_strings_intern(run->strings, text) : NULL;
}

// Names are told apart by their pointers, so those of both runs go into one table.
static void add_location(struct work *work, GArray *frames, struct hr_module *modules,
                         uint32_t final_modules, const struct origin *origin,
                         struct hr_location *added)
{
    const struct hr_symbols *symbols = work->sides[origin->side]->symbols;
    const struct hr_location *location = &symbols->locations[origin->location];
    *added = *location;
    added->first_frame = frames->len;
    for (uint32_t k = 0; k < location->frame_count; k++) {
        struct hr_frame frame = symbols->frames[location->first_frame + k];
        frame.function = intern(work->run, frame.function);
        frame.key_name = intern(work->run, frame.key_name);
        frame.file = intern(work->run, frame.file);
        g_array_append_val(frames, frame);
    }
    if (location->module == HR_MODULE_NONE) {
        return;
    }
    if (origin->side == BASE) {
        const uint32_t same = work->partner_of_base[location->module];
        added->module = same == HR_MODULE_NONE ? final_modules + location->module : same;
    }
    const struct hr_frame *first = &g_array_index(frames, struct hr_frame, added->first_frame);
    modules[added->module].addresses_count++;
    modules[added->module].named_count += first->trust != HR_TRUST_NONE;
}

static struct hr_module *join_modules(struct work *work)
{
    const struct hr_symbols *base = work->sides[BASE]->symbols;
    const struct hr_symbols *final = work->sides[FINAL]->symbols;
    const uint32_t count = base->modules_count + final->modules_count;
    struct hr_module *modules = HR_ARENA_ARRAY(work->run->arena, struct hr_module, count);
    for (uint32_t m = 0; m < count; m++) {
        const bool of_base = m >= final->modules_count;
        modules[m] = of_base ? base->modules[m - final->modules_count] : final->modules[m];
        modules[m].addresses_count = 0;
        modules[m].named_count = 0;
    }
    return modules;
}

// Modules that no compared stack touches are left out; `locations` follow.
static uint32_t drop_unused_modules(struct hr_module *modules, uint32_t count,
                                    struct hr_location *locations, uint32_t locations_count)
{
    g_autofree uint32_t *moved_to = g_new(uint32_t, count + 1);
    uint32_t kept = 0;
    for (uint32_t m = 0; m < count; m++) {
        moved_to[m] = kept;
        if (modules[m].addresses_count > 0) {
            modules[kept++] = modules[m];
        }
    }
    for (uint32_t l = 0; l < locations_count; l++) {
        if (locations[l].module != HR_MODULE_NONE) {
            locations[l].module = moved_to[locations[l].module];
        }
    }
    return kept;
}

static const struct hr_symbols *join_symbols(struct work *work)
{
    struct hr_arena *arena = work->run->arena;
    const uint32_t count = hr_stacks_location_count(work->run->stacks);
    const uint32_t final_modules = work->sides[FINAL]->symbols->modules_count;
    struct hr_module *modules = join_modules(work);
    struct hr_location *locations = HR_ARENA_ARRAY(arena, struct hr_location, count);
    g_autoptr(GArray) frames = g_array_new(FALSE, FALSE, sizeof(struct hr_frame));
    for (uint32_t l = 0; l < count; l++) {
        const struct origin *origin =
            origin_at(work, hr_stacks_location_address(work->run->stacks, l));
        add_location(work, frames, modules, final_modules, origin, &locations[l]);
    }
    struct hr_symbols *symbols =
        hr_arena_copy(arena, work->sides[FINAL]->symbols, 1, sizeof *symbols);
    symbols->frames = hr_arena_copy(arena, frames->data, frames->len, sizeof(struct hr_frame));
    symbols->frames_count = frames->len;
    symbols->locations = locations;
    symbols->locations_count = count;
    symbols->modules = modules;
    symbols->modules_count = drop_unused_modules(
        modules, final_modules + work->sides[BASE]->symbols->modules_count, locations, count);
    return symbols;
}

static void set_comparison(struct work *work)
{
    struct hr_comparison *comparison = HR_ARENA_NEW(work->run->arena, struct hr_comparison);
    const double all =
        work->bytes_by[HR_BY_OFFSET] + work->bytes_by[HR_BY_SYMBOL] + work->bytes_by[HR_BY_NOTHING];
    *comparison = (struct hr_comparison){
        .base_key = work->sides[BASE]->run->key,
        .base_binary = work->sides[BASE]->symbols->binary_path,
        .by_offset_ratio = all > 0 ? work->bytes_by[HR_BY_OFFSET] / all : NAN,
        .by_symbol_ratio = all > 0 ? work->bytes_by[HR_BY_SYMBOL] / all : NAN,
        .matched_ratio = all > 0 ? 1 - work->bytes_by[HR_BY_NOTHING] / all : NAN,
        .found_again_ratio =
            work->base_bytes > 0 ? work->found_again_bytes / work->base_bytes : NAN,
    };
    work->run->comparison = comparison;
}

static struct hr_run *new_run(const struct hr_run *final)
{
    struct hr_run *run = hr_run_new();
    run->directory = final->directory;
    run->key = final->key;
    run->other_runs = final->other_runs;
    run->other_runs_count = final->other_runs_count;
    run->time_axis = final->time_axis;
    run->metric = final->metric;
    run->mappings = final->mappings;
    run->mappings_count = final->mappings_count;
    run->dumps = HR_ARENA_ARRAY(run->arena, struct hr_dump, SIDES);
    run->dumps_count = SIDES;
    return run;
}

// Numbers of final's modules that the base maps too: that of the first of the same file.
static const uint32_t *shared_modules(struct hr_arena *arena, const struct hr_comparison_side *base,
                                      const struct hr_comparison_side *final)
{
    const uint32_t *partner = hr_comparison_partners(arena, final, base);
    const uint32_t *first = hr_comparison_partners(arena, final, final);
    const uint32_t count = final->symbols->modules_count;
    uint32_t *shared = HR_ARENA_ARRAY(arena, uint32_t, count);
    for (uint32_t m = 0; m < count; m++) {
        shared[m] = partner[m] == HR_MODULE_NONE ? HR_MODULE_NONE : first[m];
    }
    return shared;
}

struct hr_run *hr_comparison_new(const struct hr_comparison_side *base,
                                 const struct hr_comparison_side *final,
                                 const struct hr_symbols **symbols)
{
    HR_AUTO(hr_arena) scratch = hr_arena_new();
    struct work work = {
        .sides = {base, final},
        .scratch = scratch,
        .run = new_run(final->run),
        .origins = g_hash_table_new(g_int64_hash, g_int64_equal),
        .buckets = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, free_bucket),
        .partner_of_base = hr_comparison_partners(scratch, base, final),
    };
    const uint32_t *own = shared_modules(scratch, base, final);
    work.keys[BASE] = hr_comparison_keys_new(scratch, base, 'b', work.partner_of_base);
    work.keys[FINAL] = hr_comparison_keys_new(scratch, final, 'f', own);
    find_biases(&work);
    for (int side = 0; side < SIDES; side++) {
        work.stack_of_row[side] =
            HR_ARENA_ARRAY(scratch, uint32_t, dump_of(work.sides[side])->rows_count);
        fill_buckets(&work, side);
    }
    match_rows(&work);
    take_dump(&work, BASE);
    take_dump(&work, FINAL);
    *symbols = join_symbols(&work);
    set_comparison(&work);
    g_hash_table_unref(work.origins);
    g_hash_table_unref(work.buckets);
    return work.run;
}
