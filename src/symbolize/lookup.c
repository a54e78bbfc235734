// SPDX-License-Identifier: MIT
#include "symbolize/lookup.h"

static void free_arena(gpointer arena)
{
    hr_arena_free(arena);
}

struct hr_lookup *hr_lookup_new(const uint64_t *vaddrs, uint32_t count)
{
    struct hr_lookup *lookup = g_new0(struct hr_lookup, 1);
    lookup->vaddrs = vaddrs;
    lookup->count = count;
    lookup->answers = g_new0(struct hr_lookup_answer, count + 1);
    lookup->frames = g_array_new(FALSE, FALSE, sizeof(struct hr_lookup_frame));
    lookup->arena = hr_arena_new();
    lookup->taken_arenas = g_ptr_array_new_with_free_func(free_arena);
    lookup->jobs = 1;
    return lookup;
}

void hr_lookup_free(struct hr_lookup *lookup)
{
    if (lookup) {
        g_free(lookup->answers);
        g_array_free(lookup->frames, TRUE);
        hr_arena_free(lookup->arena);
        if (lookup->taken_arenas) {
            g_ptr_array_unref(lookup->taken_arenas);
        }
        g_free(lookup);
    }
}

uint32_t hr_lookup_find_first(const struct hr_lookup *lookup, uint64_t vaddr)
{
    return hr_vaddrs_find_first(lookup->vaddrs, lookup->count, vaddr);
}

void hr_lookup_take_arena(struct hr_lookup *lookup, struct hr_arena *arena)
{
    g_ptr_array_add(lookup->taken_arenas, arena);
}

void hr_lookup_take(struct hr_lookup *lookup, struct hr_lookup *other)
{
    // libdw, asked for the rest, meets what was broken before once more
    lookup->broken_units = MAX(lookup->broken_units, other->broken_units);
    lookup->broken_lines += other->broken_lines;
    lookup->unreached_bytes = MAX(lookup->unreached_bytes, other->unreached_bytes);
    const uint32_t moved_by = lookup->frames->len;
    g_array_append_vals(lookup->frames, other->frames->data, other->frames->len);
    g_ptr_array_extend_and_steal(lookup->taken_arenas, g_steal_pointer(&other->taken_arenas));
    hr_lookup_take_arena(lookup, g_steal_pointer(&other->arena));
    for (uint32_t i = 0; i < other->count; i++) {
        const struct hr_lookup_answer *answer = &other->answers[i];
        const uint32_t at = hr_lookup_find_first(lookup, other->vaddrs[i]);
        g_assert(at < lookup->count && lookup->vaddrs[at] == other->vaddrs[i]);
        lookup->answers[at] =
            (struct hr_lookup_answer){moved_by + answer->first_frame, answer->frame_count};
    }
}
