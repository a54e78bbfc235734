// SPDX-License-Identifier: MIT
// .debug_line, 32-bit DWARF:
//   | length 4 | version 2 | (5: address_size 1, selector_size 1) | header_length 4 |
//   | minimum_instruction_length 1 | (4, 5: maximum_operations 1) | default_is_stmt 1 |
//   | line_base 1 | line_range 1 | opcode_base 1 | lengths of standard opcodes, opcode_base - 1 |
//   2-4: | directories: strings, an empty one ends | files: string, dir, time, size; "" ends |
//   5:   | format of directories, directories | format of files, files |
//   | program |
#include "symbolize/dwarf_lines.h"

#include <dwarf.h>

#define OFFSET_SIZE 4u
#define FILES_MAX (1u << 20)

struct file {
    const char *name;
    uint64_t directory;
    const char *path; // put together when first asked for
};

struct hr_dwarf_lines {
    const struct hr_dwarf_unit *unit;
    struct hr_bytes program;
    uint8_t version;
    uint8_t instruction_length;
    int8_t line_base;
    uint8_t line_range;
    uint8_t opcode_base;
    const uint8_t *operand_counts; // of standard opcodes, from opcode 1
    GArray *directories;           // of const char *
    GArray *files;                 // of struct file; as numbered in the unit
};

struct row {
    uint64_t address;
    uint32_t file;
    uint32_t line;
};

struct machine {
    struct hr_dwarf_lines *lines;
    const uint64_t *vaddrs;
    uint32_t count;
    struct hr_dwarf_line *answers;
    struct row row;   // being made
    struct row last;  // emitted before, of the same sequence
    bool in_sequence; // `last` is one
    uint32_t next;    // first vaddr that is not below last.address
};

static void read_old_tables(struct hr_dwarf_lines *lines, struct hr_bytes *bytes)
{
    const char *name = lines->unit->directory;
    g_array_append_val(lines->directories, name); // directory 0
    while ((name = hr_bytes_read_string(bytes)) && *name) {
        g_array_append_val(lines->directories, name);
    }
    struct file file = {0}; // numbered from 1
    g_array_append_val(lines->files, file);
    while ((file.name = hr_bytes_read_string(bytes)) && *file.name) {
        file.directory = hr_bytes_read_uleb(bytes);
        hr_bytes_read_uleb(bytes);
        hr_bytes_read_uleb(bytes);
        g_array_append_val(lines->files, file);
    }
}

// Entry formats are a few pairs; all others are skipped.
#define FORMATS_MAX 255

struct entry_format {
    unsigned count;
    uint64_t content[FORMATS_MAX];
    struct hr_dwarf_attribute forms[FORMATS_MAX];
};

static void read_entry_format(struct entry_format *format, struct hr_bytes *bytes)
{
    format->count = hr_bytes_read_u8(bytes);
    for (unsigned i = 0; i < format->count; i++) {
        format->content[i] = hr_bytes_read_uleb(bytes);
        format->forms[i] = (struct hr_dwarf_attribute){.form = (uint16_t)hr_bytes_read_uleb(bytes)};
    }
}

static struct file read_entry(const struct hr_dwarf_lines *lines, const struct entry_format *format,
                              struct hr_bytes *bytes)
{
    struct file file = {0};
    for (unsigned i = 0; i < format->count; i++) {
        const struct hr_value value = hr_dwarf_read_value(lines->unit, bytes, &format->forms[i]);
        if (format->content[i] == DW_LNCT_path) {
            file.name = hr_dwarf_get_string(lines->unit, &value);
        } else if (format->content[i] == DW_LNCT_directory_index) {
            file.directory = value.number;
        }
    }
    return file;
}

