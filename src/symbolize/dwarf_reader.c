// SPDX-License-Identifier: MIT
#include "symbolize/dwarf_reader.h"

#include "symbolize/dwarf_functions.h"
#include "symbolize/dwarf_lines.h"
#include "symbolize/dwarf_load.h"
#include "symbolize/dwarf_names.h"

#include <dwarf.h>

// A bound for made-up input: real chains of inlined calls are some 60 long.
#define CHAIN_MAX 512

#define NO_UNIT UINT32_MAX

struct reader {
    struct hr_dwarf_sections sections;
    struct hr_lookup *lookup;
    bool *left;
    GArray *units;       // of struct hr_dwarf_unit, by offset
    GHashTable *abbrevs; // offset -> struct hr_dwarf_abbrevs
    struct hr_dwarf_names *names;
    uint32_t *unit_of;     // per vaddr: index in units, NO_UNIT
    uint64_t cover_budget; // steps over vaddrs and range entries
    uint64_t line_budget;  // bytes of line programs

    // The unit being read and the vaddrs asked of it.
    struct hr_dwarf_unit *unit;
    GArray *queries; // of uint32_t: index in lookup->vaddrs
    struct hr_dwarf_functions walk;
};

static const struct hr_dwarf_abbrevs *get_abbrevs(struct reader *reader, uint64_t offset)
{
    gpointer key = (gpointer)(uintptr_t)(offset + 1);
    struct hr_dwarf_abbrevs *found = g_hash_table_lookup(reader->abbrevs, key);
    if (!found) {
        found = hr_dwarf_abbrevs_new(&reader->sections.abbrev, offset);
        g_hash_table_insert(reader->abbrevs, key, found);
    }
    return found;
}

static struct hr_dwarf_unit *get_unit(struct reader *reader, uint32_t index)
{
    return &g_array_index(reader->units, struct hr_dwarf_unit, index);
}

static void collect_units(struct reader *reader)
{
    uint64_t offset = 0;
    while (offset < reader->sections.info.size) {
        struct hr_dwarf_unit unit;
        offset = hr_dwarf_unit_init(&unit, &reader->sections, offset);
        if (offset == HR_NO_OFFSET) {
            reader->lookup->broken_units++;
            return;
        }
        if (unit.supported) {
            hr_dwarf_unit_read_root(&unit, get_abbrevs(reader, unit.abbrev_offset));
        }
        g_array_append_val(reader->units, unit);
    }
}

// Gives each vaddr in the unit's ranges to the unit.
static void claim_vaddrs(struct reader *reader, uint32_t index)
{
    struct hr_lookup *lookup = reader->lookup;
    const struct hr_dwarf_unit *unit = get_unit(reader, index);
    struct hr_dwarf_ranges ranges =
        hr_dwarf_ranges_init(unit, &unit->low, &unit->high, &unit->ranges);
    uint64_t start;
    uint64_t end;
    while (reader->cover_budget > 0 && hr_dwarf_ranges_next(&ranges, &start, &end)) {
        reader->cover_budget--;
        for (uint32_t i = hr_lookup_find_first(lookup, start);
             i < lookup->count && lookup->vaddrs[i] < end && reader->cover_budget > 0; i++) {
            reader->unit_of[i] = index;
            reader->cover_budget--;
        }
    }
    lookup->broken_units += ranges.broken;
}

// What no supported unit claims is libdw's, if there is a unit that only libdw can read.
static void assign_units(struct reader *reader)
{
    bool unsupported = false;
    for (uint32_t i = reader->units->len; i-- > 0;) { // the first that claims a vaddr wins
        const struct hr_dwarf_unit *unit = get_unit(reader, i);
        if (unit->supported && unit->type == DW_UT_compile) {
            claim_vaddrs(reader, i);
        }
        unsupported |= !unit->supported && unit->type != DW_UT_type;
    }
    for (uint32_t i = 0; i < reader->lookup->count; i++) {
        reader->left[i] = unsupported && reader->unit_of[i] == NO_UNIT;
    }
}

static uint32_t get_number(const struct hr_value *value)
{
    return value->class == HR_VALUE_CONSTANT && value->number <= UINT32_MAX
               ? (uint32_t)value->number
               : 0;
}

