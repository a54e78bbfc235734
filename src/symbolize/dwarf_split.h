// SPDX-License-Identifier: MIT
// The own reader: split debug data that lie in a file (.dwo) for each unit. Such files are opened
// when a unit is wanted, beside the program or where it was compiled, in the program's own tree.
#pragma once

#include "symbolize/dwarf_load.h"

struct hr_dwarf_split_files;

struct hr_dwarf_split_files *hr_dwarf_split_files_new(void);
void hr_dwarf_split_files_free(struct hr_dwarf_split_files *files);
HR_DEFINE_AUTO(hr_dwarf_split_files, hr_dwarf_split_files_free)

// Opens the file that `skeleton`, a unit of `holder`, names. Sets *unit to the head of its split
// unit, not yet read; false when there is none. Sections and unit live as long as `files`.
bool hr_dwarf_split_files_find(struct hr_dwarf_split_files *files, const struct hr_object *holder,
                               const struct hr_dwarf_unit *skeleton, struct hr_dwarf_unit *unit);
