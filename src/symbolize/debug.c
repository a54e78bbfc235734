// SPDX-License-Identifier: MIT
#include "symbolize/debug.h"

#include "symbolize/libdw.h"

static void open_dwarf(struct hr_debug *debug, const struct hr_debug_search *search)
{
    const struct hr_object *holder = debug->separate ? debug->separate : debug->object;
    debug->dwarf = dwarf_begin_elf(holder->elf, DWARF_C_READ, NULL);
    if (!debug->dwarf) {
        return;
    }
    bool named = false;
    debug->common = hr_debug_file_find_common(holder, search, &named);
    if (debug->common) {
        debug->common_dwarf = dwarf_begin_elf(debug->common->elf, DWARF_C_READ, NULL);
    }
    debug->common_missing = named && !debug->common_dwarf;
    // Set also when there is none: libdw would open what the file names, unchecked.
    dwarf_setalt(debug->dwarf, debug->common_dwarf);
}

static void open_symbols(struct hr_debug *debug)
{
    if (debug->separate) {
        debug->symtab = hr_symtab_new(debug->separate, NULL);
        if (hr_symtab_count(debug->symtab) > 0) {
            return;
        }
        hr_symtab_free(debug->symtab);
    }
    debug->unpacked = hr_debug_file_unpack(debug->object);
    debug->symtab = hr_symtab_new(debug->object, debug->unpacked);
}

struct hr_debug *hr_debug_new(const struct hr_object *object, const struct hr_debug_search *search)
{
    struct hr_debug *debug = g_new0(struct hr_debug, 1);
    debug->object = object;
    if (!hr_debug_file_is_present(object)) {
        debug->separate = hr_debug_file_find(object, search);
    }
    if (debug->separate || hr_debug_file_is_present(object)) {
        open_dwarf(debug, search);
    }
    open_symbols(debug);
    return debug;
}

void hr_debug_free(struct hr_debug *debug)
{
    if (!debug) {
        return;
    }
    dwarf_end(debug->dwarf);
    dwarf_end(debug->common_dwarf);
    hr_symtab_free(debug->symtab);
    hr_object_free(debug->separate);
    hr_object_free(debug->common);
    hr_object_free(debug->unpacked);
    g_free(debug);
}

const char *hr_debug_get_path(const struct hr_debug *debug)
{
    if (debug->separate) {
        return debug->separate->path;
    }
    return debug->dwarf || hr_symtab_count(debug->symtab) > 0 ? debug->object->path : NULL;
}

void hr_debug_read(struct hr_debug *debug, struct hr_lookup *lookup)
{
    if (debug->dwarf && lookup->count > 0) {
        hr_libdw_read(debug->dwarf, lookup);
    }
}
