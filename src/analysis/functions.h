// SPDX-License-Identifier: MIT
// What each function holds by itself and with all it calls, in base and final.
#pragma once

#include "analysis/difference.h"
#include "analysis/findings.h"

#define HR_FUNCTIONS_MAX 200

// Numbers for frames: equal ones have the same function name.
struct hr_function_names {
    const uint32_t *of_frame; // [symbols->frames_count]
    const char *const *name;  // [count]
    size_t count;
};

struct hr_function_names hr_function_names_compute(struct hr_arena *arena,
                                                   const struct hr_symbols *symbols);

// At most HR_FUNCTIONS_MAX functions, by how much they and what they call changed. A stack's bytes
// belong by themselves to its innermost function that is no allocator. Sets findings->functions.
void hr_functions_compute(struct hr_arena *arena, const struct hr_run *run,
                          const struct hr_symbols *symbols, const struct hr_function_names *names,
                          const struct hr_difference *difference, struct hr_findings *findings);
