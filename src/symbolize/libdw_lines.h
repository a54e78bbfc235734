// SPDX-License-Identifier: MIT
// File and line of an address through libdw. libdw sorts the rows of a unit's sequences into one
// table; where some of them are of code that the linker dropped, that table cannot be trusted and
// the unit's line program is run by the own reader.
#pragma once

#include "symbolize/lookup.h"
#include "symbolize/object.h"

#include <elfutils/libdw.h>

struct hr_libdw_lines;

// Never NULL; keeps both.
struct hr_libdw_lines *hr_libdw_lines_new(const struct hr_object *holder, struct hr_lookup *lookup);
void hr_libdw_lines_free(struct hr_libdw_lines *lines);

// What is asked next is of this unit: its own DIE, in the file that holds the line programs.
void hr_libdw_lines_begin(struct hr_libdw_lines *lines, const Dwarf_Die *unit);

// Sets file and line of lookup->vaddrs[query], where they are known.
void hr_libdw_lines_get(struct hr_libdw_lines *lines, uint32_t query,
                        struct hr_lookup_frame *frame);

// The path of a file that a DIE of the unit speaks of by DW_AT_call_file. NULL when unknown.
const char *hr_libdw_lines_get_call_file(struct hr_libdw_lines *lines, Dwarf_Die *die);
