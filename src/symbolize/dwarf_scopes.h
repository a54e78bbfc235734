// SPDX-License-Identifier: MIT
// The own reader: the whole name of a C++ function that has no linkage name, by the namespaces and
// classes that its DIE stands in.
#pragma once

#include "base/arena.h"
#include "symbolize/dwarf_unit.h"

// Returns `name`, that of the DIE at `offset` of `unit`, with what it stands in, in `arena`; NULL
// when that adds nothing, cannot be told, or `budget` (DIEs that may be read) is used up. Sets
// *foreign where libdw knows more.
const char *hr_dwarf_qualify(const struct hr_dwarf_unit *unit, uint64_t offset, const char *name,
                             struct hr_arena *arena, uint64_t *budget, bool *foreign);
