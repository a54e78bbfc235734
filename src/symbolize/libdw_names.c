// SPDX-License-Identifier: MIT
#include "symbolize/libdw_names.h"

#include "symbolize/scope.h"

#include <dwarf.h>

// A bound for made-up input: real debug data follow 3 origins.
#define ORIGINS_MAX 16

#define NO_SCOPE UINT32_MAX

// A DIE that functions stand in.
struct scope {
    Dwarf_Die die;
    uint32_t around; // the scope it stands in itself
};

struct place {
    const void *function; // the address of its DIE
    uint32_t scope;
};

struct hr_libdw_names {
    struct hr_arena *arena;
    unsigned language;     // DW_AT_language of the unit being read
    GHashTable *qualified; // address of a DIE -> its name with its scopes, in the arena, or NULL

    // Of the unit being read:
    GArray *scopes; // of struct scope
    GArray *places; // of struct place, in the order of the unit
    GArray *open;   // of uint32_t, by depth: the scope there that was met last
};

struct hr_libdw_names *hr_libdw_names_new(struct hr_arena *arena)
{
    struct hr_libdw_names *names = g_new0(struct hr_libdw_names, 1);
    names->arena = arena;
    names->qualified = g_hash_table_new(g_direct_hash, g_direct_equal);
    names->scopes = g_array_new(FALSE, FALSE, sizeof(struct scope));
    names->places = g_array_new(FALSE, FALSE, sizeof(struct place));
    names->open = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    return names;
}

void hr_libdw_names_free(struct hr_libdw_names *names)
{
    g_hash_table_unref(names->qualified);
    g_array_unref(names->scopes);
    g_array_unref(names->places);
    g_array_unref(names->open);
    g_free(names);
}

void hr_libdw_names_begin(struct hr_libdw_names *names, Dwarf_Die *unit)
{
    names->language = (unsigned)dwarf_srclang(unit);
    g_array_set_size(names->scopes, 0);
    g_array_set_size(names->places, 0);
    g_array_set_size(names->open, 0);
}

// The scope at `depth`, which stands in `around`: the one met last there, or a new one.
static uint32_t open_scope(struct hr_libdw_names *names, const Dwarf_Die *die, unsigned depth,
                           uint32_t around)
{
    if (depth < names->open->len) {
        const uint32_t last = g_array_index(names->open, uint32_t, depth);
        if (g_array_index(names->scopes, struct scope, last).die.addr == die->addr) {
            return last;
        }
    }
    const struct scope scope = {.die = *die, .around = around};
    const uint32_t index = names->scopes->len;
    g_array_append_val(names->scopes, scope);
    g_array_set_size(names->open, depth);
    g_array_append_val(names->open, index);
    return index;
}

void hr_libdw_names_place(struct hr_libdw_names *names, const struct hr_libdw_walk *at)
{
    if (!hr_scope_is_used_in(names->language)) {
        return;
    }
    struct place place = {.function = at->dies[at->depth].addr, .scope = NO_SCOPE};
    for (unsigned depth = 0; depth < at->depth; depth++) {
        place.scope = open_scope(names, &at->dies[depth], depth, place.scope);
    }
    g_array_append_val(names->places, place);
}

static int compare_places(const void *a, const void *b)
{
    const uintptr_t left = (uintptr_t)((const struct place *)a)->function;
    const uintptr_t right = (uintptr_t)((const struct place *)b)->function;
    return (left > right) - (left < right);
}

// libdw 0.188 looks for what DWARF 5 says of the common file in the file itself, and finds other
// DIEs there. It knows dwz's own form, whose values are the same.
static bool follow(Dwarf_Attribute *reference, Dwarf_Die *to)
{
    uint8_t offset_size = 0;
    const unsigned form = reference ? dwarf_whatform(reference) : 0;
    if (form == DW_FORM_ref_sup4 || form == DW_FORM_ref_sup8) {
        if (dwarf_cu_info(reference->cu, NULL, NULL, NULL, NULL, NULL, NULL, &offset_size) != 0 ||
            offset_size != (form == DW_FORM_ref_sup4 ? 4 : 8)) {
            return false;
        }
        reference->form = DW_FORM_GNU_ref_alt;
    }
    return dwarf_formref_die(reference, to) != NULL;
}

