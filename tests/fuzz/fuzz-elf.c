// SPDX-License-Identifier: MIT
// A binary that lies: its headers, symbols and debug data may be anything. What is asked of it are
// the ends of its segments and the starts of its symbols.
#include "fuzz.h"

#include "symbolize/debug.h"
#include "symbolize/match.h"
#include "symbolize/names.h"

#include <string.h>

#define QUERIES 64

// Rising, spread over the executable segments.
static uint32_t choose_vaddrs(const struct hr_object *object, uint64_t *vaddrs)
{
    uint32_t count = 0;
    uint64_t last = 0;
    for (size_t i = 0; i < object->segments_count; i++) {
        const struct hr_segment *segment = &object->segments[i];
        const uint64_t step = segment->file_size / QUERIES + 1;
        for (uint64_t k = 0; k < QUERIES && k * step < segment->file_size && count < QUERIES; k++) {
            const uint64_t vaddr = segment->vaddr + k * step;
            if (segment->executable && (count == 0 || vaddr > last)) {
                vaddrs[count++] = last = vaddr;
            }
        }
    }
    return count;
}

// Touches all that came out, so that a pointer out of bounds is seen.
static size_t measure_answers(const struct hr_debug *debug, const struct hr_lookup *lookup,
                              struct hr_names *names)
{
    size_t sum = 0;
    for (guint i = 0; i < lookup->frames->len; i++) {
        const struct hr_lookup_frame *frame =
            &g_array_index(lookup->frames, struct hr_lookup_frame, i);
        sum += frame->file ? strlen(frame->file) : 0;
        sum += frame->qualified_name ? strlen(frame->qualified_name) : 0;
        sum += frame->name ? strlen(frame->name) : 0;
        sum += frame->linkage_name ? strlen(hr_names_get(names, frame->linkage_name).function) : 0;
    }
    for (uint32_t i = 0; i < lookup->count; i++) {
        const struct hr_symbol *symbol = hr_symtab_find(debug->symtab, lookup->vaddrs[i]);
        sum += symbol ? strlen(symbol->name) : 0;
        sum += hr_match_is_behind_call(debug->object, lookup->vaddrs[i]);
    }
    return sum;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    uint64_t vaddrs[QUERIES];
    HR_AUTO(hr_object)
    object = hr_object_new_from_bytes("fuzz", g_memdup2(bytes, size), size, NULL);
    if (!object) {
        return 0;
    }
    HR_AUTO(hr_arena) arena = hr_arena_new();
    HR_AUTO(hr_strings) strings = hr_strings_new(arena);
    HR_AUTO(hr_names) names = hr_names_new(strings);
    const struct hr_debug_search search = {0};
    HR_AUTO(hr_debug) debug = hr_debug_new(object, &search);
    HR_AUTO(hr_lookup) lookup = hr_lookup_new(vaddrs, choose_vaddrs(object, vaddrs));
    hr_debug_read(debug, lookup);
    return measure_answers(debug, lookup, names) == SIZE_MAX;
}
