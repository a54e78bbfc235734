// SPDX-License-Identifier: MIT
// The MAPPED_LIBRARIES section of a dump, and how the maps of many dumps become one.
#pragma once

#include "base/strings.h"
#include "model/mapping.h"

#include <glib.h>

// Appends to `mappings` (of struct hr_mapping) the lines of `text` that can name code: those of a
// file and those that are executable. Lines that are no mapping, and a last line without newline,
// are left out.
void hr_maps_parse(const char *text, size_t size, struct hr_strings *strings, GArray *mappings);

// Where the last line of a memory map of Linux ends; 0 for other maps and for none. The kernel
// lists mappings by address, and the last ones (stack, vdso, vsyscall) stay where they are while a
// process lives, so a map that ends before others of the same process is cut.
uint64_t hr_maps_end(const char *text, size_t size);

// Merges `more` into `all`, which stays sorted and without overlap: where both cover an address,
// what was there first stays (its stacks were counted under it). Returns how many of `more` lie on
// executable memory that was another file's.
size_t hr_maps_merge(GArray *all, const struct hr_mapping *more, size_t count);
