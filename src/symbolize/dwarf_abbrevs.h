// SPDX-License-Identifier: MIT
// The own reader: tables of .debug_abbrev, which say what the DIEs of a unit are made of, and how
// many bytes to step over where they are of no interest.
#pragma once

#include "symbolize/dwarf_bytes.h"

#define HR_SIZE_VARIES UINT8_MAX

struct hr_dwarf_attribute {
    uint16_t name;
    uint16_t form;
    uint8_t size; // bytes of a value, HR_SIZE_VARIES when only the value tells
    int64_t implicit;
};

enum hr_die_kind {
    HR_DIE_PLAIN,    // may hold functions
    HR_DIE_FUNCTION, // is one, or an inlined one
    HR_DIE_CLOSED,   // holds none: skipped with all below it where it tells its sibling
};

struct hr_dwarf_abbrev {
    uint64_t code;
    uint16_t tag;
    uint8_t kind; // enum hr_die_kind
    bool has_children;
    int32_t fixed_size; // bytes of all its attributes, -1 when they vary
    uint32_t first;     // in attributes
    uint32_t count;
};

struct hr_dwarf_abbrevs {
    GArray *abbrevs;    // of struct hr_dwarf_abbrev
    GArray *attributes; // of struct hr_dwarf_attribute
    bool dense;         // the n-th has code n
    bool broken;
    size_t size; // bytes that were read
};

// Reads the table at `offset` of .debug_abbrev; with a `code` other than 0 that abbreviation alone,
// which is all that is wanted of most units.
struct hr_dwarf_abbrevs *hr_dwarf_abbrevs_new(const struct hr_section *section, uint64_t offset,
                                              uint64_t code);
void hr_dwarf_abbrevs_free(struct hr_dwarf_abbrevs *abbrevs);

// NULL when there is none of that code.
const struct hr_dwarf_abbrev *hr_dwarf_abbrevs_search(const struct hr_dwarf_abbrevs *abbrevs,
                                                      uint64_t code);

static inline const struct hr_dwarf_abbrev *
hr_dwarf_abbrevs_find(const struct hr_dwarf_abbrevs *abbrevs, uint64_t code)
{
    const struct hr_dwarf_abbrev *all =
        (const struct hr_dwarf_abbrev *)(const void *)abbrevs->abbrevs->data;
    if (abbrevs->dense) {
        return code - 1 < abbrevs->abbrevs->len ? &all[code - 1] : NULL;
    }
    return hr_dwarf_abbrevs_search(abbrevs, code);
}

// The attributes of one of them, `count` in all.
static inline const struct hr_dwarf_attribute *
hr_dwarf_abbrevs_get_attributes(const struct hr_dwarf_abbrevs *abbrevs,
                                const struct hr_dwarf_abbrev *abbrev)
{
    return (const struct hr_dwarf_attribute *)(const void *)abbrevs->attributes->data +
           abbrev->first;
}
