// SPDX-License-Identifier: MIT
#include "symbolize/debug.h"

#include "symbolize/dwarf_load.h"
#include "symbolize/dwarf_reader.h"
#include "symbolize/libdw.h"

static const struct hr_object *get_holder(const struct hr_debug *debug)
{
    return debug->separate ? debug->separate : debug->object;
}

static bool open_libdw(struct hr_debug *debug)
{
    if (!debug->dwarf && debug->has_dwarf) {
        debug->dwarf = dwarf_begin_elf(get_holder(debug)->elf, DWARF_C_READ, NULL);
        if (debug->common) {
            debug->common_dwarf = dwarf_begin_elf(debug->common->elf, DWARF_C_READ, NULL);
        }
        // Set also when there is none: libdw would open what the file names, unchecked.
        if (debug->dwarf) {
            dwarf_setalt(debug->dwarf, debug->common_dwarf);
        }
    }
    return debug->dwarf != NULL;
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
    debug->split_files = hr_dwarf_split_files_new();
    debug->code = hr_code_new(object);
    if (!hr_debug_file_is_present(object)) {
        debug->separate = hr_debug_file_find(object, search);
    }
    if (debug->separate || hr_debug_file_is_present(object)) {
        bool named = false;
        debug->unreadable = hr_dwarf_is_unreadable(get_holder(debug));
        debug->has_dwarf = !debug->unreadable;
        debug->common = hr_debug_file_find_common(get_holder(debug), search, &named);
        debug->package = hr_debug_file_find_package(object);
        if (!debug->package && debug->separate) {
            debug->package = hr_debug_file_find_package(debug->separate);
        }
        debug->common_missing = named && !debug->common;
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
    hr_code_free(debug->code);
    hr_object_free(debug->separate);
    hr_object_free(debug->common);
    hr_object_free(debug->package);
    hr_dwarf_split_files_free(debug->split_files);
    hr_object_free(debug->unpacked);
    g_free(debug);
}

const char *hr_debug_get_path(const struct hr_debug *debug)
{
    if (debug->separate) {
        return debug->separate->path;
    }
    return debug->has_dwarf || hr_symtab_count(debug->symtab) > 0 ? debug->object->path : NULL;
}

void hr_debug_read_libdw(struct hr_debug *debug, struct hr_lookup *lookup)
{
    lookup->code = debug->code;
    if (lookup->count > 0 && open_libdw(debug)) {
        hr_libdw_read(debug->dwarf, get_holder(debug), lookup);
    }
}

// Asks libdw for what the own reader left, and takes its answers in.
static void read_left(struct hr_debug *debug, struct hr_lookup *lookup, const bool *left)
{
    g_autoptr(GArray) vaddrs = g_array_new(FALSE, FALSE, sizeof(uint64_t));
    for (uint32_t i = 0; i < lookup->count; i++) {
        if (left[i]) {
            g_array_append_val(vaddrs, lookup->vaddrs[i]);
        }
    }
    HR_AUTO(hr_lookup) rest = hr_lookup_new((const uint64_t *)(void *)vaddrs->data, vaddrs->len);
    hr_debug_read_libdw(debug, rest);
    hr_lookup_take(lookup, rest);
}

void hr_debug_read(struct hr_debug *debug, struct hr_lookup *lookup)
{
    if (!debug->has_dwarf || lookup->count == 0) {
        return;
    }
    g_autofree bool *left = g_new0(bool, lookup->count + 1);
    lookup->code = debug->code;
    if (!hr_dwarf_read(get_holder(debug), debug->package, debug->split_files, lookup, left)) {
        hr_debug_read_libdw(debug, lookup);
        return;
    }
    for (uint32_t i = 0; i < lookup->count; i++) {
        if (left[i]) {
            read_left(debug, lookup, left);
            return;
        }
    }
}
