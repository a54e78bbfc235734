// SPDX-License-Identifier: MIT
// The own reader, from addresses to answers: units by address, functions, names, lines, chains of
// inlined calls. What it does not read (symbolize/dwarf_unit.h) it leaves unanswered for libdw.
#pragma once

#include "symbolize/dwarf_split.h"
#include "symbolize/lookup.h"
#include "symbolize/object.h"

// Answers what it can of lookup->vaddrs from the debug data of `holder` and the package (NULL when
// there is none) or the `files` of its split units, and sets left[i] for each address that libdw
// should be asked. What is found in `files` is kept there, and answers point into it. False: it
// cannot read this file at all; nothing was answered.
bool hr_dwarf_read(const struct hr_object *holder, const struct hr_object *package,
                   struct hr_dwarf_split_files *files, struct hr_lookup *lookup, bool *left);
