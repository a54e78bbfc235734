// SPDX-License-Identifier: MIT
#include "symbolize/dwarf_names.h"

#include "symbolize/dwarf_scopes.h"
#include "symbolize/scope.h"

#include <dwarf.h>

// A bound for made-up input: real debug data follow 3 origins.
#define ORIGINS_MAX 16

struct hr_dwarf_names {
    struct hr_dwarf_units *units;
    GHashTable *by_die; // place of a DIE -> struct hr_dwarf_name
    struct hr_arena *arena;
    uint64_t scope_budget; // DIEs that may be read to find what others stand in
};

struct hr_dwarf_names *hr_dwarf_names_new(struct hr_dwarf_units *units, struct hr_arena *arena,
                                          uint64_t scope_budget)
{
    struct hr_dwarf_names *names = g_new0(struct hr_dwarf_names, 1);
    names->units = units;
    names->arena = arena;
    names->scope_budget = scope_budget;
    names->by_die = g_hash_table_new_full(g_direct_hash, g_direct_equal, NULL, g_free);
    return names;
}

void hr_dwarf_names_free(struct hr_dwarf_names *names)
{
    g_hash_table_unref(names->by_die);
    g_free(names);
}

// Where a detail is kept, NULL for what is of no interest.
static inline struct hr_value *find_detail(struct hr_dwarf_details *details, uint16_t attribute)
{
    switch (attribute) {
    case DW_AT_linkage_name:
    case DW_AT_MIPS_linkage_name:
        return &details->linkage_name;
    case DW_AT_name:
        return &details->name;
    case DW_AT_abstract_origin:
    case DW_AT_specification:
        return &details->origin;
    case DW_AT_call_file:
        return &details->call_file;
    case DW_AT_call_line:
        return &details->call_line;
    default:
        return NULL;
    }
}

bool hr_dwarf_details_read(const struct hr_dwarf_unit *unit, uint64_t offset,
                           struct hr_dwarf_details *details)
{
    struct hr_bytes bytes = hr_bytes_init(&unit->sections->info, offset, unit->end);
    const struct hr_dwarf_abbrev *abbrev =
        hr_dwarf_abbrevs_find(unit->abbrevs, hr_bytes_read_uleb(&bytes));
    *details = (struct hr_dwarf_details){0};
    if (!abbrev || bytes.broken) {
        return false;
    }
    const struct hr_dwarf_attribute *attributes =
        hr_dwarf_abbrevs_get_attributes(unit->abbrevs, abbrev);
    for (uint32_t i = 0; i < abbrev->count; i++) {
        struct hr_value *detail = find_detail(details, attributes[i].name);
        if (detail) {
            *detail = hr_dwarf_read_value(unit, &bytes, &attributes[i]);
        } else {
            hr_dwarf_skip_value(&bytes, &attributes[i]);
        }
    }
    return !bytes.broken;
}

// Takes what one DIE says; returns whether its origin has to be asked too.
static bool take_details(struct hr_dwarf_name *name, const struct hr_dwarf_unit *unit,
                         const struct hr_dwarf_details *details)
{
    if (!name->linkage_name) {
        name->linkage_name = hr_dwarf_get_string(unit, &details->linkage_name);
    }
    if (!name->name) {
        name->name = hr_dwarf_get_string(unit, &details->name);
    }
    name->foreign |= details->linkage_name.class == HR_VALUE_FOREIGN ||
                     details->name.class == HR_VALUE_FOREIGN ||
                     details->origin.class == HR_VALUE_FOREIGN;
    return details->origin.class == HR_VALUE_REFERENCE && !name->linkage_name;
}

// The unit of a DIE that one in `at` speaks of. A split unit speaks of its own alone.
static const struct hr_dwarf_unit *find_unit(struct hr_dwarf_names *names,
                                             const struct hr_dwarf_unit *at, uint64_t offset)
{
    if (offset >= at->first_die && offset < at->end) {
        return at;
    }
    return at->sections == &names->units->sections ? hr_dwarf_units_find(names->units, offset)
                                                   : NULL;
}

// Follows the origins of a DIE to its names. The last one stands where the function is declared.
static struct hr_dwarf_name *compose_name(struct hr_dwarf_names *names,
                                          const struct hr_dwarf_unit *at, uint64_t offset)
{
    struct hr_dwarf_name *name = g_new0(struct hr_dwarf_name, 1);
    unsigned language = 0; // of the function itself: dwz's partial units may tell none
    for (unsigned hops = 0; hops < ORIGINS_MAX; hops++) {
        const struct hr_dwarf_unit *unit = find_unit(names, at, offset);
        struct hr_dwarf_details details;
        if (!unit || !hr_dwarf_details_read(unit, offset, &details)) {
            name->foreign = true;
            break;
        }
        language = hops == 0 ? unit->language : language;
        if (take_details(name, unit, &details)) {
            offset = details.origin.number;
            at = unit;
            continue;
        }
        if (!name->foreign && !name->linkage_name && name->name && hr_scope_is_used_in(language)) {
            name->qualified_name = hr_dwarf_qualify(unit, offset, name->name, names->arena,
                                                    &names->scope_budget, &name->foreign);
        }
        break;
    }
    return name;
}

const struct hr_dwarf_name *hr_dwarf_names_get(struct hr_dwarf_names *names,
                                               const struct hr_dwarf_unit *at, uint64_t offset)
{
    gpointer key = (gpointer)((uintptr_t)at->sections->info.bytes + (uintptr_t)offset);
    struct hr_dwarf_name *found = g_hash_table_lookup(names->by_die, key);
    if (!found) {
        found = compose_name(names, at, offset);
        g_hash_table_insert(names->by_die, key, found);
    }
    return found;
}