static void read_new_tables(struct hr_dwarf_lines *lines, struct hr_bytes *bytes)
{
    struct entry_format format;
    read_entry_format(&format, bytes);
    const uint64_t directories = hr_bytes_read_uleb(bytes);
    for (uint64_t i = 0; i < directories && !bytes->broken; i++) {
        const struct file entry = read_entry(lines, &format, bytes);
        g_array_append_val(lines->directories, entry.name);
    }
    read_entry_format(&format, bytes);
    const uint64_t files = hr_bytes_read_uleb(bytes);
    bytes->broken |= directories > FILES_MAX || files > FILES_MAX;
    for (uint64_t i = 0; i < files && !bytes->broken; i++) {
        const struct file entry = read_entry(lines, &format, bytes);
        g_array_append_val(lines->files, entry);
    }
}

// Reads everything before the tables. Returns the bytes of the tables.
static struct hr_bytes read_header(struct hr_dwarf_lines *lines, uint64_t offset)
{
    const struct hr_section *section = &lines->unit->sections->line;
    struct hr_bytes bytes = hr_bytes_init(section, offset, section->size);
    const uint64_t length = hr_bytes_read_fixed(&bytes, 4);
    if (bytes.broken || length > hr_bytes_left(&bytes)) {
        bytes.broken = true; // 64-bit DWARF too: its length begins with ones
        return bytes;
    }
    bytes.end = bytes.at + length;
    lines->version = (uint8_t)hr_bytes_read_fixed(&bytes, 2);
    if (lines->version < 2 || lines->version > 5) {
        bytes.broken = true;
        return bytes;
    }
    if (lines->version == 5) {
        hr_bytes_skip(&bytes, 2);
    }
    const uint64_t header_length = hr_bytes_read_fixed(&bytes, OFFSET_SIZE);
    lines->program = bytes;
    hr_bytes_skip(&lines->program, header_length);
    bytes.broken |= lines->program.broken;
    lines->instruction_length = hr_bytes_read_u8(&bytes);
    const uint8_t operations = lines->version >= 4 ? hr_bytes_read_u8(&bytes) : 1;
    hr_bytes_read_u8(&bytes); // default_is_stmt
    lines->line_base = (int8_t)hr_bytes_read_u8(&bytes);
    lines->line_range = hr_bytes_read_u8(&bytes);
    lines->opcode_base = hr_bytes_read_u8(&bytes);
    lines->operand_counts = bytes.at;
    hr_bytes_skip(&bytes, lines->opcode_base > 0 ? lines->opcode_base - 1u : 0);
    bytes.broken |= operations > 1 || lines->line_range == 0 || lines->opcode_base == 0;
    return bytes;
}

struct hr_dwarf_lines *hr_dwarf_lines_new(const struct hr_dwarf_unit *unit)
{
    if (unit->line_offset.class != HR_VALUE_OFFSET) {
        return NULL;
    }
    struct hr_dwarf_lines *lines = g_new0(struct hr_dwarf_lines, 1);
    lines->unit = unit;
    lines->directories = g_array_new(FALSE, FALSE, sizeof(const char *));
    lines->files = g_array_new(FALSE, FALSE, sizeof(struct file));
    struct hr_bytes bytes = read_header(lines, unit->line_offset.number);
    if (!bytes.broken && lines->version == 5) {
        read_new_tables(lines, &bytes);
    } else if (!bytes.broken) {
        read_old_tables(lines, &bytes);
    }
    if (bytes.broken) {
        hr_dwarf_lines_free(lines);
        return NULL;
    }
    return lines;
}

void hr_dwarf_lines_free(struct hr_dwarf_lines *lines)
{
    if (lines) {
        g_array_unref(lines->directories);
        g_array_unref(lines->files);
        g_free(lines);
    }
}

