// SPDX-License-Identifier: MIT
// How large the live objects are: bytes by mean object size, in powers of two.
#pragma once

#include "analysis/findings.h"

// Sets findings->sizes from the rows of base and final; every row lies where its mean size does.
void hr_sizes_compute(struct hr_arena *arena, const struct hr_run *run,
                      struct hr_findings *findings);
