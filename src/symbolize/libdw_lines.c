// SPDX-License-Identifier: MIT
#include "symbolize/libdw_lines.h"

#include "symbolize/dwarf_lines.h"
#include "symbolize/dwarf_load.h"

#include <dwarf.h>

struct hr_libdw_lines {
    const struct hr_object *holder;
    struct hr_lookup *lookup;
    struct hr_dwarf_sections sections; // loaded when the first unit needs them
    uint64_t budget;                   // bytes of line programs that the own reader may run
    bool asked, readable;              // the sections

    Dwarf_Die unit;
    Dwarf_Files *files;
    bool mixed; // with rows of code that was dropped
    struct hr_dwarf_unit own;
    struct hr_dwarf_line_table *table; // of a mixed unit, NULL when it cannot be read
    struct hr_dwarf_line *rows;        // by query
};

struct hr_libdw_lines *hr_libdw_lines_new(const struct hr_object *holder, struct hr_lookup *lookup)
{
    struct hr_libdw_lines *lines = g_new0(struct hr_libdw_lines, 1);
    lines->holder = holder;
    lines->lookup = lookup;
    return lines;
}

void hr_libdw_lines_free(struct hr_libdw_lines *lines)
{
    hr_dwarf_line_table_free(lines->table);
    g_free(lines->rows);
    g_free(lines);
}

static const char *find_string(Dwarf_Die *die, unsigned attribute)
{
    Dwarf_Attribute found;
    return dwarf_formstring(dwarf_attr(die, attribute, &found));
}

// Rows are sorted: dropped ones, from 0 up, come first.
static bool is_mixed(const struct hr_libdw_lines *lines, Dwarf_Lines *rows, size_t count)
{
    Dwarf_Addr first = 0;
    return count > 0 && dwarf_lineaddr(dwarf_onesrcline(rows, 0), &first) == 0 &&
           !hr_code_holds(lines->lookup->code, first);
}

// False when it cannot be read.
static bool run_program(struct hr_libdw_lines *lines)
{
    Dwarf_Attribute found;
    Dwarf_Word offset = 0;
    const uint32_t count = lines->lookup->count;
    if (!lines->asked) {
        lines->asked = true;
        lines->readable = hr_dwarf_load_lines(lines->holder, &lines->sections);
        lines->budget = 16 * (uint64_t)lines->sections.line.size + 65536;
        lines->rows = g_new(struct hr_dwarf_line, count + 1);
    }
    if (!lines->readable ||
        dwarf_formudata(dwarf_attr(&lines->unit, DW_AT_stmt_list, &found), &offset) != 0) {
        return false;
    }
    lines->own = (struct hr_dwarf_unit){.sections = &lines->sections,
                                        .version = 5,
                                        .line_offset = {HR_VALUE_OFFSET, offset, NULL},
                                        .directory = find_string(&lines->unit, DW_AT_comp_dir),
                                        .str_offsets_base = HR_NO_OFFSET};
    lines->table = hr_dwarf_line_table_new(&lines->own);
    return lines->table &&
           hr_dwarf_lines_run(lines->table, lines->lookup->code, lines->lookup->vaddrs, count,
                              lines->rows, &lines->budget);
}

void hr_libdw_lines_begin(struct hr_libdw_lines *lines, const Dwarf_Die *unit)
{
    Dwarf_Lines *rows = NULL;
    size_t count = 0;
    lines->unit = *unit;
    if (dwarf_getsrcfiles(&lines->unit, &lines->files, &count) != 0) {
        lines->files = NULL;
    }
    hr_dwarf_line_table_free(lines->table);
    lines->table = NULL;
    bool good = dwarf_getsrclines(&lines->unit, &rows, &count) == 0 ||
                !dwarf_hasattr(&lines->unit, DW_AT_stmt_list);
    lines->mixed = is_mixed(lines, rows, count);
    if (lines->mixed) {
        good = run_program(lines);
    }
    lines->lookup->broken_lines += !good;
}

// Paths are relative to where the unit was compiled; NULL stays NULL.
static const char *make_absolute(struct hr_libdw_lines *lines, const char *path)
{
    const char *directory = path ? find_string(&lines->unit, DW_AT_comp_dir) : NULL;
    if (!path || path[0] == '/' || !directory) {
        return path;
    }
    return hr_arena_printf(lines->lookup->arena, "%s/%s", directory, path);
}

void hr_libdw_lines_get(struct hr_libdw_lines *lines, uint32_t query, struct hr_lookup_frame *frame)
{
    if (lines->mixed) {
        const struct hr_dwarf_line *row = lines->table ? &lines->rows[query] : NULL;
        if (row && row->file != HR_NO_FILE) {
            frame->file =
                hr_dwarf_line_table_get_path(lines->table, row->file, lines->lookup->arena);
            frame->line = row->line;
        }
        return;
    }
    Dwarf_Line *line = dwarf_getsrc_die(&lines->unit, lines->lookup->vaddrs[query]);
    int number = 0;
    if (line && dwarf_lineno(line, &number) == 0) {
        frame->file = make_absolute(lines, dwarf_linesrc(line, NULL, NULL));
        frame->line = number > 0 ? (unsigned)number : 0;
    }
}

// Files are numbered from 1 before DWARF 5, and from 0 since.
const char *hr_libdw_lines_get_call_file(struct hr_libdw_lines *lines, Dwarf_Die *die)
{
    Dwarf_Attribute found;
    Dwarf_Word file = 0;
    Dwarf_Half version = 0;
    if (!lines->files || !dwarf_attr(die, DW_AT_call_file, &found) ||
        dwarf_formudata(&found, &file) != 0 ||
        dwarf_cu_info(die->cu, &version, NULL, NULL, NULL, NULL, NULL, NULL) != 0) {
        return NULL;
    }
    return file > 0 || version >= 5
               ? make_absolute(lines, dwarf_filesrc(lines->files, file, NULL, NULL))
               : NULL;
}
