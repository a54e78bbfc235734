// SPDX-License-Identifier: MIT
#include "analysis/functions.h"

#include <stdlib.h>
#include <string.h>

struct hr_function_names hr_function_names_compute(struct hr_arena *arena,
                                                   const struct hr_symbols *symbols)
{
    uint32_t *of_frame = HR_ARENA_ARRAY(arena, uint32_t, symbols->frames_count);
    uint32_t *first = HR_ARENA_ARRAY(arena, uint32_t, symbols->frames_count);
    const char **name = HR_ARENA_ARRAY(arena, const char *, symbols->frames_count);
    size_t count = 0;
    g_autoptr(GHashTable) ids = g_hash_table_new(NULL, NULL); // names are interned
    for (uint32_t f = 0; f < symbols->frames_count; f++) {
        const char *function = symbols->frames[f].function;
        gpointer id = NULL;
        if (!g_hash_table_lookup_extended(ids, function, NULL, &id)) {
            id = GSIZE_TO_POINTER(count);
            g_hash_table_insert(ids, (gpointer)(uintptr_t)function, id);
            first[count] = f;
            name[count++] = function;
        }
        of_frame[f] = (uint32_t)GPOINTER_TO_SIZE(id);
    }
    return (struct hr_function_names){of_frame, name, first, count};
}

// Sums of all functions while stacks are walked.
struct ledger {
    const struct hr_symbols *symbols;
    const struct hr_function_names *names;
    const enum hr_frame_kind *kinds;
    struct hr_function_cost *costs; // [names->count]
    uint32_t *last_stack;           // [names->count]: stack last counted, plus 1
};

static void add_stack(struct ledger *ledger, const struct hr_stack *stack, uint32_t id,
                      const struct hr_change *change)
{
    bool flat_done = false;
    for (uint32_t i = 0; i < stack->depth; i++) {
        const struct hr_location *location = &ledger->symbols->locations[stack->locations[i]];
        for (uint32_t k = 0; k < location->frame_count; k++) {
            const uint32_t frame = location->first_frame + k;
            struct hr_function_cost *cost = &ledger->costs[ledger->names->of_frame[frame]];
            if (!flat_done && ledger->kinds[frame] != HR_FRAME_ALLOCATOR) {
                cost->base_flat_bytes += change->base.bytes;
                cost->final_flat_bytes += change->final.bytes;
                flat_done = true;
            }
            uint32_t *last = &ledger->last_stack[ledger->names->of_frame[frame]];
            if (*last != id + 1) { // recursion counts once
                cost->base_cum_bytes += change->base.bytes;
                cost->final_cum_bytes += change->final.bytes;
                *last = id + 1;
            }
        }
    }
}

static int compare_falling(double left, double right)
{
    return (left < right) - (left > right);
}

// What allocated the change itself comes first; behind it the callers, of which those on every
// stack all have the whole change.
static int by_change(const void *a, const void *b)
{
    const struct hr_function_cost *left = a;
    const struct hr_function_cost *right = b;
    const double keys[][2] = {
        {fabs(left->growth_flat_bytes), fabs(right->growth_flat_bytes)},
        {fabs(left->growth_cum_bytes), fabs(right->growth_cum_bytes)},
        {left->final_cum_bytes, right->final_cum_bytes},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(keys); i++) {
        const int order = compare_falling(keys[i][0], keys[i][1]);
        if (order != 0) {
            return order;
        }
    }
    return strcmp(left->function, right->function);
}

// The module of each function's first frame.
static void set_modules(struct ledger *ledger)
{
    for (uint32_t l = ledger->symbols->locations_count; l-- > 0;) {
        const struct hr_location *location = &ledger->symbols->locations[l];
        const char *module = location->module == HR_MODULE_NONE
                                 ? NULL
                                 : ledger->symbols->modules[location->module].path;
        for (uint32_t k = 0; k < location->frame_count; k++) {
            ledger->costs[ledger->names->of_frame[location->first_frame + k]].module = module;
        }
    }
}

void hr_functions_compute(struct hr_arena *arena, const struct hr_run *run,
                          const struct hr_symbols *symbols, const struct hr_function_names *names,
                          const struct hr_difference *difference, struct hr_findings *findings)
{
    g_autofree uint32_t *last_stack = g_new0(uint32_t, names->count + 1);
    struct hr_function_cost *costs = HR_ARENA_ARRAY(arena, struct hr_function_cost, names->count);
    struct ledger ledger = {symbols, names, findings->frame_kinds, costs, last_stack};
    set_modules(&ledger);
    for (uint32_t s = 0; s < hr_stacks_count(run->stacks); s++) {
        const struct hr_change *change = &difference->stacks[s];
        if (change->base.bytes > 0 || change->final.bytes > 0) {
            const struct hr_stack stack = hr_stacks_get(run->stacks, s);
            add_stack(&ledger, &stack, s, change);
        }
    }
    size_t used = 0;
    for (size_t i = 0; i < names->count; i++) {
        struct hr_function_cost cost = costs[i];
        cost.function = names->name[i];
        cost.growth_flat_bytes = cost.final_flat_bytes - cost.base_flat_bytes;
        cost.growth_cum_bytes = cost.final_cum_bytes - cost.base_cum_bytes;
        if (cost.base_cum_bytes > 0 || cost.final_cum_bytes > 0) {
            costs[used++] = cost;
        }
    }
    if (used > 0) {
        qsort(costs, used, sizeof *costs, by_change);
    }
    findings->functions = costs;
    findings->functions_count = MIN(used, HR_FUNCTIONS_MAX);
}
