// SPDX-License-Identifier: MIT
#include "symbolize/lookup.h"

struct hr_lookup *hr_lookup_new(const uint64_t *vaddrs, uint32_t count)
{
    struct hr_lookup *lookup = g_new0(struct hr_lookup, 1);
    lookup->vaddrs = vaddrs;
    lookup->count = count;
    lookup->answers = g_new0(struct hr_lookup_answer, count + 1);
    lookup->frames = g_array_new(FALSE, FALSE, sizeof(struct hr_lookup_frame));
    lookup->arena = hr_arena_new();
    return lookup;
}

void hr_lookup_free(struct hr_lookup *lookup)
{
    if (lookup) {
        g_free(lookup->answers);
        g_array_free(lookup->frames, TRUE);
        hr_arena_free(lookup->arena);
        g_free(lookup);
    }
}

uint32_t hr_lookup_find_first(const struct hr_lookup *lookup, uint64_t vaddr)
{
    uint32_t low = 0;
    uint32_t high = lookup->count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (lookup->vaddrs[middle] < vaddr) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

void hr_lookup_take(struct hr_lookup *lookup, const struct hr_lookup *other)
{
    lookup->broken_units += other->broken_units;
    for (uint32_t i = 0; i < other->count; i++) {
        const struct hr_lookup_answer *answer = &other->answers[i];
        const uint32_t at = hr_lookup_find_first(lookup, other->vaddrs[i]);
        g_assert(at < lookup->count && lookup->vaddrs[at] == other->vaddrs[i]);
        lookup->answers[at] = (struct hr_lookup_answer){lookup->frames->len, answer->frame_count};
        for (uint32_t j = 0; j < answer->frame_count; j++) {
            struct hr_lookup_frame frame =
                g_array_index(other->frames, struct hr_lookup_frame, answer->first_frame + j);
            frame.qualified_name =
                frame.qualified_name ? hr_arena_strdup(lookup->arena, frame.qualified_name) : NULL;
            frame.file = frame.file ? hr_arena_strdup(lookup->arena, frame.file) : NULL;
            g_array_append_val(lookup->frames, frame);
        }
    }
}
