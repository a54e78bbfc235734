// SPDX-License-Identifier: MIT
// A whole /proc/PID/smaps as sums: what smaps_rollup says, and two kinds of memory that no
// allocator of ours made, known by how their mappings lie: threads' stacks, and the arenas of the C
// library. Also for the recorder, which keeps the sums and not the text.
#pragma once

#include "model/evidence.h"

#include <stddef.h>

struct hr_smaps_sums {
    double bytes[HR_EVIDENCE_COUNT]; // NAN: not said
};

// Sums one snapshot. False when the text holds no mapping, was cut, holds a number that cannot be
// read, or is of several snapshots: then it is no sum of anything.
bool hr_smaps_sum(const char *text, size_t size, struct hr_smaps_sums *sums);
