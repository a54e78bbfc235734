// SPDX-License-Identifier: MIT
// What one file knows of the addresses of one module, and what it lacks.
#pragma once

#include "base/diagnostics.h"
#include "model/symbols.h"
#include "symbolize/debug.h"
#include "symbolize/fit.h"

struct hr_sources {
    bool confirmed; // it is the file that ran
    struct hr_debug *debug;
    struct hr_lookup *lookup;
    GArray *vaddrs; // of uint64_t, what `lookup` was asked
    // What who names made of a string of `debug` or `lookup` before, by its address: one function
    // is in hundreds of chains.
    GHashTable *names; // -> struct hr_name, freed with g_free
    GHashTable *files; // -> interned path
};

// Asks the debug data of `object`, wherever `search` finds them, for all addresses that `fit`
// placed, with up to `jobs` threads. Keeps `object`; to be closed.
void hr_sources_open(struct hr_sources *sources, const struct hr_object *object,
                     const struct hr_fit *fit, const struct hr_debug_search *search, unsigned jobs);
void hr_sources_close(struct hr_sources *sources);

// Says in `module` which file answered and what is missing, in `diagnostics` what could not be
// read.
void hr_sources_describe(const struct hr_sources *sources, struct hr_module *module,
                         struct hr_strings *strings, struct hr_diagnostics *diagnostics);
