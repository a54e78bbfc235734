// SPDX-License-Identifier: MIT
#include "symbolize/dwarf_functions.h"

#include "symbolize/dwarf_ranges.h"
#include "symbolize/lookup.h"

#include <dwarf.h>

// A bound for made-up input: real debug data nest some 60 deep.
#define DEPTH_MAX 1024

// A function's DIE that those being read stand in.
struct open_function {
    uint64_t die;
    uint32_t index;     // in functions, HR_NO_FUNCTION until it holds a vaddr
    uint16_t around;    // level of the function around it, 0: none
    uint16_t outermost; // level of the one that is not inlined, 0: none
    bool inlined;
};

// Level n holds the DIEs n deep; open[n] is the function among those of level n - 1 whose children
// are being read.
struct walk {
    struct hr_dwarf_functions *result;
    struct hr_bytes bytes;
    unsigned depth;
    uint16_t inside[DEPTH_MAX + 2]; // by level: that of the innermost open function, 0: none
    struct open_function open[DEPTH_MAX + 2];
};

// Adds an open function to the result, and with an inlined one those that it was inlined into: few
// functions hold an address, so they are not noted before. Returns its index.
static uint32_t keep_function(struct walk *walk, unsigned level)
{
    GArray *functions = walk->result->functions;
    uint32_t inner = HR_NO_FUNCTION;
    bool known = false;
    for (unsigned at = level; at != 0 && !known; at = walk->open[at].around) {
        struct open_function *open = &walk->open[at];
        known = open->index != HR_NO_FUNCTION || !open->inlined;
        if (open->index == HR_NO_FUNCTION) {
            const struct hr_dwarf_function added = {.die = open->die, .caller = HR_NO_FUNCTION};
            g_array_append_val(functions, added);
            open->index = functions->len - 1;
        }
        if (inner != HR_NO_FUNCTION) {
            g_array_index(functions, struct hr_dwarf_function, inner).caller = open->index;
        }
        inner = open->index;
    }
    return walk->open[level].index;
}

// An inlined function counts only where the one that it is a part of does: where that was dropped,
// its own addresses may be anywhere.
static bool counts_for(const struct walk *walk, unsigned level, uint32_t i, uint64_t start,
                       uint64_t end)
{
    const struct hr_dwarf_functions *result = walk->result;
    const struct open_function *open = &walk->open[level];
    if (!open->inlined) {
        return hr_claim_holds(&result->claims[result->queries[i]], start, end);
    }
    return open->outermost != 0 && result->outermost[i] != HR_NO_FUNCTION &&
           result->outermost[i] == walk->open[open->outermost].index;
}

// Makes the function at `level` the innermost one for each vaddr in [start, end). Pre-order: deeper
// ones come later and override.
static inline void cover(struct walk *walk, unsigned level, uint64_t start, uint64_t end)
{
    struct hr_dwarf_functions *result = walk->result;
    if (*result->budget == 0) {
        return;
    }
    (*result->budget)--;
    uint32_t i = hr_vaddrs_find_first(result->vaddrs, result->count, start);
    if (i == result->count || result->vaddrs[i] >= end) {
        return;
    }
    for (; i < result->count && result->vaddrs[i]<end && * result->budget> 0; i++) {
        if (counts_for(walk, level, i, start, end)) {
            result->innermost[i] = keep_function(walk, level);
            result->outermost[i] = walk->open[walk->open[level].outermost].index;
        }
        (*result->budget)--;
    }
}

// Reads a function's attributes and covers its ranges.
static void visit_function(struct walk *walk, const struct hr_dwarf_attribute *attributes,
                           uint32_t count, unsigned level)
{
    const struct hr_dwarf_unit *unit = walk->result->unit;
    struct hr_value low = {0};
    struct hr_value high = {0};
    struct hr_value list = {0};
    for (uint32_t i = 0; i < count; i++) {
        switch (attributes[i].name) {
        case DW_AT_low_pc:
            low = hr_dwarf_read_value(unit, &walk->bytes, &attributes[i]);
            break;
        case DW_AT_high_pc:
            high = hr_dwarf_read_value(unit, &walk->bytes, &attributes[i]);
            break;
        case DW_AT_ranges:
            list = hr_dwarf_read_value(unit, &walk->bytes, &attributes[i]);
            break;
        default:
            hr_dwarf_skip_value(&walk->bytes, &attributes[i]);
        }
    }
    if (low.class == HR_VALUE_ADDRESS && high.class == HR_VALUE_CONSTANT &&
        list.class == HR_VALUE_NONE) { // nearly all
        cover(walk, level, low.number, low.number + high.number);
        return;
    }
    struct hr_dwarf_ranges ranges = hr_dwarf_ranges_init(unit, &low, &high, &list);
    uint64_t start;
    uint64_t end;
    while (*walk->result->budget > 0 && hr_dwarf_ranges_next(&ranges, &start, &end)) {
        cover(walk, level, start, end);
    }
}

