// SPDX-License-Identifier: MIT
// All that can name the addresses of one object: its debug data wherever they lie, and its function
// symbols. The best source wins: a debug file, then the file itself, then .gnu_debugdata.
#pragma once

#include "symbolize/debug-file.h"
#include "symbolize/lookup.h"
#include "symbolize/symtab.h"

#include <elfutils/libdw.h>

struct hr_debug {
    const struct hr_object *object;
    struct hr_object *separate; // debug file, NULL when there is none
    struct hr_object *common;   // of dwz, NULL when there is none
    struct hr_object *unpacked; // .gnu_debugdata, NULL when there is none
    Dwarf *dwarf;               // NULL without debug data
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

// Answers what the debug data know of lookup->vaddrs; the answers live as long as `debug`.
void hr_debug_read(struct hr_debug *debug, struct hr_lookup *lookup);