// Reads what a function is called and where it was inlined, once. False when libdw has to be asked.
static bool describe(struct reader *reader, struct hr_dwarf_function *function,
                     struct hr_dwarf_lines *lines)
{
    struct hr_dwarf_details details;
    if (function->name) {
        return !function->name->foreign;
    }
    function->name = hr_dwarf_names_get(reader->names, function->die);
    if (function->name->foreign || !hr_dwarf_details_read(reader->unit, function->die, &details)) {
        return false;
    }
    function->call_line = get_number(&details.call_line);
    if (lines && details.call_file.class != HR_VALUE_NONE) {
        function->call_path =
            hr_dwarf_lines_get_path(lines, get_number(&details.call_file), reader->lookup->arena);
    }
    return true;
}

// Appends the chain of a function, each outer frame where the inner one was called. False when
// libdw has to be asked.
static bool append_chain(struct reader *reader, uint32_t at, struct hr_lookup_frame frame,
                         struct hr_dwarf_lines *lines)
{
    for (unsigned length = 0; at != HR_NO_FUNCTION && length < CHAIN_MAX; length++) {
        struct hr_dwarf_function *function =
            &g_array_index(reader->walk.functions, struct hr_dwarf_function, at);
        if (!describe(reader, function, lines)) {
            return false;
        }
        frame.linkage_name = function->name->linkage_name;
        frame.name = function->name->name;
        frame.qualified_name = function->name->qualified_name;
        frame.inlined = function->caller != HR_NO_FUNCTION;
        g_array_append_val(reader->lookup->frames, frame);
        frame.file = function->call_path;
        frame.line = function->call_line;
        at = function->caller;
    }
    return true;
}

static void answer(struct reader *reader, uint32_t index, struct hr_dwarf_lines *lines,
                   const struct hr_dwarf_line *line)
{
    struct hr_lookup *lookup = reader->lookup;
    const uint32_t query = g_array_index(reader->queries, uint32_t, index);
    const uint32_t function = g_array_index(reader->walk.innermost, uint32_t, index);
    struct hr_lookup_answer *answer = &lookup->answers[query];
    struct hr_lookup_frame frame = {0};
    if (lines && line->file != HR_NO_FILE) {
        frame.file = hr_dwarf_lines_get_path(lines, line->file, lookup->arena);
        frame.line = line->line;
    }
    answer->first_frame = lookup->frames->len;
    if (function == HR_NO_FUNCTION && !frame.file) {
        return;
    }
    if (function == HR_NO_FUNCTION) {
        g_array_append_val(lookup->frames, frame); // assembler: lines, but no functions
    } else if (!append_chain(reader, function, frame, lines)) {
        g_array_set_size(lookup->frames, answer->first_frame);
        reader->left[query] = true;
    }
    answer->frame_count = lookup->frames->len - answer->first_frame;
}

static void read_lines(struct reader *reader)
{
    struct hr_dwarf_lines *lines = hr_dwarf_lines_new(reader->unit);
    g_autofree struct hr_dwarf_line *rows =
        g_new0(struct hr_dwarf_line, reader->walk.vaddrs->len + 1);
    bool complete = lines || reader->unit->line_offset.class == HR_VALUE_NONE;
    if (lines) {
        complete =
            hr_dwarf_lines_run(lines, (const uint64_t *)(const void *)reader->walk.vaddrs->data,
                               reader->walk.vaddrs->len, rows, &reader->line_budget);
    }
    for (uint32_t i = 0; i < reader->queries->len; i++) {
        if (complete) {
            answer(reader, i, lines, &rows[i]);
        } else {
            reader->left[g_array_index(reader->queries, uint32_t, i)] = true;
        }
    }
    hr_dwarf_lines_free(lines);
}

static void read_unit(struct reader *reader, uint32_t index, const GArray *queries)
{
    reader->unit = get_unit(reader, index);
    g_array_set_size(reader->queries, 0);
    hr_dwarf_functions_begin(&reader->walk, reader->unit);
    for (guint i = 0; i < queries->len; i++) {
        const uint32_t query = g_array_index(queries, uint32_t, i);
        g_array_append_val(reader->queries, query);
        hr_dwarf_functions_ask(&reader->walk, reader->lookup->vaddrs[query]);
    }
    if (!hr_dwarf_functions_walk(&reader->walk)) {
        for (guint i = 0; i < queries->len; i++) {
            reader->left[g_array_index(queries, uint32_t, i)] = true;
        }
        return;
    }
    read_lines(reader);
}

