// SPDX-License-Identifier: MIT
#include "symbolize/libdw_names.h"

#include "symbolize/scope.h"

#include <dwarf.h>

// A bound for made-up input: real debug data follow 3 origins.
#define ORIGINS_MAX 16

struct hr_libdw_names {
    struct hr_arena *arena;
    unsigned language;     // DW_AT_language of the unit being read
    GHashTable *qualified; // address of a DIE -> its name with its scopes, in the arena, or NULL
};

struct hr_libdw_names *hr_libdw_names_new(struct hr_arena *arena)
{
    struct hr_libdw_names *names = g_new0(struct hr_libdw_names, 1);
    names->arena = arena;
    names->qualified = g_hash_table_new(g_direct_hash, g_direct_equal);
    return names;
}

void hr_libdw_names_free(struct hr_libdw_names *names)
{
    g_hash_table_unref(names->qualified);
    g_free(names);
}

void hr_libdw_names_begin(struct hr_libdw_names *names, Dwarf_Die *unit)
{
    names->language = (unsigned)dwarf_srclang(unit);
}

static const char *find_string(Dwarf_Die *die, unsigned attribute)
{
    Dwarf_Attribute found;
    return dwarf_formstring(dwarf_attr_integrate(die, attribute, &found));
}

// The DIE that stands where the function is declared.
static Dwarf_Die find_declaration(const Dwarf_Die *die)
{
    Dwarf_Die at = *die;
    for (unsigned hops = 0; hops < ORIGINS_MAX; hops++) {
        Dwarf_Attribute found;
        Dwarf_Die next;
        Dwarf_Attribute *origin = dwarf_attr(&at, DW_AT_abstract_origin, &found);
        origin = origin ? origin : dwarf_attr(&at, DW_AT_specification, &found);
        if (!dwarf_formref_die(origin, &next)) {
            break;
        }
        at = next;
    }
    return at;
}

static char *compose_qualified(struct hr_libdw_names *names, Dwarf_Die *declaration,
                               const char *name)
{
    Dwarf_Die *scopes = NULL;
    if (!hr_scope_is_used_in(names->language)) {
        return NULL;
    }
    g_autoptr(GString) qualified = g_string_new(NULL);
    const int count = dwarf_getscopes_die(declaration, &scopes); // [0] is the DIE itself
    bool told = count > 0;
    for (int i = count - 1; i > 0 && told; i--) {
        told =
            hr_scope_append(qualified, (unsigned)dwarf_tag(&scopes[i]), dwarf_diename(&scopes[i]));
    }
    free(scopes);
    return told && qualified->len > 0 ? hr_arena_printf(names->arena, "%s%s", qualified->str, name)
                                      : NULL;
}

// Once for each DIE: libdw walks the unit to find what it stands in.
static const char *qualify(struct hr_libdw_names *names, const Dwarf_Die *die, const char *name)
{
    Dwarf_Die declaration = find_declaration(die);
    gpointer found;
    if (!g_hash_table_lookup_extended(names->qualified, declaration.addr, NULL, &found)) {
        found = compose_qualified(names, &declaration, name);
        g_hash_table_insert(names->qualified, declaration.addr, found);
    }
    return found;
}

void hr_libdw_names_get(struct hr_libdw_names *names, Dwarf_Die *die, struct hr_lookup_frame *frame)
{
    frame->linkage_name = find_string(die, DW_AT_linkage_name);
    if (!frame->linkage_name) {
        frame->linkage_name = find_string(die, DW_AT_MIPS_linkage_name);
    }
    frame->name = find_string(die, DW_AT_name);
    frame->qualified_name =
        frame->name && !frame->linkage_name ? qualify(names, die, frame->name) : NULL;
}
