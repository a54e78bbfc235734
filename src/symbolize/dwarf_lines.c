// SPDX-License-Identifier: MIT
#include "symbolize/dwarf_lines.h"

#include "symbolize/lookup.h"

#include <dwarf.h>

struct row {
    uint64_t address;
    uint32_t file;
    uint32_t line;
};

struct machine {
    const struct hr_dwarf_line_table *table;
    const struct hr_code *code;
    const uint64_t *vaddrs;
    uint32_t count;
    struct hr_dwarf_line *answers;
    struct row row;   // being made
    struct row last;  // emitted before, of the same sequence
    bool in_sequence; // `last` is one
    bool linked;      // ... and the sequence is of code that the linker kept
    uint32_t next;    // first vaddr that is not below last.address
};

// The row before covers the addresses up to this one. Of rows with one address the last counts.
static inline void emit_row(struct machine *machine, bool ends_sequence)
{
    const uint64_t address = machine->row.address;
    if (!machine->in_sequence) {
        machine->linked = hr_code_holds(machine->code, address);
    }
    if (!machine->in_sequence || address < machine->last.address) {
        machine->next = hr_vaddrs_find_first(machine->vaddrs, machine->count, address);
    }
    while (machine->next < machine->count && machine->vaddrs[machine->next] < address) {
        struct hr_dwarf_line *answer = &machine->answers[machine->next++];
        if (machine->linked && answer->file == HR_NO_FILE) {
            *answer = (struct hr_dwarf_line){machine->last.file, machine->last.line};
        }
    }
    machine->last = machine->row;
    machine->in_sequence = !ends_sequence;
    if (ends_sequence) {
        machine->row = (struct row){.file = 1, .line = 1};
    }
}

static void run_extended(struct machine *machine, struct hr_bytes *bytes)
{
    const uint64_t length = hr_bytes_read_uleb(bytes);
    if (length == 0 || length > hr_bytes_left(bytes)) {
        bytes->broken |= length != 0;
        return;
    }
    struct hr_bytes operands = {bytes->at, bytes->at + length, false};
    bytes->at += length;
    switch (hr_bytes_read_u8(&operands)) {
    case DW_LNE_end_sequence:
        emit_row(machine, true);
        break;
    case DW_LNE_set_address:
        if (length != 9 && length != 5) {
            bytes->broken = true; // another address size: libdw's
        }
        machine->row.address = hr_bytes_read_fixed(&operands, length == 9 ? 8 : 4);
        break;
    default: // DW_LNE_define_file is of DWARF 3; discriminators and vendors' own change no row
        break;
    }
}

static void run_standard(struct machine *machine, struct hr_bytes *bytes, uint8_t opcode)
{
    const struct hr_dwarf_line_table *table = machine->table;
    switch (opcode) {
    case DW_LNS_copy:
        emit_row(machine, false);
        break;
    case DW_LNS_advance_pc:
        machine->row.address += hr_bytes_read_uleb(bytes) * table->instruction_length;
        break;
    case DW_LNS_advance_line:
        machine->row.line += (uint32_t)hr_bytes_read_sleb(bytes);
        break;
    case DW_LNS_set_file:
        machine->row.file = (uint32_t)hr_bytes_read_uleb(bytes);
        break;
    case DW_LNS_const_add_pc:
        machine->row.address +=
            (uint64_t)((255 - table->opcode_base) / table->line_range) * table->instruction_length;
        break;
    case DW_LNS_fixed_advance_pc:
        machine->row.address += hr_bytes_read_fixed(bytes, 2);
        break;
    default: // columns, flags, and opcodes to come
        for (uint8_t i = 0; i < table->operand_counts[opcode - 1]; i++) {
            hr_bytes_read_uleb(bytes);
        }
    }
}

bool hr_dwarf_lines_run(const struct hr_dwarf_line_table *table, const struct hr_code *code,
                        const uint64_t *vaddrs, uint32_t count, struct hr_dwarf_line *answers,
                        uint64_t *budget)
{
    struct machine machine = {
        .table = table,
        .code = code,
        .vaddrs = vaddrs,
        .count = count,
        .answers = answers,
        .row = {.file = 1, .line = 1},
    };
    for (uint32_t i = 0; i < count; i++) {
        answers[i] = (struct hr_dwarf_line){HR_NO_FILE, 0};
    }
    struct hr_bytes bytes = table->program;
    if (hr_bytes_left(&bytes) > *budget) {
        return false;
    }
    *budget -= hr_bytes_left(&bytes);
    while (bytes.at < bytes.end && !bytes.broken) {
        const uint8_t opcode = *bytes.at++;
        if (opcode >= table->opcode_base) {
            const uint8_t step = opcode - table->opcode_base;
            machine.row.address += (uint64_t)(step / table->line_range) * table->instruction_length;
            machine.row.line += (uint32_t)(table->line_base + step % table->line_range);
            emit_row(&machine, false);
        } else if (opcode == 0) {
            run_extended(&machine, &bytes);
        } else {
            run_standard(&machine, &bytes, opcode);
        }
    }
    return !bytes.broken;
}
