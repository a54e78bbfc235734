// SPDX-License-Identifier: MIT
// The own reader, first part: sections, units, abbreviations, attribute values and range lists of
// DWARF 4 and 5 in their common forms (32-bit DWARF, 64-bit little-endian addresses, not split).
// Everything else is left to libdw. No names, no walking.
#pragma once

#include "symbolize/dwarf_bytes.h"

#define HR_NO_OFFSET UINT64_MAX

struct hr_dwarf_sections {
    struct hr_section info, abbrev, str, line, line_str, ranges, rnglists, addr, str_offsets;
};

struct hr_dwarf_attribute {
    uint16_t name;
    uint16_t form;
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
};

// Reads the table at `offset` of .debug_abbrev.
struct hr_dwarf_abbrevs *hr_dwarf_abbrevs_new(const struct hr_section *section, uint64_t offset);
void hr_dwarf_abbrevs_free(struct hr_dwarf_abbrevs *abbrevs);
const struct hr_dwarf_abbrev *hr_dwarf_abbrevs_find(const struct hr_dwarf_abbrevs *abbrevs,
                                                    uint64_t code);

// What a value is, after its form was read.
enum hr_value_class {
    HR_VALUE_NONE,
    HR_VALUE_ADDRESS,
    HR_VALUE_ADDRESS_INDEX,
    HR_VALUE_CONSTANT,
    HR_VALUE_STRING,
    HR_VALUE_STRING_INDEX,
    HR_VALUE_REFERENCE, // offset in .debug_info
    HR_VALUE_OFFSET,    // in the section that the attribute speaks of
    HR_VALUE_LIST_INDEX,
    HR_VALUE_OTHER,   // skipped
    HR_VALUE_FOREIGN, // lies in a file or section that only libdw reads
};

struct hr_value {
    enum hr_value_class class;
    uint64_t number;
    const char *string;
};

struct hr_dwarf_unit {
    const struct hr_dwarf_sections *sections;
    uint64_t offset; // in .debug_info
    uint64_t end;
    uint64_t first_die; // the unit's own DIE
    uint64_t abbrev_offset;
    uint8_t version;
    uint8_t type;                           // DW_UT_...; of version 4: DW_UT_compile
    bool supported;                         // this reader can read it
    bool rooted;                            // the fields below are read
    const struct hr_dwarf_abbrevs *abbrevs; // NULL until needed
    struct hr_value low, high, ranges;
    struct hr_value line_offset;
    const char *directory; // DW_AT_comp_dir
    unsigned language;     // DW_AT_language, 0 when unknown
    uint64_t str_offsets_base, addr_base, rnglists_base;
};

// Reads the header at `offset`; returns the offset of the next one, HR_NO_OFFSET when the chain of
// units is broken here.
uint64_t hr_dwarf_unit_init(struct hr_dwarf_unit *unit, const struct hr_dwarf_sections *sections,
                            uint64_t offset);

// Reads the unit's own DIE with `abbrevs`, its table; clears `supported` where it cannot.
void hr_dwarf_unit_read_root(struct hr_dwarf_unit *unit, const struct hr_dwarf_abbrevs *abbrevs);

// Reads or skips one attribute value.
struct hr_value hr_dwarf_read_value(const struct hr_dwarf_unit *unit, struct hr_bytes *bytes,
                                    const struct hr_dwarf_attribute *attribute);
void hr_dwarf_skip_value(struct hr_bytes *bytes, const struct hr_dwarf_attribute *attribute);

// NULL when the value is no string that this reader can reach.
const char *hr_dwarf_get_string(const struct hr_dwarf_unit *unit, const struct hr_value *value);

// The code ranges of a DIE by its three values.
struct hr_dwarf_ranges {
    const struct hr_dwarf_unit *unit;
    struct hr_bytes bytes;
    uint64_t base;
    uint64_t start, end; // of a single range
    bool single;
    bool broken; // the list could not be read to its end
};

struct hr_dwarf_ranges hr_dwarf_ranges_init(const struct hr_dwarf_unit *unit,
                                            const struct hr_value *low, const struct hr_value *high,
                                            const struct hr_value *ranges);
bool hr_dwarf_ranges_next(struct hr_dwarf_ranges *ranges, uint64_t *start, uint64_t *end);
