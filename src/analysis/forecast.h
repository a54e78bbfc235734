// SPDX-License-Identifier: MIT
// When a limit will be reached if the growth goes on as it did: only where it is straight, and
// always as an interval.
#pragma once

#include "analysis/facts.h"

// Uses options->limit_bytes, or else the cgroup's limit. `known` is false without a limit, without
// a clock, or where the growth is not linear.
struct hr_forecast hr_forecast_compute(struct hr_arena *arena, const struct hr_run *run,
                                       const struct hr_analysis_options *options,
                                       const struct hr_findings *findings,
                                       const struct hr_facts *facts);
