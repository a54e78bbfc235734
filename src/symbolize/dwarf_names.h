// SPDX-License-Identifier: MIT
// The own reader: what a function's DIE says of its name and of the call it was inlined at, through
// the DIEs that it refers to. What lies where only libdw reads is said to be foreign.
#pragma once

#include "base/arena.h"
#include "symbolize/dwarf_units.h"

struct hr_dwarf_name {
    const char *linkage_name;
    const char *name;
    const char *qualified_name; // of C++ without a linkage name; else NULL
    bool foreign;               // only libdw can reach it
};

// What names a function or tells where it was called.
struct hr_dwarf_details {
    struct hr_value linkage_name, name, origin, call_file, call_line;
};

// Reads the DIE at `offset` alone. False when it cannot be read.
bool hr_dwarf_details_read(const struct hr_dwarf_unit *unit, uint64_t offset,
                           struct hr_dwarf_details *details);

// A cache of names; `units` must live as long. What has to be put together is in `arena`;
// `scope_budget` is how many DIEs may be read to find what others stand in.
struct hr_dwarf_names *hr_dwarf_names_new(struct hr_dwarf_units *units, struct hr_arena *arena,
                                          uint64_t scope_budget);
void hr_dwarf_names_free(struct hr_dwarf_names *names);

// The name of the DIE at `offset` of `unit`; never NULL.
const struct hr_dwarf_name *hr_dwarf_names_get(struct hr_dwarf_names *names,
                                               const struct hr_dwarf_unit *unit, uint64_t offset);
