// SPDX-License-Identifier: MIT
// .debug_line, 32-bit DWARF:
//   | length 4 | version 2 | (5: address_size 1, selector_size 1) | header_length 4 |
//   | minimum_instruction_length 1 | (4, 5: maximum_operations 1) | default_is_stmt 1 |
//   | line_base 1 | line_range 1 | opcode_base 1 | lengths of standard opcodes, opcode_base - 1 |
//   2-4: | directories: strings, an empty one ends | files: string, dir, time, size; "" ends |
//   5:   | format of directories, directories | format of files, files |
//   | program |
#include "symbolize/dwarf_line_table.h"

#include <dwarf.h>

#define OFFSET_SIZE 4u
#define FILES_MAX (1u << 20)

struct file {
    const char *name;
    uint64_t directory;
    const char *path; // put together when first asked for
};

static void read_old_tables(struct hr_dwarf_line_table *table, struct hr_bytes *bytes)
{
    const char *name = table->unit->directory;
    g_array_append_val(table->directories, name); // directory 0
    while ((name = hr_bytes_read_string(bytes)) && *name) {
        g_array_append_val(table->directories, name);
    }
    struct file file = {0}; // numbered from 1
    g_array_append_val(table->files, file);
    while ((file.name = hr_bytes_read_string(bytes)) && *file.name) {
        file.directory = hr_bytes_read_uleb(bytes);
        hr_bytes_read_uleb(bytes);
        hr_bytes_read_uleb(bytes);
        g_array_append_val(table->files, file);
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
        const uint16_t form = (uint16_t)hr_bytes_read_uleb(bytes);
        format->forms[i] =
            (struct hr_dwarf_attribute){.form = form, .size = hr_dwarf_form_measure(form)};
    }
}

static struct file read_entry(const struct hr_dwarf_line_table *table,
                              const struct entry_format *format, struct hr_bytes *bytes)
{
    struct file file = {0};
    for (unsigned i = 0; i < format->count; i++) {
        const struct hr_value value = hr_dwarf_read_value(table->unit, bytes, &format->forms[i]);
        if (format->content[i] == DW_LNCT_path) {
            file.name = hr_dwarf_get_string(table->unit, &value);
        } else if (format->content[i] == DW_LNCT_directory_index) {
            file.directory = value.number;
        }
    }
    return file;
}

static void read_new_tables(struct hr_dwarf_line_table *table, struct hr_bytes *bytes)
{
    struct entry_format format;
    read_entry_format(&format, bytes);
    const uint64_t directories = hr_bytes_read_uleb(bytes);
    for (uint64_t i = 0; i < directories && !bytes->broken; i++) {
        const struct file entry = read_entry(table, &format, bytes);
        g_array_append_val(table->directories, entry.name);
    }
    read_entry_format(&format, bytes);
    const uint64_t files = hr_bytes_read_uleb(bytes);
    bytes->broken |= directories > FILES_MAX || files > FILES_MAX;
    for (uint64_t i = 0; i < files && !bytes->broken; i++) {
        const struct file entry = read_entry(table, &format, bytes);
        g_array_append_val(table->files, entry);
    }
}

// Reads everything before the tables. Returns the bytes of the tables.
static struct hr_bytes read_header(struct hr_dwarf_line_table *table, uint64_t offset)
{
    const struct hr_section *section = &table->unit->sections->line;
    struct hr_bytes bytes = hr_bytes_init(section, offset, section->size);
    const uint64_t length = hr_bytes_read_fixed(&bytes, 4);
    if (bytes.broken || length > hr_bytes_left(&bytes)) {
        bytes.broken = true; // 64-bit DWARF too: its length begins with ones
        return bytes;
    }
    bytes.end = bytes.at + length;
    table->version = (uint8_t)hr_bytes_read_fixed(&bytes, 2);
    if (table->version < 2 || table->version > 5) {
        bytes.broken = true;
        return bytes;
    }
    if (table->version == 5) {
        hr_bytes_skip(&bytes, 2);
    }
    const uint64_t header_length = hr_bytes_read_fixed(&bytes, OFFSET_SIZE);
    table->program = bytes;
    hr_bytes_skip(&table->program, header_length);
    bytes.broken |= table->program.broken;
    table->instruction_length = hr_bytes_read_u8(&bytes);
    const uint8_t operations = table->version >= 4 ? hr_bytes_read_u8(&bytes) : 1;
    hr_bytes_read_u8(&bytes); // default_is_stmt
    table->line_base = (int8_t)hr_bytes_read_u8(&bytes);
    table->line_range = hr_bytes_read_u8(&bytes);
    table->opcode_base = hr_bytes_read_u8(&bytes);
    table->operand_counts = bytes.at;
    hr_bytes_skip(&bytes, table->opcode_base > 0 ? table->opcode_base - 1u : 0);
    bytes.broken |= operations > 1 || table->line_range == 0 || table->opcode_base == 0;
    return bytes;
}

struct hr_dwarf_line_table *hr_dwarf_line_table_new(const struct hr_dwarf_unit *unit)
{
    if (unit->line_offset.class != HR_VALUE_OFFSET) {
        return NULL;
    }
    struct hr_dwarf_line_table *table = g_new0(struct hr_dwarf_line_table, 1);
    table->unit = unit;
    table->directories = g_array_new(FALSE, FALSE, sizeof(const char *));
    table->files = g_array_new(FALSE, FALSE, sizeof(struct file));
    struct hr_bytes bytes = read_header(table, unit->line_offset.number);
    if (!bytes.broken && table->version == 5) {
        read_new_tables(table, &bytes);
    } else if (!bytes.broken) {
        read_old_tables(table, &bytes);
    }
    if (bytes.broken) {
        hr_dwarf_line_table_free(table);
        return NULL;
    }
    return table;
}

void hr_dwarf_line_table_free(struct hr_dwarf_line_table *table)
{
    if (table) {
        g_array_unref(table->directories);
        g_array_unref(table->files);
        g_free(table);
    }
}

static const char *find_directory(const struct hr_dwarf_line_table *table, uint64_t index)
{
    return index < table->directories->len ? g_array_index(table->directories, const char *, index)
                                           : NULL;
}

const char *hr_dwarf_line_table_get_path(struct hr_dwarf_line_table *table, uint64_t number,
                                         struct hr_arena *arena)
{
    if (number >= table->files->len) {
        return NULL;
    }
    struct file *file = &g_array_index(table->files, struct file, number);
    if (file->path || !file->name || !*file->name) {
        return file->path;
    }
    const char *directory = find_directory(table, file->directory);
    const char *base = table->unit->directory;
    if (file->name[0] == '/' || !directory || !*directory) {
        file->path = file->name;
    } else if (directory[0] == '/' || !base || file->directory == 0) {
        file->path = hr_arena_printf(arena, "%s/%s", directory, file->name);
    } else {
        file->path = hr_arena_printf(arena, "%s/%s/%s", base, directory, file->name);
    }
    return file->path;
}
