// SPDX-License-Identifier: MIT
// The own reader: a unit's line program. It is run once; sorted addresses are answered while the
// rows go by, so that no row is kept.
#pragma once

#include "symbolize/code.h"
#include "symbolize/dwarf_line_table.h"

#define HR_NO_FILE UINT32_MAX

// Where one address was compiled from.
struct hr_dwarf_line {
    uint32_t file; // number in the table, HR_NO_FILE when no row covers the address
    uint32_t line;
};

// Runs the program: answers[i] is for vaddrs[i] (strictly rising), from sequences that start in
// `code`. Returns false when it broke off; what was answered until then stands. `budget` is how
// many bytes of programs may still be run.
bool hr_dwarf_lines_run(const struct hr_dwarf_line_table *table, const struct hr_code *code,
                        const uint64_t *vaddrs, uint32_t count, struct hr_dwarf_line *answers,
                        uint64_t *budget);
