// SPDX-License-Identifier: MIT
// Leaves out what was not asked for, by the names of functions and files: what --focus, --ignore,
// --show and --hide mean in pprof. Comes between names and findings; what is filtered is filtered
// everywhere after it.
#pragma once

#include "base/error.h"
#include "model/run.h"
#include "model/symbols.h"

// Regular expressions, found anywhere in a function's or a file's name; NULL: no such filter.
struct hr_filter {
    const char *focus;  // only stacks with a frame that matches
    const char *ignore; // no stacks with a frame that matches
    const char *show;   // only frames that match; a stack without any is left out
    const char *hide;   // no frames that match; as above
};

// True when there is anything to do.
bool hr_filter_is_set(const struct hr_filter *filter);

// Changes the rows and totals of the run's dumps that have rows, leaves its evidence aside, which
// is of the whole process, and returns the symbols for what is left (in the run's arena; `symbols`
// themselves when no frame was taken away). NULL: an expression makes no sense, or gives up
// while it is matched (HR_ERROR_USAGE).
const struct hr_symbols *hr_filter_apply(const struct hr_filter *filter, struct hr_run *run,
                                         const struct hr_symbols *symbols, GError **error);
