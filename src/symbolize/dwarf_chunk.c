// SPDX-License-Identifier: MIT
#include "symbolize/dwarf_chunk.h"

#include "symbolize/dwarf_lines.h"

// A bound for made-up input: real chains of inlined calls are some 60 long.
#define CHAIN_MAX 512

static uint32_t get_number(const struct hr_value *value)
{
    return value->class == HR_VALUE_CONSTANT && value->number <= UINT32_MAX
               ? (uint32_t)value->number
               : 0;
}

// Reads what a function is called and where it was inlined, once. False when libdw has to be asked.
static bool describe(struct hr_dwarf_chunk *chunk, struct hr_dwarf_function *function,
                     struct hr_dwarf_line_table *table)
{
    struct hr_dwarf_details details;
    if (function->name) {
        return !function->name->foreign;
    }
    function->name = hr_dwarf_names_get(chunk->names, chunk->walk.unit, function->die);
    if (function->name->foreign ||
        !hr_dwarf_details_read(chunk->walk.unit, function->die, &details)) {
        return false;
    }
    function->call_line = get_number(&details.call_line);
    if (table && details.call_file.class != HR_VALUE_NONE) {
        function->call_path =
            hr_dwarf_line_table_get_path(table, get_number(&details.call_file), chunk->arena);
    }
    return true;
}

// Appends the chain of a function, each outer frame where the inner one was called. False when
// libdw has to be asked.
static bool append_chain(struct hr_dwarf_chunk *chunk, uint32_t at, struct hr_lookup_frame frame,
                         struct hr_dwarf_line_table *table)
{
    for (unsigned length = 0; at != HR_NO_FUNCTION && length < CHAIN_MAX; length++) {
        struct hr_dwarf_function *function =
            &g_array_index(chunk->walk.functions, struct hr_dwarf_function, at);
        if (!describe(chunk, function, table)) {
            return false;
        }
        frame.linkage_name = function->name->linkage_name;
        frame.name = function->name->name;
        frame.qualified_name = function->name->qualified_name;
        frame.inlined = function->caller != HR_NO_FUNCTION;
        g_array_append_val(chunk->frames, frame);
        frame.file = function->call_path;
        frame.line = function->call_line;
        at = function->caller;
    }
    return true;
}

// Answers the vaddr at `index` of those asked of the unit.
static void answer(struct hr_dwarf_chunk *chunk, uint32_t index, struct hr_dwarf_line_table *table,
                   const struct hr_dwarf_line *line)
{
    const uint32_t query = chunk->queries[chunk->at + index];
    const uint32_t function = chunk->walk.innermost[index];
    struct hr_lookup_answer *answer = &chunk->lookup->answers[query];
    struct hr_lookup_frame frame = {0};
    if (table && line->file != HR_NO_FILE) {
        frame.file = hr_dwarf_line_table_get_path(table, line->file, chunk->arena);
        frame.line = line->line;
    }
    answer->first_frame = chunk->frames->len;
    if (function == HR_NO_FUNCTION && !frame.file) {
        return;
    }
    if (function == HR_NO_FUNCTION) {
        g_array_append_val(chunk->frames, frame); // assembler: lines, but no functions
    } else if (!append_chain(chunk, function, frame, table)) {
        g_array_set_size(chunk->frames, answer->first_frame);
        chunk->left[query] = true;
    }
    answer->frame_count = chunk->frames->len - answer->first_frame;
}

// False when libdw has to be asked for all of them.
static bool answer_all(struct hr_dwarf_chunk *chunk)
{
    HR_AUTO(hr_dwarf_line_table) table = hr_dwarf_line_table_new(chunk->unit);
    g_autofree struct hr_dwarf_line *rows = g_new0(struct hr_dwarf_line, chunk->walk.count);
    if (!table && chunk->unit->line_offset.class != HR_VALUE_NONE) {
        return false;
    }
    if (table && !hr_dwarf_lines_run(table, chunk->lookup->code, chunk->walk.vaddrs,
                                     chunk->walk.count, rows, &chunk->line_budget)) {
        return false;
    }
    for (uint32_t i = 0; i < chunk->walk.count; i++) {
        answer(chunk, i, table, &rows[i]);
    }
    return true;
}

// Reads a unit for `count` vaddrs from the one at chunk->at on.
static void read_unit(struct hr_dwarf_chunk *chunk, const struct hr_dwarf_unit *unit,
                      uint32_t count)
{
    g_autofree uint32_t *innermost = g_new(uint32_t, count);
    g_autofree uint32_t *outermost = g_new(uint32_t, count);
    chunk->unit = unit;
    chunk->walk.vaddrs = chunk->vaddrs + chunk->at;
    chunk->walk.count = count;
    chunk->walk.queries = chunk->queries + chunk->at;
    chunk->walk.claims = chunk->claims;
    chunk->walk.innermost = innermost;
    chunk->walk.outermost = outermost;
    const bool good = hr_dwarf_units_prepare(chunk->units, unit);
    chunk->walk.unit = unit->split ? unit->split : unit;
    if (!good || !hr_dwarf_functions_walk(&chunk->walk) || !answer_all(chunk)) {
        for (uint32_t i = 0; i < count; i++) {
            chunk->left[chunk->queries[chunk->at + i]] = true;
        }
    }
}

static void init_chunk(struct hr_dwarf_chunk *chunk)
{
    const struct hr_dwarf_sections *sections = &chunk->units->sections;
    chunk->frames = g_array_new(FALSE, FALSE, sizeof(struct hr_lookup_frame));
    chunk->arena = hr_arena_new();
    chunk->names =
        hr_dwarf_names_new(chunk->units, chunk->arena, 2 * (uint64_t)sections->info.size + 65536);
    // Each DIE has at least two bytes and real ones a few ranges; each vaddr lies in some tens of
    // nested functions.
    chunk->cover_budget = 4 * (uint64_t)sections->info.size + 4096 * (uint64_t)chunk->count + 65536;
    chunk->line_budget = 16 * (uint64_t)sections->line.size + 65536;
    chunk->walk.budget = &chunk->cover_budget;
    chunk->walk.functions = g_array_new(FALSE, FALSE, sizeof(struct hr_dwarf_function));
}

// What was found stays.
static void clear_chunk(struct hr_dwarf_chunk *chunk)
{
    hr_dwarf_names_free(chunk->names);
    g_array_unref(chunk->walk.functions);
}

void hr_dwarf_chunk_read(struct hr_dwarf_chunk *chunk)
{
    init_chunk(chunk);
    if (chunk->single) {
        read_unit(chunk, chunk->single, chunk->count);
        chunk->at = chunk->count;
    }
    while (chunk->at < chunk->count) {
        const uint32_t unit = chunk->claims[chunk->queries[chunk->at]].unit;
        uint32_t count = 1;
        while (chunk->at + count < chunk->count &&
               chunk->claims[chunk->queries[chunk->at + count]].unit == unit) {
            count++;
        }
        read_unit(chunk, hr_dwarf_units_get(chunk->units, unit), count);
        chunk->at += count;
    }
    clear_chunk(chunk);
}

void hr_dwarf_chunk_take(struct hr_dwarf_chunk *chunk)
{
    struct hr_lookup *lookup = chunk->lookup;
    for (uint32_t i = 0; i < chunk->count; i++) {
        lookup->answers[chunk->queries[i]].first_frame += lookup->frames->len;
    }
    g_array_append_vals(lookup->frames, chunk->frames->data, chunk->frames->len);
    g_array_unref(chunk->frames);
    hr_lookup_take_arena(lookup, chunk->arena);
}
