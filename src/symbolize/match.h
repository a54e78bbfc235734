// SPDX-License-Identifier: MIT
// Is this the file that was mapped? A dump holds no build-id, but two things in it tell: the map
// lines fit the file's PT_LOADs, and each address of a stack stands right behind a call
// instruction. Also the arithmetic from mapped address to vaddr.
#pragma once

#include "model/mapping.h"
#include "symbolize/object.h"

// Sets *bias (address - vaddr, wrapping) of a map line of this file, by the segment whose file
// bytes overlap it. False when none does.
bool hr_match_find_bias(const struct hr_object *object, const struct hr_mapping *line,
                        uint64_t *bias);

// True when every one of a module's map lines (of any number of loads) can come from this file's
// PT_LOADs. With `remapped`, parts of the text may have left the file's lines (anonymous huge
// pages): what is left must lie inside the segment.
bool hr_match_fits_lines(const struct hr_object *object, const struct hr_mapping *const *lines,
                         size_t lines_count, bool remapped);

// True when `vaddr` lies in an executable segment.
bool hr_match_is_code(const struct hr_object *object, uint64_t vaddr);

// True when hr_match_is_behind_call() can tell for this machine (x86-64, aarch64).
bool hr_match_knows_machine(const struct hr_object *object);

// True when a call instruction ends right before `vaddr`.
bool hr_match_is_behind_call(const struct hr_object *object, uint64_t vaddr);
