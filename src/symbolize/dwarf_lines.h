// SPDX-License-Identifier: MIT
// The own reader, second part: a unit's line program, versions 2 to 5. It is run once; sorted
// addresses are answered while the rows go by, so that no row is kept.
#pragma once

#include "base/arena.h"
#include "symbolize/dwarf_unit.h"

#define HR_NO_FILE UINT32_MAX

// Where one address was compiled from.
struct hr_dwarf_line {
    uint32_t file; // index in the program's table, HR_NO_FILE when no row covers the address
    uint32_t line;
};

struct hr_dwarf_lines;

// Reads the header of the unit's line program. NULL when the unit has none or it cannot be read.
struct hr_dwarf_lines *hr_dwarf_lines_new(const struct hr_dwarf_unit *unit);
void hr_dwarf_lines_free(struct hr_dwarf_lines *lines);

// Runs the program: answers[i] is for vaddrs[i] (strictly rising). Returns false when it broke off;
// what was answered until then stands. `budget` is how many bytes of programs may still be run.
bool hr_dwarf_lines_run(struct hr_dwarf_lines *lines, const uint64_t *vaddrs, uint32_t count,
                        struct hr_dwarf_line *answers, uint64_t *budget);

// The path of a file by its number in the unit (also DW_AT_call_file), absolute where the unit
// tells its directory. Kept in `arena`; NULL when there is no such file.
const char *hr_dwarf_lines_get_path(struct hr_dwarf_lines *lines, uint64_t file,
                                    struct hr_arena *arena);
