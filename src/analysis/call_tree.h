// SPDX-License-Identifier: MIT
// Through which calls each suspect grew: its stacks as a small tree from the outermost call inward
// to the allocator, drawn out where they part. Frames in a row that all of a branch goes through are
// one line.
#pragma once

#include "analysis/functions.h"

#define HR_CALL_TREE_LINES_MAX 12

// Sets findings->call_trees, one for each suspect: pre-order, children by growth. A branch is drawn
// out as long as there are lines, that which moved most first; of its parts without a line the sum
// stands last, as "(other)". Empty where all stacks lead the same way. `suspect_of_group` is -1
// where a group is none.
void hr_call_trees_compute(struct hr_arena *arena, const struct hr_run *run,
                           const struct hr_symbols *symbols, const struct hr_function_names *names,
                           const struct hr_groups *groups, const int32_t *suspect_of_group,
                           const struct hr_difference *difference, struct hr_findings *findings);