static uint32_t find_first(const struct machine *machine, uint64_t address)
{
    uint32_t low = 0;
    uint32_t high = machine->count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (machine->vaddrs[middle] < address) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

// The row before covers the addresses up to this one. Of rows with one address the last counts.
static inline void emit_row(struct machine *machine, bool ends_sequence)
{
    const uint64_t address = machine->row.address;
    if (!machine->in_sequence || address < machine->last.address) {
        machine->next = find_first(machine, address);
    }
    while (machine->next < machine->count && machine->vaddrs[machine->next] < address) {
        struct hr_dwarf_line *answer = &machine->answers[machine->next++];
        if (answer->file == HR_NO_FILE) {
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
        if (length != 9) {
            bytes->broken = true; // another address size: libdw's
        }
        machine->row.address = hr_bytes_read_fixed(&operands, 8);
        break;
    default: // DW_LNE_define_file is of DWARF 3; discriminators and vendors' own change no row
        break;
    }
}

static void run_standard(struct machine *machine, struct hr_bytes *bytes, uint8_t opcode)
{
    const struct hr_dwarf_lines *lines = machine->lines;
    switch (opcode) {
    case DW_LNS_copy:
        emit_row(machine, false);
        break;
    case DW_LNS_advance_pc:
        machine->row.address += hr_bytes_read_uleb(bytes) * lines->instruction_length;
        break;
    case DW_LNS_advance_line:
        machine->row.line += (uint32_t)hr_bytes_read_sleb(bytes);
        break;
    case DW_LNS_set_file:
        machine->row.file = (uint32_t)hr_bytes_read_uleb(bytes);
        break;
    case DW_LNS_const_add_pc:
        machine->row.address +=
            (uint64_t)((255 - lines->opcode_base) / lines->line_range) * lines->instruction_length;
        break;
    case DW_LNS_fixed_advance_pc:
        machine->row.address += hr_bytes_read_fixed(bytes, 2);
        break;
    default: // columns, flags, and opcodes to come
        for (uint8_t i = 0; i < lines->operand_counts[opcode - 1]; i++) {
            hr_bytes_read_uleb(bytes);
        }
    }
}

bool hr_dwarf_lines_run(struct hr_dwarf_lines *lines, const uint64_t *vaddrs, uint32_t count,
                        struct hr_dwarf_line *answers, uint64_t *budget)
{
    struct machine machine = {
        .lines = lines,
        .vaddrs = vaddrs,
        .count = count,
        .answers = answers,
        .row = {.file = 1, .line = 1},
    };
    for (uint32_t i = 0; i < count; i++) {
        answers[i] = (struct hr_dwarf_line){HR_NO_FILE, 0};
    }
    struct hr_bytes bytes = lines->program;
    if (hr_bytes_left(&bytes) > *budget) {
        return false;
    }
    *budget -= hr_bytes_left(&bytes);
    while (bytes.at < bytes.end && !bytes.broken) {
        const uint8_t opcode = *bytes.at++;
        if (opcode >= lines->opcode_base) {
            const uint8_t step = opcode - lines->opcode_base;
            machine.row.address += (uint64_t)(step / lines->line_range) * lines->instruction_length;
            machine.row.line += (uint32_t)(lines->line_base + step % lines->line_range);
            emit_row(&machine, false);
        } else if (opcode == 0) {
            run_extended(&machine, &bytes);
        } else {
            run_standard(&machine, &bytes, opcode);
        }
    }
    return !bytes.broken;
}

static const char *find_directory(const struct hr_dwarf_lines *lines, uint64_t index)
{
    return index < lines->directories->len ? g_array_index(lines->directories, const char *, index)
                                           : NULL;
}

const char *hr_dwarf_lines_get_path(struct hr_dwarf_lines *lines, uint64_t number,
                                    struct hr_arena *arena)
{
    if (number >= lines->files->len) {
        return NULL;
    }
    struct file *file = &g_array_index(lines->files, struct file, number);
    if (file->path || !file->name || !*file->name) {
        return file->path;
    }
    const char *directory = find_directory(lines, file->directory);
    const char *base = lines->unit->directory;
    if (file->name[0] == '/' || !directory || !*directory) {
        file->path = file->name;
    } else if (directory[0] == '/' || !base || file->directory == 0) {
        file->path = hr_arena_printf(arena, "%s/%s", directory, file->name);
    } else {
        file->path = hr_arena_printf(arena, "%s/%s/%s", base, directory, file->name);
    }
    return file->path;
}
