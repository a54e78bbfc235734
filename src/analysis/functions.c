// SPDX-License-Identifier: MIT
#include "analysis/functions.h"

#include <stdlib.h>
#include <string.h>

struct hr_function_names hr_function_names_compute(struct hr_arena *arena,
                                                   const struct hr_symbols *symbols)
{
    uint32_t *of_frame = HR_ARENA_ARRAY(arena, uint32_t, symbols->frames_count);
    const char **name = HR_ARENA_ARRAY(arena, const char *, symbols->frames_count);
    size_t count = 0;
    g_autoptr(GHashTable) ids = g_hash_table_new(NULL, NULL); // names are interned
    for (uint32_t f = 0; f < symbols->frames_count; f++) {
        const char *function = symbols->frames[f].function;
        gpointer id = NULL;
        if (!g_hash_table_lookup_extended(ids, function, NULL, &id)) {
            id = GSIZE_TO_POINTER(count);
            g_hash_table_insert(ids, (gpointer)(uintptr_t)function, id);
            name[count++] = function;
        }
        of_frame[f] = (uint32_t)GPOINTER_TO_SIZE(id);
    }
    return (struct hr_function_names){of_frame, name, count};
}

// What a function holds with all it calls, and the stack last counted for it. Frames are many and
// lie in no order: what each of them touches is small and stands together.
struct held {
    double base_bytes;
    double final_bytes;
    uint32_t last_stack; // its id plus 1
};

struct held_by_itself {
    double base_bytes;
    double final_bytes;
};

// Sums of all functions while stacks are walked.
struct ledger {
    const struct hr_symbols *symbols;
    const struct hr_function_names *names;
    const enum hr_frame_kind *kinds;
    struct held *cum;            // [names->count]
    struct held_by_itself *flat; // [names->count]
};

static void add_frame(struct ledger *ledger, uint32_t frame, uint32_t stack,
                      const struct hr_change *change)
{
    struct held *cum = &ledger->cum[ledger->names->of_frame[frame]];
    if (cum->last_stack != stack + 1) { // recursion counts once
        cum->base_bytes += change->base.bytes;
        cum->final_bytes += change->final.bytes;
        cum->last_stack = stack + 1;
    }
}

static void add_flat(struct ledger *ledger, uint32_t frame, const struct hr_change *change)
{
    struct held_by_itself *flat = &ledger->flat[ledger->names->of_frame[frame]];
    flat->base_bytes += change->base.bytes;
    flat->final_bytes += change->final.bytes;
}

static void add_stack(struct ledger *ledger, const struct hr_stack *stack, uint32_t id,
                      const struct hr_change *change)
{
    bool flat_done = false;
    for (uint32_t i = 0; i < stack->depth; i++) {
        const struct hr_location *location = &ledger->symbols->locations[stack->locations[i]];
        const uint32_t end = location->first_frame + location->frame_count;
        for (uint32_t frame = location->first_frame; frame < end; frame++) {
            if (!flat_done && ledger->kinds[frame] != HR_FRAME_ALLOCATOR) {
                add_flat(ledger, frame, change);
                flat_done = true;
            }
            add_frame(ledger, frame, id, change);
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
    int order = compare_falling(fabs(left->growth_flat_bytes), fabs(right->growth_flat_bytes));
    if (order == 0) {
        order = compare_falling(fabs(left->growth_cum_bytes), fabs(right->growth_cum_bytes));
    }
    if (order == 0) {
        order = compare_falling(left->final_cum_bytes, right->final_cum_bytes);
    }
    return order != 0 ? order : strcmp(left->function, right->function);
}

// For each name the module of its first frame.
static uint32_t *modules_of_names(const struct hr_symbols *symbols,
                                  const struct hr_function_names *names)
{
    uint32_t *modules = g_new0(uint32_t, names->count + 1); // every name has a frame
    for (uint32_t l = symbols->locations_count; l-- > 0;) {
        const struct hr_location *location = &symbols->locations[l];
        for (uint32_t k = 0; k < location->frame_count; k++) {
            modules[names->of_frame[location->first_frame + k]] = location->module;
        }
    }
    return modules;
}

static struct hr_function_cost cost_of(const struct ledger *ledger, size_t name, uint32_t module)
{
    const struct held *cum = &ledger->cum[name];
    const struct held_by_itself *flat = &ledger->flat[name];
    return (struct hr_function_cost){
        .function = ledger->names->name[name],
        .module = module == HR_MODULE_NONE ? NULL : ledger->symbols->modules[module].path,
        .base_flat_bytes = flat->base_bytes,
        .final_flat_bytes = flat->final_bytes,
        .growth_flat_bytes = flat->final_bytes - flat->base_bytes,
        .base_cum_bytes = cum->base_bytes,
        .final_cum_bytes = cum->final_bytes,
        .growth_cum_bytes = cum->final_bytes - cum->base_bytes,
    };
}

void hr_functions_compute(struct hr_arena *arena, const struct hr_run *run,
                          const struct hr_symbols *symbols, const struct hr_function_names *names,
                          const struct hr_difference *difference, struct hr_findings *findings)
{
    g_autofree struct held *cum = g_new0(struct held, names->count + 1);
    g_autofree struct held_by_itself *flat = g_new0(struct held_by_itself, names->count + 1);
    struct ledger ledger = {symbols, names, findings->frame_kinds, cum, flat};
    for (uint32_t s = 0; s < hr_stacks_count(run->stacks); s++) {
        const struct hr_change *change = &difference->stacks[s];
        if (change->base.bytes > 0 || change->final.bytes > 0) {
            const struct hr_stack stack = hr_stacks_get(run->stacks, s);
            add_stack(&ledger, &stack, s, change);
        }
    }
    g_autofree uint32_t *modules = modules_of_names(symbols, names);
    g_autofree struct hr_function_cost *costs = g_new(struct hr_function_cost, names->count + 1);
    size_t used = 0;
    for (size_t i = 0; i < names->count; i++) {
        if (cum[i].base_bytes > 0 || cum[i].final_bytes > 0) {
            costs[used++] = cost_of(&ledger, i, modules[i]);
        }
    }
    qsort(costs, used, sizeof *costs, by_change);
    findings->functions_count = MIN(used, HR_FUNCTIONS_MAX);
    findings->functions = hr_arena_copy(arena, costs, findings->functions_count, sizeof *costs);
}
