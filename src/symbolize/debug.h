// SPDX-License-Identifier: MIT
// All that can name the addresses of one object: its debug data wherever they lie, and its function
// symbols. The best source wins: a debug file, then the file itself, then .gnu_debugdata.
#pragma once

#include "symbolize/code.h"
#include "symbolize/debug_file.h"
#include "symbolize/dwarf_split.h"
#include "symbolize/lookup.h"
#include "symbolize/symtab.h"

#include <elfutils/libdw.h>

struct hr_debug {
    const struct hr_object *object;
    struct hr_code *code;       // of `object`
    struct hr_object *separate; // debug file, NULL when there is none
    struct hr_object *common;   // of dwz, NULL when there is none
    struct hr_object *package;  // .dwp, NULL when there is none
    struct hr_dwarf_split_files *split_files;
    struct hr_object *unpacked; // .gnu_debugdata, NULL when there is none
    bool has_dwarf;             // there are debug data that can be read
    bool unreadable;            // there are, but compressed in a way no reader here knows
    Dwarf *dwarf;               // opened when the own reader leaves something to it
    Dwarf *common_dwarf;
    struct hr_symtab *symtab;
    bool common_missing; // dwz moved debug data to a file that was not found
};

// Opens everything. Never NULL; keeps `object`.
struct hr_debug *hr_debug_new(const struct hr_object *object, const struct hr_debug_search *search);
void hr_debug_free(struct hr_debug *debug);
HR_DEFINE_AUTO(hr_debug, hr_debug_free)

// The file whose debug data or symbols answer, NULL when nothing can.
const char *hr_debug_get_path(const struct hr_debug *debug);

// Answers what the debug data know of lookup->vaddrs; the answers live as long as `debug`. The own
// reader (symbolize/dwarf_reader.h) answers the common forms, libdw the rest.
void hr_debug_read(struct hr_debug *debug, struct hr_lookup *lookup);

// The same by libdw alone: the oracle of the own reader.
void hr_debug_read_libdw(struct hr_debug *debug, struct hr_lookup *lookup);
