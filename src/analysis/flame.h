// SPDX-License-Identifier: MIT
// All stacks as one tree from the root inward, small enough to draw.
#pragma once

#include "analysis/functions.h"

#define HR_FLAME_NODES_MAX 4000

// Builds the tree of base and final and keeps its largest nodes; of what is cut under a node the
// sum stands beside its kept children as "(other)". `suspect_of_group` is -1 where a group is none.
// Sets findings->flame, in pre-order, children by size.
void hr_flame_compute(struct hr_arena *arena, const struct hr_run *run,
                      const struct hr_symbols *symbols, const struct hr_function_names *names,
                      const struct hr_groups *groups, const int32_t *suspect_of_group,
                      const struct hr_difference *difference, struct hr_findings *findings);
