// SPDX-License-Identifier: MIT
#include "symbolize/dwarf_reader.h"

#include "symbolize/dwarf_lines.h"
#include "symbolize/dwarf_load.h"

#include <dwarf.h>

// Bounds for made-up input: real debug data nest some 60 deep and follow 3 origins.
#define DEPTH_MAX 1024
#define ORIGINS_MAX 16
#define CHAIN_MAX 512

#define NO_FUNCTION UINT32_MAX
#define NO_UNIT UINT32_MAX

struct name {
    const char *linkage_name;
    const char *name;
    bool foreign; // only libdw can reach it
};

struct function {
    uint64_t die;            // offset in .debug_info
    const struct name *name; // NULL until asked for; then the call is read too
    const char *call_path;
    uint32_t call_line;
    uint32_t caller; // function this one was inlined into, NO_FUNCTION when it was not
};

struct reader {
    struct hr_dwarf_sections sections;
    struct hr_lookup *lookup;
    bool *left;
    GArray *units;         // of struct hr_dwarf_unit, by offset
    GHashTable *abbrevs;   // offset -> struct hr_dwarf_abbrevs
    GHashTable *names;     // DIE offset -> struct name
    uint32_t *unit_of;     // per vaddr: index in units, NO_UNIT
    uint64_t cover_budget; // steps over vaddrs and range entries
    uint64_t line_budget;  // bytes of line programs

