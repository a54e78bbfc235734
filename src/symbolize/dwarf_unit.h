// SPDX-License-Identifier: MIT
// The own reader: sections and units of DWARF 4 and 5 in their common forms (32-bit DWARF, 64-bit
// little-endian addresses). Everything else is left to libdw.
// No names, no walking.
#pragma once

#include "symbolize/dwarf_value.h"

#define HR_NO_OFFSET UINT64_MAX

struct hr_dwarf_sections {
    struct hr_section info, abbrev, str, line, line_str, ranges, rnglists, addr, str_offsets,
        aranges;
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
    const struct hr_dwarf_abbrevs *abbrevs; // NULL until its DIEs are wanted
    struct hr_value low, high, ranges;
    struct hr_value line_offset;
    const char *directory;                // DW_AT_comp_dir
    unsigned language;                    // DW_AT_language, 0 when unknown
    uint64_t str_offsets_base, addr_base; // HR_NO_OFFSET when there is none
    uint64_t rnglists_base;
    uint64_t ranges_bias;              // of offsets of range lists
    uint64_t gnu_ranges_base;          // what ranges_bias of the split unit is (DWARF 4)
    uint64_t dwo_id;                   // of a skeleton
    const char *dwo_name;              // where its split unit is, NULL: not known
    const struct hr_dwarf_unit *split; // has its functions, NULL: it has them itself
};

// Reads the header at `offset`; returns the offset of the next one, HR_NO_OFFSET when the chain of
// units is broken here.
uint64_t hr_dwarf_unit_init(struct hr_dwarf_unit *unit, const struct hr_dwarf_sections *sections,
                            uint64_t offset);

// The code of the unit's own DIE.
uint64_t hr_dwarf_unit_get_root_code(const struct hr_dwarf_unit *unit);

// Reads the unit's own DIE with a table that has its code; clears `supported` where it cannot.
void hr_dwarf_unit_read_root(struct hr_dwarf_unit *unit, const struct hr_dwarf_abbrevs *abbrevs);
