// SPDX-License-Identifier: MIT
// The own reader: one walk over a unit's DIEs finds the innermost function at each address asked.
// No names (dwarf_names.h) and no lines (dwarf_lines.h).
#pragma once

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
    uint64_t *budget;  // steps over addresses and range entries, shared by all units
    GArray *vaddrs;    // of uint64_t, rising
    GArray *innermost; // of uint32_t, by vaddr: index in functions
    GArray *functions; // of struct hr_dwarf_function
};

void hr_dwarf_functions_init(struct hr_dwarf_functions *walk, uint64_t *budget);
void hr_dwarf_functions_clear(struct hr_dwarf_functions *walk);

// Starts with a unit; addresses are asked by rising value before the walk.
void hr_dwarf_functions_begin(struct hr_dwarf_functions *walk, const struct hr_dwarf_unit *unit);
void hr_dwarf_functions_ask(struct hr_dwarf_functions *walk, uint64_t vaddr);

// Walks all DIEs of the unit in the order of the file. False when it cannot be read to its end.
bool hr_dwarf_functions_walk(struct hr_dwarf_functions *walk);
