// SPDX-License-Identifier: MIT
// The own reader: the head of a unit's line program, versions 2 to 5: how its opcodes are to be
// read, and the files that it and DW_AT_call_file speak of.
#pragma once

#include "base/arena.h"
#include "symbolize/dwarf_unit.h"

struct hr_dwarf_line_table {
    const struct hr_dwarf_unit *unit;
    struct hr_bytes program;
    uint8_t version;
    uint8_t instruction_length;
    int8_t line_base;
    uint8_t line_range;
    uint8_t opcode_base;
    const uint8_t *operand_counts; // of standard opcodes, from opcode 1
    GArray *directories;           // of const char *
    GArray *files;                 // as numbered in the unit
};

// Reads the head of the unit's line program. NULL when the unit has none or it cannot be read.
struct hr_dwarf_line_table *hr_dwarf_line_table_new(const struct hr_dwarf_unit *unit);
void hr_dwarf_line_table_free(struct hr_dwarf_line_table *table);
HR_DEFINE_AUTO(hr_dwarf_line_table, hr_dwarf_line_table_free)

// The path of a file by its number in the unit, absolute where the unit tells its directory. Kept
// in `arena`; NULL when there is no such file.
const char *hr_dwarf_line_table_get_path(struct hr_dwarf_line_table *table, uint64_t file,
                                         struct hr_arena *arena);
