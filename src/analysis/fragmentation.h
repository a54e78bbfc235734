// SPDX-License-Identifier: MIT
// Fragmentation by owner: size classes of the allocator whose slabs are poorly used, and which
// suspects' objects keep them. Needs statistics with size classes; reads nothing else.
#pragma once

#include "analysis/findings.h"
#include "analysis/groups.h"

// Sets the findings' fragments, largest waste first, from the final dump and the allocator's size
// classes. What is unused in a class falls to its owners by the live bytes they hold in it.
// `suspect_of_group` as hr_suspects_compute() gives it.
void hr_fragmentation_compute(struct hr_arena *arena, const struct hr_run *run,
                              const struct hr_rules *rules, const struct hr_groups *groups,
                              const int32_t *suspect_of_group, struct hr_findings *findings);