    // The unit being read and the vaddrs asked of it.
    struct hr_dwarf_unit *unit;
    GArray *queries;   // of uint32_t: index in lookup->vaddrs
    GArray *vaddrs;    // of uint64_t
    GArray *innermost; // of uint32_t: index in functions
    GArray *functions; // of struct function
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

static uint32_t find_first_query(const struct reader *reader, uint64_t vaddr)
{
    const uint64_t *vaddrs = (const uint64_t *)(const void *)reader->vaddrs->data;
    uint32_t low = 0;
    uint32_t high = reader->vaddrs->len;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (vaddrs[middle] < vaddr) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

// Makes `function` the innermost one for each vaddr in its ranges. Pre-order: deeper ones come
// later and override.
static void cover(struct reader *reader, struct hr_dwarf_ranges *ranges, uint32_t function)
{
    const uint64_t *vaddrs = (const uint64_t *)(const void *)reader->vaddrs->data;
    uint32_t *innermost = (uint32_t *)(void *)reader->innermost->data;
    uint64_t start;
    uint64_t end;
    while (reader->cover_budget > 0 && hr_dwarf_ranges_next(ranges, &start, &end)) {
        reader->cover_budget--;
        for (uint32_t i = find_first_query(reader, start);
             i < reader->vaddrs->len && vaddrs[i] < end && reader->cover_budget > 0; i++) {
            innermost[i] = function;
            reader->cover_budget--;
        }
    }
}

// Reads the attributes of a function's DIE that tell its ranges; `bytes` ends behind the DIE.
static void visit_function(struct reader *reader, const struct hr_dwarf_attribute *attributes,
                           uint32_t count, struct hr_bytes *bytes, uint32_t function)
{
    struct hr_value low = {0};
    struct hr_value high = {0};
    struct hr_value ranges = {0};
    for (uint32_t i = 0; i < count; i++) {
        switch (attributes[i].name) {
        case DW_AT_low_pc:
            low = hr_dwarf_read_value(reader->unit, bytes, &attributes[i]);
            break;
        case DW_AT_high_pc:
            high = hr_dwarf_read_value(reader->unit, bytes, &attributes[i]);
            break;
        case DW_AT_ranges:
            ranges = hr_dwarf_read_value(reader->unit, bytes, &attributes[i]);
            break;
        default:
            hr_dwarf_skip_value(bytes, &attributes[i]);
        }
    }
    struct hr_dwarf_ranges list = hr_dwarf_ranges_init(reader->unit, &low, &high, &ranges);
    cover(reader, &list, function);
}

// Skips a DIE's attributes, and what lies below it where it tells its sibling. Returns whether its
// children come next.
static bool skip_closed(struct reader *reader, const struct hr_dwarf_abbrev *abbrev,
                        const struct hr_dwarf_attribute *attributes, struct hr_bytes *bytes)
{
    const uint8_t *info = reader->sections.info.bytes;
    struct hr_value sibling = {0};
    for (uint32_t i = 0; i < abbrev->count; i++) {
        if (attributes[i].name == DW_AT_sibling) {
            sibling = hr_dwarf_read_value(reader->unit, bytes, &attributes[i]);
        } else {
            hr_dwarf_skip_value(bytes, &attributes[i]);
        }
    }
    const uint64_t here = (uint64_t)(bytes->at - info);
    if (!abbrev->has_children || sibling.class != HR_VALUE_REFERENCE || sibling.number < here ||
        sibling.number > reader->unit->end) {
        return abbrev->has_children;
    }
    bytes->at = info + sibling.number;
    return false;
}

// Steps over one DIE and takes note of a function. Returns whether its children come next.
static bool step(struct reader *reader, const struct hr_dwarf_abbrev *abbrev, uint64_t offset,
                 struct hr_bytes *bytes, uint32_t *around)
{
    const struct hr_dwarf_attribute *attributes =
        &g_array_index(reader->unit->abbrevs->attributes, struct hr_dwarf_attribute, abbrev->first);
    switch ((enum hr_die_kind)abbrev->kind) {
    case HR_DIE_FUNCTION: {
        const bool inlined = abbrev->tag == DW_TAG_inlined_subroutine;
        const struct function function = {.die = offset, .caller = inlined ? *around : NO_FUNCTION};
        g_array_append_val(reader->functions, function);
        *around = reader->functions->len - 1;
        visit_function(reader, attributes, abbrev->count, bytes, *around);
        return abbrev->has_children;
    }
    case HR_DIE_CLOSED:
        return skip_closed(reader, abbrev, attributes, bytes);
    case HR_DIE_PLAIN:
    default:
        if (abbrev->fixed_size >= 0) {
            hr_bytes_skip(bytes, (uint64_t)abbrev->fixed_size);
            return abbrev->has_children;
        }
        for (uint32_t i = 0; i < abbrev->count; i++) {
            hr_dwarf_skip_value(bytes, &attributes[i]);
        }
        return abbrev->has_children;
    }
}

// Walks all DIEs of the unit in the order of the file. Nothing is left out by range: a method of a
// local class lies outside the range of the function that its DIE stands in.
static bool walk_functions(struct reader *reader)
{
    const struct hr_dwarf_unit *unit = reader->unit;
    const uint8_t *info = reader->sections.info.bytes;
    struct hr_bytes bytes = hr_bytes_init(&reader->sections.info, unit->first_die, unit->end);
    uint32_t around[DEPTH_MAX]; // per depth: the function that DIEs there lie in
    unsigned depth = 0;
    around[0] = NO_FUNCTION;
    while (bytes.at < bytes.end && !bytes.broken && reader->cover_budget > 0) {
        const uint64_t offset = (uint64_t)(bytes.at - info);
        const uint64_t code = hr_bytes_read_uleb(&bytes);
        if (code == 0) {
            if (depth <= 1) {
                return true;
            }
            depth--;
            continue;
        }
        const struct hr_dwarf_abbrev *abbrev = hr_dwarf_abbrevs_find(unit->abbrevs, code);
        if (!abbrev) {
            return false;
        }
        uint32_t inside = around[depth];
        if (step(reader, abbrev, offset, &bytes, &inside)) {
            if (++depth == DEPTH_MAX) {
                return false;
            }
            around[depth] = inside;
        } else if (depth == 0) {
            return !bytes.broken;
        }
    }
    return !bytes.broken && reader->cover_budget > 0;
}

static struct hr_dwarf_unit *find_unit(struct reader *reader, uint64_t offset)
{
    guint low = 0;
    guint high = reader->units->len;
    while (low < high) {
        const guint middle = low + (high - low) / 2;
        if (get_unit(reader, middle)->end <= offset) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < reader->units->len && get_unit(reader, low)->first_die <= offset
               ? get_unit(reader, low)
               : NULL;
}

// What names a function or tells where it was called.
struct details {
    struct hr_value linkage_name, name, origin, call_file, call_line;
    bool inlined;
};

static void keep_detail(struct details *details, uint16_t attribute, const struct hr_value *value)
{
    switch (attribute) {
    case DW_AT_linkage_name:
    case DW_AT_MIPS_linkage_name:
        details->linkage_name = *value;
        break;
    case DW_AT_name:
        details->name = *value;
        break;
    case DW_AT_abstract_origin:
    case DW_AT_specification:
        details->origin = *value;
        break;
    case DW_AT_call_file:
        details->call_file = *value;
        break;
    case DW_AT_call_line:
        details->call_line = *value;
        break;
    default:
        break;
    }
}

static bool read_details(const struct hr_dwarf_unit *unit, uint64_t offset, struct details *details)
{
    struct hr_bytes bytes = hr_bytes_init(&unit->sections->info, offset, unit->end);
    const struct hr_dwarf_abbrev *abbrev =
        hr_dwarf_abbrevs_find(unit->abbrevs, hr_bytes_read_uleb(&bytes));
    *details = (struct details){0};
    if (!abbrev || bytes.broken) {
        return false;
    }
    const struct hr_dwarf_attribute *attributes =
        &g_array_index(unit->abbrevs->attributes, struct hr_dwarf_attribute, abbrev->first);
    for (uint32_t i = 0; i < abbrev->count; i++) {
        const struct hr_value value = hr_dwarf_read_value(unit, &bytes, &attributes[i]);
        keep_detail(details, attributes[i].name, &value);
    }
    details->inlined = abbrev->tag == DW_TAG_inlined_subroutine;
    return !bytes.broken;
}

// Follows the origins of a DIE to its names.
static struct name *compose_name(struct reader *reader, uint64_t offset)
{
    struct name *name = g_new0(struct name, 1);
    for (unsigned hops = 0; hops < ORIGINS_MAX; hops++) {
        const struct hr_dwarf_unit *unit = find_unit(reader, offset);
        struct details details;
        if (!unit || !unit->supported || !read_details(unit, offset, &details)) {
            name->foreign = true;
            break;
        }
        if (!name->linkage_name) {
            name->linkage_name = hr_dwarf_get_string(unit, &details.linkage_name);
        }
        if (!name->name) {
            name->name = hr_dwarf_get_string(unit, &details.name);
        }
        name->foreign |= details.linkage_name.class == HR_VALUE_FOREIGN ||
                         details.name.class == HR_VALUE_FOREIGN ||
                         details.origin.class == HR_VALUE_FOREIGN;
        if (details.origin.class != HR_VALUE_REFERENCE || name->linkage_name) {
            break;
        }
        offset = details.origin.number;
    }
    return name;
}

static const struct name *get_name(struct reader *reader, uint64_t offset)
{
    gpointer key = (gpointer)(uintptr_t)(offset + 1);
    struct name *found = g_hash_table_lookup(reader->names, key);
    if (!found) {
        found = compose_name(reader, offset);
        g_hash_table_insert(reader->names, key, found);
    }
    return found;
}

static uint32_t get_number(const struct hr_value *value)
{
    return value->class == HR_VALUE_CONSTANT && value->number <= UINT32_MAX
               ? (uint32_t)value->number
               : 0;
}

// Reads what a function is called and where it was inlined, once. False when libdw has to be asked.
static bool describe(struct reader *reader, struct function *function, struct hr_dwarf_lines *lines)
{
    struct details details;
    if (function->name) {
        return !function->name->foreign;
    }
    function->name = get_name(reader, function->die);
    if (function->name->foreign || !read_details(reader->unit, function->die, &details)) {
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
    for (unsigned length = 0; at != NO_FUNCTION && length < CHAIN_MAX; length++) {
        struct function *function = &g_array_index(reader->functions, struct function, at);
        if (!describe(reader, function, lines)) {
            return false;
        }
        frame.linkage_name = function->name->linkage_name;
        frame.name = function->name->name;
        frame.inlined = function->caller != NO_FUNCTION;
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
    const uint32_t function = g_array_index(reader->innermost, uint32_t, index);
    struct hr_lookup_answer *answer = &lookup->answers[query];
    struct hr_lookup_frame frame = {0};
    if (lines && line->file != HR_NO_FILE) {
        frame.file = hr_dwarf_lines_get_path(lines, line->file, lookup->arena);
        frame.line = line->line;
    }
    answer->first_frame = lookup->frames->len;
    if (function == NO_FUNCTION && !frame.file) {
        return;
    }
    if (function == NO_FUNCTION) {
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
    g_autofree struct hr_dwarf_line *rows = g_new0(struct hr_dwarf_line, reader->vaddrs->len + 1);
    bool complete = lines || reader->unit->line_offset.class == HR_VALUE_NONE;
    if (lines) {
        complete = hr_dwarf_lines_run(lines, (const uint64_t *)(const void *)reader->vaddrs->data,
                                      reader->vaddrs->len, rows, &reader->line_budget);
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
    g_array_set_size(reader->vaddrs, 0);
    g_array_set_size(reader->innermost, 0);
    g_array_set_size(reader->functions, 0);
    for (guint i = 0; i < queries->len; i++) {
        const uint32_t query = g_array_index(queries, uint32_t, i);
        const uint32_t none = NO_FUNCTION;
        g_array_append_val(reader->queries, query);
        g_array_append_val(reader->vaddrs, reader->lookup->vaddrs[query]);
        g_array_append_val(reader->innermost, none);
    }
    if (!walk_functions(reader)) {
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
    reader->names = g_hash_table_new_full(g_direct_hash, g_direct_equal, NULL, g_free);
    reader->unit_of = g_new(uint32_t, lookup->count + 1);
    reader->queries = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    reader->vaddrs = g_array_new(FALSE, FALSE, sizeof(uint64_t));
    reader->innermost = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    reader->functions = g_array_new(FALSE, FALSE, sizeof(struct function));
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
    g_hash_table_unref(reader->names);
    g_free(reader->unit_of);
    g_array_unref(reader->queries);
    g_array_unref(reader->vaddrs);
    g_array_unref(reader->innermost);
    g_array_unref(reader->functions);
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
