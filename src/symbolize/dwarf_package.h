// SPDX-License-Identifier: MIT
// The own reader: a package (.dwp) of the split debug data of many units, and its index.
#pragma once

#include "symbolize/dwarf_load.h"

struct hr_dwarf_package {
    struct hr_dwarf_sections sections;
    struct hr_section index;
    uint32_t version; // of the index: 2 (of GNU, for DWARF 4) or 5
    uint32_t columns, rows, slots;
};

// Where the parts of one unit lie in the sections of the package.
struct hr_dwarf_parts {
    uint64_t info, abbrev, str_offsets, rnglists;
};

// False when the object is no package that this reader knows.
bool hr_dwarf_package_init(struct hr_dwarf_package *package, const struct hr_object *object);

// False when the package does not hold the unit of that DW_AT_dwo_id.
bool hr_dwarf_package_find(const struct hr_dwarf_package *package, uint64_t dwo_id,
                           struct hr_dwarf_parts *parts);
