// SPDX-License-Identifier: MIT
// Which of many dumps make up the series: few enough to keep, spread over the window's time.
#pragma once

#include "model/run.h"

#define HR_POINTS_MAX 512

// Picks at most `limit` (0: HR_POINTS_MAX) of the dumps `at[0..count)`, spread evenly over time
// (over order without a clock), always the first, the last and at[peak]. Returns indices in
// run->dumps, rising, in `arena`.
const size_t *hr_choice_points(struct hr_arena *arena, const struct hr_run *run, const size_t *at,
                               size_t count, size_t peak, size_t limit, size_t *points_count);