static bool find_origin(const Dwarf_Die *die, Dwarf_Die *origin)
{
    Dwarf_Attribute found;
    Dwarf_Die at = *die;
    Dwarf_Attribute *reference = dwarf_attr(&at, DW_AT_abstract_origin, &found);
    return follow(reference ? reference : dwarf_attr(&at, DW_AT_specification, &found), origin);
}

static const char *find_string(const Dwarf_Die *die, unsigned attribute)
{
    Dwarf_Die at = *die;
    const char *text = NULL;
    for (unsigned hops = 0; hops < ORIGINS_MAX; hops++) {
        Dwarf_Attribute found;
        Dwarf_Die origin;
        text = dwarf_formstring(dwarf_attr(&at, attribute, &found));
        if (text || !find_origin(&at, &origin)) {
            break;
        }
        at = origin;
    }
    return text;
}

// The DIE that stands where the function is declared.
static Dwarf_Die find_declaration(const Dwarf_Die *die)
{
    Dwarf_Die at = *die;
    Dwarf_Die origin;
    for (unsigned hops = 0; hops < ORIGINS_MAX && find_origin(&at, &origin); hops++) {
        at = origin;
    }
    return at;
}

// A class whose description stands in a type unit has its name there.
static const char *find_scope_name(Dwarf_Die *scope)
{
    const char *name = dwarf_diename(scope);
    Dwarf_Attribute found;
    Dwarf_Die type;
    if (!name && dwarf_formref_die(dwarf_attr(scope, DW_AT_signature, &found), &type)) {
        name = dwarf_diename(&type);
    }
    return name;
}

static bool append_scope(GString *qualified, Dwarf_Die *scope)
{
    return hr_scope_append(qualified, (unsigned)dwarf_tag(scope), find_scope_name(scope));
}

static bool append_known_scopes(struct hr_libdw_names *names, uint32_t innermost,
                                GString *qualified)
{
    g_autoptr(GArray) inwards = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    for (uint32_t at = innermost; at != NO_SCOPE;
         at = g_array_index(names->scopes, struct scope, at).around) {
        g_array_prepend_val(inwards, at);
    }
    for (guint i = 0; i < inwards->len; i++) {
        const uint32_t at = g_array_index(inwards, uint32_t, i);
        if (!append_scope(qualified, &g_array_index(names->scopes, struct scope, at).die)) {
            return false;
        }
    }
    return true;
}

// Of a DIE in another unit, which libdw walks to find what it stands in.
static bool append_scopes(Dwarf_Die *declaration, GString *qualified)
{
    Dwarf_Die *scopes = NULL;
    const int count = dwarf_getscopes_die(declaration, &scopes); // [0] is the DIE itself
    bool told = count > 0;
    for (int i = count - 1; i > 0 && told; i--) {
        told = append_scope(qualified, &scopes[i]);
    }
    free(scopes);
    return told;
}

static char *compose_qualified(struct hr_libdw_names *names, Dwarf_Die *declaration,
                               const char *name)
{
    if (!hr_scope_is_used_in(names->language)) {
        return NULL;
    }
    g_autoptr(GString) qualified = g_string_new(NULL);
    const struct place key = {.function = declaration->addr};
    const struct place *place =
        names->places->len > 0
            ? bsearch(&key, names->places->data, names->places->len, sizeof key, compare_places)
            : NULL;
    const bool told = place ? append_known_scopes(names, place->scope, qualified)
                            : append_scopes(declaration, qualified);
    return told && qualified->len > 0 ? hr_arena_printf(names->arena, "%s%s", qualified->str, name)
                                      : NULL;
}

// Once for each DIE.
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
