// SPDX-License-Identifier: MIT
// The own reader: the code ranges of a DIE, of .debug_ranges and .debug_rnglists.
#pragma once

#include "symbolize/dwarf_unit.h"

struct hr_dwarf_ranges {
    const struct hr_dwarf_unit *unit;
    struct hr_bytes bytes;
    uint64_t base;
    bool base_dropped;   // DWARF 5: the list set it to that of code that was not linked
    uint64_t start, end; // of a single range
    bool single;
    bool broken; // the list could not be read to its end
};

// By the three values of the DIE that tell them.
struct hr_dwarf_ranges hr_dwarf_ranges_init(const struct hr_dwarf_unit *unit,
                                            const struct hr_value *low, const struct hr_value *high,
                                            const struct hr_value *ranges);
bool hr_dwarf_ranges_next(struct hr_dwarf_ranges *ranges, uint64_t *start, uint64_t *end);
