// SPDX-License-Identifier: MIT
// The own reader: one walk over a unit's DIEs finds the innermost function at each address asked.
// No names (dwarf_names.h) and no lines (dwarf_lines.h).
#pragma once

#include "symbolize/claims.h"
#include "symbolize/dwarf_unit.h"

#define HR_NO_FUNCTION UINT32_MAX

struct hr_dwarf_function {
    uint64_t die;    // offset in .debug_info
    uint32_t caller; // function this one was inlined into, HR_NO_FUNCTION when it was not
    uint32_t call_line;
    const char *call_path;
    const struct hr_dwarf_name *name; // NULL until asked for; then the call is read too
};

struct hr_dwarf_functions {
    const struct hr_dwarf_unit *unit;
    const uint64_t *vaddrs;        // rising
    uint32_t count;                // of vaddrs
    const uint32_t *queries;       // by vaddr: index in claims
    const struct hr_claim *claims; // a function counts where they hold it
    uint64_t *budget;              // steps over addresses and range entries
    uint32_t *innermost;           // by vaddr: index in functions, HR_NO_FUNCTION
    uint32_t *outermost;           // the same of the function that is not inlined
    GArray *functions; // of struct hr_dwarf_function: those that hold a vaddr, and their callers
};

// Walks all DIEs of the unit in the order of the file and sets innermost and functions, which is
// emptied first. False when it cannot be read to its end.
bool hr_dwarf_functions_walk(struct hr_dwarf_functions *walk);
