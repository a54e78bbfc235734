// SPDX-License-Identifier: MIT
// Code that no file holds: which addresses of a run lie in anonymous executable memory, and what
// the runtime that generated it called them.
#pragma once

#include "base/diagnostics.h"
#include "symbolize/layout.h"
#include "symbolize/perf_map.h"

struct hr_generated {
    struct hr_perf_name *names; // one per location; of those in no generated code the name is NULL
};

// Finds the run's perf map (symbolize/perf_map.h) and the names of all locations in it. Says how
// many there are in generated code, named or not.
struct hr_generated *hr_generated_new(const struct hr_run *run, const struct hr_layout *layout,
                                      const struct hr_tree *tree,
                                      struct hr_diagnostics *diagnostics);
void hr_generated_free(struct hr_generated *generated);
HR_DEFINE_AUTO(hr_generated, hr_generated_free)
