// SPDX-License-Identifier: MIT
// The heap as a whole: its totals, how it was sampled, and what the reader must know of both.
#pragma once

#include "analysis/suspects.h"

// Sets sampling, sample_interval_bytes and teardown_survived_ratio.
void hr_totals_set_sampling(const struct hr_run *run, struct hr_findings *findings);

// Sets totals (but for what hr_suspects_compute() sets, coverage and the smallest detectable
// growth) and total_series.
void hr_totals_compute(struct hr_arena *arena, const struct hr_suspects_input *input,
                       struct hr_findings *findings);

// Says what bears on the numbers: few dumps, breaks, sampling off, stacks of one frame.
void hr_totals_report(const struct hr_run *run, const struct hr_findings *findings,
                      struct hr_diagnostics *diagnostics);
