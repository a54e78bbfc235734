// SPDX-License-Identifier: MIT
// The sections of debug data in one object, unpacked where they are compressed.
#pragma once

#include "symbolize/dwarf_unit.h"
#include "symbolize/object.h"

// Fills `sections`; string sections end with a NUL. False when the object is not little-endian and
// 64-bit, holds no plain .debug_info, or a section cannot be unpacked. The bytes live as long as
// the object.
bool hr_dwarf_load(const struct hr_object *object, struct hr_dwarf_sections *sections);

// The same for line programs alone, which are alike in 32-bit objects.
bool hr_dwarf_load_lines(const struct hr_object *object, struct hr_dwarf_sections *sections);

// The same of a package of split debug data, with the index of its units.
bool hr_dwarf_load_split(const struct hr_object *object, struct hr_dwarf_sections *sections,
                         struct hr_section *index);

// True when a compressed section claims more bytes than its algorithm can give, or uses one that
// this libelf does not know: no reader should be let near it.
bool hr_dwarf_is_unreadable(const struct hr_object *object);
