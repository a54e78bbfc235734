// SPDX-License-Identifier: MIT
// Debug data read through libdw: units found by their own DIEs (never .debug_aranges, which real
// binaries have broken), only units with hits walked, each once. Reads every form libdw knows.
#pragma once

#include "symbolize/lookup.h"
#include "symbolize/object.h"

#include <elfutils/libdw.h>

// Answers what `dwarf`, made of `holder`, knows of lookup->vaddrs. A unit that cannot be read is
// counted in broken_units and costs only its own answers.
void hr_libdw_read(Dwarf *dwarf, const struct hr_object *holder, struct hr_lookup *lookup);