// Skips a DIE's attributes, and what lies below it where it tells its sibling. Returns whether its
// children come next.
static bool skip_closed(struct walk *walk, const struct hr_dwarf_abbrev *abbrev,
                        const struct hr_dwarf_attribute *attributes)
{
    const struct hr_dwarf_unit *unit = walk->result->unit;
    struct hr_value sibling = {0};
    for (uint32_t i = 0; i < abbrev->count; i++) {
        if (attributes[i].name == DW_AT_sibling) {
            sibling = hr_dwarf_read_value(unit, &walk->bytes, &attributes[i]);
        } else {
            hr_dwarf_skip_value(&walk->bytes, &attributes[i]);
        }
    }
    const uint8_t *info = unit->sections->info.bytes;
    const uint64_t here = (uint64_t)(walk->bytes.at - info);
    if (!abbrev->has_children || sibling.class != HR_VALUE_REFERENCE || sibling.number < here ||
        sibling.number > unit->end) {
        return abbrev->has_children;
    }
    walk->bytes.at = info + sibling.number;
    return false;
}

// Steps over one DIE at `offset`. Returns whether its children come next.
static inline bool step(struct walk *walk, const struct hr_dwarf_abbrev *abbrev, uint64_t offset)
{
    if (abbrev->kind == HR_DIE_PLAIN && abbrev->fixed_size >= 0) {
        hr_bytes_skip(&walk->bytes, (uint64_t)abbrev->fixed_size);
        return abbrev->has_children;
    }
    const struct hr_dwarf_attribute *attributes =
        hr_dwarf_abbrevs_get_attributes(walk->result->unit->abbrevs, abbrev);
    if (abbrev->kind == HR_DIE_CLOSED) {
        return skip_closed(walk, abbrev, attributes);
    }
    if (abbrev->kind == HR_DIE_PLAIN) {
        for (uint32_t i = 0; i < abbrev->count; i++) {
            hr_dwarf_skip_value(&walk->bytes, &attributes[i]);
        }
        return abbrev->has_children;
    }
    const unsigned level = walk->depth + 1;
    const uint16_t around = walk->inside[walk->depth];
    const bool inlined = abbrev->tag == DW_TAG_inlined_subroutine;
    walk->open[level] = (struct open_function){
        .die = offset,
        .index = HR_NO_FUNCTION,
        .around = around,
        .outermost = !inlined ? (uint16_t)level
                     : around ? walk->open[around].outermost
                              : 0,
        .inlined = inlined,
    };
    walk->inside[level] = (uint16_t)level;
    visit_function(walk, attributes, abbrev->count, level);
    return abbrev->has_children;
}

// Nothing is left out by range: a method of a local class lies outside the range of the function
// that its DIE stands in.
static bool walk_unit(struct walk *walk)
{
    const struct hr_dwarf_unit *unit = walk->result->unit;
    const uint8_t *info = unit->sections->info.bytes;
    walk->bytes = hr_bytes_init(&unit->sections->info, unit->first_die, unit->end);
    while (walk->bytes.at < walk->bytes.end && !walk->bytes.broken && *walk->result->budget > 0) {
        const uint64_t offset = (uint64_t)(walk->bytes.at - info);
        const uint64_t code = hr_bytes_read_uleb(&walk->bytes);
        if (code == 0) {
            if (walk->depth <= 1) {
                return true;
            }
            walk->depth--;
            continue;
        }
        const struct hr_dwarf_abbrev *abbrev = hr_dwarf_abbrevs_find(unit->abbrevs, code);
        if (!abbrev || walk->depth == DEPTH_MAX) {
            return false;
        }
        walk->inside[walk->depth + 1] = walk->inside[walk->depth];
        if (step(walk, abbrev, offset)) {
            walk->depth++;
        } else if (walk->depth == 0) {
            return !walk->bytes.broken;
        }
    }
    return !walk->bytes.broken && *walk->result->budget > 0;
}

bool hr_dwarf_functions_walk(struct hr_dwarf_functions *result)
{
    struct walk walk; // most of it is set before it is read
    walk.result = result;
    walk.depth = 0;
    walk.inside[0] = 0;
    g_array_set_size(result->functions, 0);
    for (uint32_t i = 0; i < result->count; i++) {
        result->innermost[i] = result->outermost[i] = HR_NO_FUNCTION;
    }
    return walk_unit(&walk);
}
