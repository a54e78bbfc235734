// SPDX-License-Identifier: MIT
// Frames for the addresses of one module: debug data first, then symbols, else module and offset.
// Collects the frames and locations of the whole run.
#pragma once

#include "base/diagnostics.h"
#include "model/symbols.h"
#include "symbolize/debug_file.h"
#include "symbolize/fit.h"
#include "symbolize/generated.h"
#include "symbolize/names.h"

struct hr_naming {
    struct hr_run *run;
    const struct hr_layout *layout;
    const struct hr_generated *generated;
    struct hr_names *names;
    struct hr_debug_search search;
    unsigned jobs;                 // threads that may work
    GArray *frames;                // of struct hr_frame
    struct hr_location *locations; // one per location of the run
    struct hr_diagnostics *diagnostics;
};

// Names all addresses of layout module `index` as far as `fit` allows, and counts them in `module`.
// `object` and `fit` are NULL when there is no file to ask: module and offset only.
void hr_naming_add_module(struct hr_naming *naming, uint32_t index, struct hr_module *module,
                          const struct hr_object *object, const struct hr_fit *fit);

// Gives every address outside all modules its own frame.
void hr_naming_add_unmapped(struct hr_naming *naming);
