// SPDX-License-Identifier: MIT
#include "symbolize/dwarf_functions.h"

#include <dwarf.h>

// A bound for made-up input: real debug data nest some 60 deep.
#define DEPTH_MAX 1024

void hr_dwarf_functions_init(struct hr_dwarf_functions *walk, uint64_t *budget)
{
    *walk = (struct hr_dwarf_functions){
        .budget = budget,
        .vaddrs = g_array_new(FALSE, FALSE, sizeof(uint64_t)),
        .innermost = g_array_new(FALSE, FALSE, sizeof(uint32_t)),
        .functions = g_array_new(FALSE, FALSE, sizeof(struct hr_dwarf_function)),
    };
}

void hr_dwarf_functions_clear(struct hr_dwarf_functions *walk)
{
    g_array_unref(walk->vaddrs);
    g_array_unref(walk->innermost);
    g_array_unref(walk->functions);
}

void hr_dwarf_functions_begin(struct hr_dwarf_functions *walk, const struct hr_dwarf_unit *unit)
{
    walk->unit = unit;
    g_array_set_size(walk->vaddrs, 0);
    g_array_set_size(walk->innermost, 0);
    g_array_set_size(walk->functions, 0);
}

void hr_dwarf_functions_ask(struct hr_dwarf_functions *walk, uint64_t vaddr)
{
    const uint32_t none = HR_NO_FUNCTION;
    g_array_append_val(walk->vaddrs, vaddr);
    g_array_append_val(walk->innermost, none);
}

