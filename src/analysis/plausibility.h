// SPDX-License-Identifier: MIT
// Whether what was measured beside the dumps can be of the process that wrote them.
#pragma once

#include "analysis/findings.h"

// Reports the last dump for which the process's own memory is known, where the heap of that dump is
// surely more than this. Needs choice, point_times_s and total_series; scratch memory is in `arena`.
void hr_plausibility_report(struct hr_arena *arena, const struct hr_run *run,
                            const struct hr_findings *findings,
                            struct hr_diagnostics *diagnostics);