// Reads each unit that was given vaddrs, once.
static void read_units(struct reader *reader)
{
    g_autofree GArray **queries_of = g_new0(GArray *, reader->units->len + 1);
    for (uint32_t i = 0; i < reader->lookup->count; i++) {
        const uint32_t unit = reader->unit_of[i];
        if (unit == NO_UNIT) {
            continue;
        }
        if (!queries_of[unit]) {
            queries_of[unit] = g_array_new(FALSE, FALSE, sizeof(uint32_t));
        }
        g_array_append_val(queries_of[unit], i);
    }
    for (uint32_t i = 0; i < reader->units->len; i++) {
        if (queries_of[i]) {
            read_unit(reader, i, queries_of[i]);
            g_array_unref(queries_of[i]);
        }
    }
}

static bool is_without_ranges(const struct hr_dwarf_unit *unit)
{
    return unit->supported && unit->type == DW_UT_compile && unit->low.class == HR_VALUE_NONE &&
           unit->ranges.class == HR_VALUE_NONE;
}

// Some producers do not tell a unit's ranges: what no other unit claims is looked for in these.
static void read_units_without_ranges(struct reader *reader)
{
    for (uint32_t i = 0; i < reader->units->len; i++) {
        if (!is_without_ranges(get_unit(reader, i))) {
            continue;
        }
        g_autoptr(GArray) queries = g_array_new(FALSE, FALSE, sizeof(uint32_t));
        for (uint32_t query = 0; query < reader->lookup->count; query++) {
            if (reader->unit_of[query] == NO_UNIT && !reader->left[query] &&
                reader->lookup->answers[query].frame_count == 0) {
                g_array_append_val(queries, query);
            }
        }
        if (queries->len == 0) {
            return;
        }
        read_unit(reader, i, queries);
    }
}

static void free_abbrevs(gpointer abbrevs)
{
    hr_dwarf_abbrevs_free(abbrevs);
}

static void init_reader(struct reader *reader, struct hr_lookup *lookup, bool *left)
{
    reader->lookup = lookup;
    reader->left = left;
    reader->units = g_array_new(FALSE, FALSE, sizeof(struct hr_dwarf_unit));
    reader->abbrevs = g_hash_table_new_full(g_direct_hash, g_direct_equal, NULL, free_abbrevs);
    reader->names = hr_dwarf_names_new(reader->units, lookup->arena,
                                       2 * (uint64_t)reader->sections.info.size + 65536);
    reader->unit_of = g_new(uint32_t, lookup->count + 1);
    reader->queries = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    hr_dwarf_functions_init(&reader->walk, &reader->cover_budget);
    for (uint32_t i = 0; i < lookup->count; i++) {
        reader->unit_of[i] = NO_UNIT;
    }
    // Each DIE has at least two bytes and real ones a few ranges; each vaddr lies in some tens of
    // nested functions.
    reader->cover_budget =
        4 * (uint64_t)reader->sections.info.size + 4096 * (uint64_t)lookup->count + 65536;
    reader->line_budget = 16 * (uint64_t)reader->sections.line.size + 65536;
}

static void clear_reader(struct reader *reader)
{
    g_array_unref(reader->units);
    g_hash_table_unref(reader->abbrevs);
    hr_dwarf_names_free(reader->names);
    g_free(reader->unit_of);
    g_array_unref(reader->queries);
    hr_dwarf_functions_clear(&reader->walk);
}

bool hr_dwarf_read(const struct hr_object *holder, struct hr_lookup *lookup, bool *left)
{
    struct reader reader = {0};
    if (!hr_dwarf_load(holder, &reader.sections)) {
        return false;
    }
    init_reader(&reader, lookup, left);
    collect_units(&reader);
    assign_units(&reader);
    read_units(&reader);
    read_units_without_ranges(&reader);
    clear_reader(&reader);
    return true;
}
