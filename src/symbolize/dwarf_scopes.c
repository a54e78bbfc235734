// SPDX-License-Identifier: MIT
#include "symbolize/dwarf_scopes.h"

#include "symbolize/scope.h"

#include <dwarf.h>

// Deeper than namespaces and classes nest in real programs.
#define DEPTH_MAX 64

// A DIE that others stand in.
struct scope {
    const struct hr_dwarf_abbrev *abbrev;
    const char *name;
    bool elsewhere;   // described in a type unit, its name too
    uint64_t sibling; // offset in .debug_info; 0 when it does not tell
};

struct descent {
    const struct hr_dwarf_unit *unit;
    struct hr_bytes bytes;
    uint64_t offset; // of the DIE that is looked for
    struct scope scopes[DEPTH_MAX];
    unsigned depth;
};

static struct scope read_scope(struct descent *descent, const struct hr_dwarf_abbrev *abbrev)
{
    const struct hr_dwarf_attribute *attributes = &g_array_index(
        descent->unit->abbrevs->attributes, struct hr_dwarf_attribute, abbrev->first);
    struct scope scope = {.abbrev = abbrev};
    for (uint32_t i = 0; i < abbrev->count; i++) {
        scope.elsewhere |= attributes[i].name == DW_AT_signature;
        if (attributes[i].name != DW_AT_name && attributes[i].name != DW_AT_sibling) {
            hr_dwarf_skip_value(&descent->bytes, &attributes[i]);
            continue;
        }
        const struct hr_value value =
            hr_dwarf_read_value(descent->unit, &descent->bytes, &attributes[i]);
        if (attributes[i].name == DW_AT_name) {
            scope.name = hr_dwarf_get_string(descent->unit, &value);
        } else if (value.class == HR_VALUE_REFERENCE) {
            scope.sibling = value.number;
        }
    }
    return scope;
}

// Steps over one DIE, and over all below it that cannot hold the one looked for. False at the end.
static bool step(struct descent *descent)
{
    const uint8_t *info = descent->unit->sections->info.bytes;
    const uint64_t code = hr_bytes_read_uleb(&descent->bytes);
    if (code == 0) {
        return descent->depth > 0 && --descent->depth > 0;
    }
    const struct hr_dwarf_abbrev *abbrev = hr_dwarf_abbrevs_find(descent->unit->abbrevs, code);
    if (!abbrev) {
        return false;
    }
    const struct scope scope = read_scope(descent, abbrev);
    if (!abbrev->has_children) {
        return true;
    }
    if (scope.sibling > (uint64_t)(descent->bytes.at - info) && scope.sibling <= descent->offset) {
        descent->bytes.at = info + scope.sibling;
        return true;
    }
    if (descent->depth == DEPTH_MAX) {
        return false;
    }
    descent->scopes[descent->depth++] = scope;
    return true;
}

// Finds the way from the unit's own DIE to the one looked for.
static bool descend(struct descent *descent, uint64_t *budget)
{
    const uint8_t *info = descent->unit->sections->info.bytes;
    for (; *budget > 0 && !descent->bytes.broken; (*budget)--) {
        const uint64_t here = (uint64_t)(descent->bytes.at - info);
        if (here >= descent->offset) {
            return here == descent->offset;
        }
        if (!step(descent)) {
            return false;
        }
    }
    return false;
}

const char *hr_dwarf_qualify(const struct hr_dwarf_unit *unit, uint64_t offset, const char *name,
                             struct hr_arena *arena, uint64_t *budget, bool *foreign)
{
    struct descent descent = {
        .unit = unit,
        .bytes = hr_bytes_init(&unit->sections->info, unit->first_die, unit->end),
        .offset = offset,
    };
    if (!descend(&descent, budget)) {
        return NULL;
    }
    g_autoptr(GString) qualified = g_string_new(NULL);
    for (unsigned i = 0; i < descent.depth; i++) {
        const struct scope *scope = &descent.scopes[i];
        *foreign |= scope->elsewhere && !scope->name;
        if (!hr_scope_append(qualified, scope->abbrev->tag, scope->name)) {
            return NULL;
        }
    }
    return qualified->len > 0 ? hr_arena_printf(arena, "%s%s", qualified->str, name) : NULL;
}
