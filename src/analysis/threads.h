// SPDX-License-Identifier: MIT
// Base and final by the threads that allocated. Threads of one name are one row: a pool's workers
// come and go.
#pragma once

#include "analysis/findings.h"

// Fills the threads of the findings from the rows of threads in base and final; none where the run
// has none. What they lack to the total is the composer's to tell.
void hr_threads_compute(struct hr_arena *arena, const struct hr_run *run,
                        struct hr_findings *findings);