static uint32_t find_first_query(const struct hr_dwarf_functions *walk, uint64_t vaddr)
{
    const uint64_t *vaddrs = (const uint64_t *)(const void *)walk->vaddrs->data;
    uint32_t low = 0;
    uint32_t high = walk->vaddrs->len;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (vaddrs[middle] < vaddr) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

// Makes `function` the innermost one for each vaddr in its ranges. Pre-order: deeper ones come
// later and override.
static void cover(struct hr_dwarf_functions *walk, struct hr_dwarf_ranges *ranges,
                  uint32_t function)
{
    const uint64_t *vaddrs = (const uint64_t *)(const void *)walk->vaddrs->data;
    uint32_t *innermost = (uint32_t *)(void *)walk->innermost->data;
    uint64_t start;
    uint64_t end;
    while (*walk->budget > 0 && hr_dwarf_ranges_next(ranges, &start, &end)) {
        (*walk->budget)--;
        for (uint32_t i = find_first_query(walk, start);
             i < walk->vaddrs->len && vaddrs[i]<end && * walk->budget> 0; i++) {
            innermost[i] = function;
            (*walk->budget)--;
        }
    }
}

// Reads the attributes of a function's DIE that tell its ranges; `bytes` ends behind the DIE.
static void visit_function(struct hr_dwarf_functions *walk,
                           const struct hr_dwarf_attribute *attributes, uint32_t count,
                           struct hr_bytes *bytes, uint32_t function)
{
    struct hr_value low = {0};
    struct hr_value high = {0};
    struct hr_value ranges = {0};
    for (uint32_t i = 0; i < count; i++) {
        switch (attributes[i].name) {
        case DW_AT_low_pc:
            low = hr_dwarf_read_value(walk->unit, bytes, &attributes[i]);
            break;
        case DW_AT_high_pc:
            high = hr_dwarf_read_value(walk->unit, bytes, &attributes[i]);
            break;
        case DW_AT_ranges:
            ranges = hr_dwarf_read_value(walk->unit, bytes, &attributes[i]);
            break;
        default:
            hr_dwarf_skip_value(bytes, &attributes[i]);
        }
    }
    struct hr_dwarf_ranges list = hr_dwarf_ranges_init(walk->unit, &low, &high, &ranges);
    cover(walk, &list, function);
}

// Skips a DIE's attributes, and what lies below it where it tells its sibling. Returns whether its
// children come next.
static bool skip_closed(struct hr_dwarf_functions *walk, const struct hr_dwarf_abbrev *abbrev,
                        const struct hr_dwarf_attribute *attributes, struct hr_bytes *bytes)
{
    const uint8_t *info = walk->unit->sections->info.bytes;
    struct hr_value sibling = {0};
    for (uint32_t i = 0; i < abbrev->count; i++) {
        if (attributes[i].name == DW_AT_sibling) {
            sibling = hr_dwarf_read_value(walk->unit, bytes, &attributes[i]);
        } else {
            hr_dwarf_skip_value(bytes, &attributes[i]);
        }
    }
    const uint64_t here = (uint64_t)(bytes->at - info);
    if (!abbrev->has_children || sibling.class != HR_VALUE_REFERENCE || sibling.number < here ||
        sibling.number > walk->unit->end) {
        return abbrev->has_children;
    }
    bytes->at = info + sibling.number;
    return false;
}

// Takes note of a function and of the addresses in it; it is what DIEs below it lie in.
static bool open_function(struct hr_dwarf_functions *walk, const struct hr_dwarf_abbrev *abbrev,
                          const struct hr_dwarf_attribute *attributes, uint64_t offset,
                          struct hr_bytes *bytes, uint32_t *around)
{
    const bool inlined = abbrev->tag == DW_TAG_inlined_subroutine;
    const struct hr_dwarf_function function = {.die = offset,
                                               .caller = inlined ? *around : HR_NO_FUNCTION};
    g_array_append_val(walk->functions, function);
    *around = walk->functions->len - 1;
    visit_function(walk, attributes, abbrev->count, bytes, *around);
    return abbrev->has_children;
}

// Steps over one DIE. Returns whether its children come next.
static bool step(struct hr_dwarf_functions *walk, const struct hr_dwarf_abbrev *abbrev,
                 uint64_t offset, struct hr_bytes *bytes, uint32_t *around)
{
    const struct hr_dwarf_attribute *attributes =
        &g_array_index(walk->unit->abbrevs->attributes, struct hr_dwarf_attribute, abbrev->first);
    if (abbrev->kind == HR_DIE_FUNCTION) {
        return open_function(walk, abbrev, attributes, offset, bytes, around);
    }
    if (abbrev->kind == HR_DIE_CLOSED) {
        return skip_closed(walk, abbrev, attributes, bytes);
    }
    if (abbrev->fixed_size >= 0) {
        hr_bytes_skip(bytes, (uint64_t)abbrev->fixed_size);
        return abbrev->has_children;
    }
    for (uint32_t i = 0; i < abbrev->count; i++) {
        hr_dwarf_skip_value(bytes, &attributes[i]);
    }
    return abbrev->has_children;
}

// Nothing is left out by range: a method of a local class lies outside the range of the function
// that its DIE stands in.
bool hr_dwarf_functions_walk(struct hr_dwarf_functions *walk)
{
    const struct hr_section *info = &walk->unit->sections->info;
    struct hr_bytes bytes = hr_bytes_init(info, walk->unit->first_die, walk->unit->end);
    uint32_t around[DEPTH_MAX + 1]; // per depth: the function that DIEs there lie in
    unsigned depth = 0;
    around[0] = HR_NO_FUNCTION;
    while (bytes.at < bytes.end && !bytes.broken && *walk->budget > 0) {
        const uint64_t offset = (uint64_t)(bytes.at - info->bytes);
        const uint64_t code = hr_bytes_read_uleb(&bytes);
        if (code == 0 && depth <= 1) {
            return true;
        }
        if (code == 0) {
            depth--;
            continue;
        }
        const struct hr_dwarf_abbrev *abbrev = hr_dwarf_abbrevs_find(walk->unit->abbrevs, code);
        if (!abbrev || depth == DEPTH_MAX) {
            return false;
        }
        around[depth + 1] = around[depth];
        if (step(walk, abbrev, offset, &bytes, &around[depth + 1])) {
            depth++;
        } else if (depth == 0) {
            return !bytes.broken;
        }
    }
    return !bytes.broken && *walk->budget > 0;
}
