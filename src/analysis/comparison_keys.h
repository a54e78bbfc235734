// SPDX-License-Identifier: MIT
// What a stack is called in both of two runs: the first half of a comparison. A key is text; equal
// keys mean the same places of the program.
#pragma once

#include "analysis/comparison.h"

#include <glib.h>

// How the places of a stack are told; the worst of them counts.
enum hr_comparison_by { HR_BY_OFFSET, HR_BY_SYMBOL, HR_BY_NOTHING };

struct hr_comparison_keys {
    const struct hr_comparison_side *side;
    char mark;               // tells what no name can tell apart from the other side's
    const uint32_t *partner; // [modules]: number that the same file has in both, or HR_MODULE_NONE
    const char **location;   // [locations]: key, NULL: not asked for yet
    enum hr_comparison_by *by; // [locations]
    struct hr_arena *arena;
};

// For each module of `side` the index in `other` of the same file, or HR_MODULE_NONE. In `arena`.
const uint32_t *hr_comparison_partners(struct hr_arena *arena,
                                       const struct hr_comparison_side *side,
                                       const struct hr_comparison_side *other);

// Keys are kept in `arena`. `partner` as above; for the run whose numbers count, its own.
struct hr_comparison_keys hr_comparison_keys_new(struct hr_arena *arena,
                                                 const struct hr_comparison_side *side, char mark,
                                                 const uint32_t *partner);

// Appends the key of a stack and returns how its places are told.
enum hr_comparison_by hr_comparison_keys_append(struct hr_comparison_keys *keys, uint32_t stack,
                                                GString *key);
