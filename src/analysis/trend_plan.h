// SPDX-License-Identifier: MIT
// What all trends of a run share: the points on an even grid of time, and the contrasts that read
// growth from them, with what a bound on their variance needs. Method 3.
#pragma once

#include "base/arena.h"

#include <stdbool.h>
#include <stddef.h>

// Fewer points say nothing of a trend.
#define HR_TREND_POINTS_MIN 8

// Weights that sum to 0: for a straight line they give its growth over the contrast's span.
struct hr_contrast {
    const double *weight; // [points of the plan]
    double mass;          // sum of the positive weights, which is minus that of the negative ones
    double same_total;    // sum over pairs of one sign of the product of their weights
    const double *same;   // [lags + 1]: the same for pairs at each lag
};

// Ways to read growth: the least-squares slope, and end means of four widths.
#define HR_CONTRAST_KINDS 5

struct hr_trend_plan {
    size_t count;        // points on the grid; less than HR_TREND_POINTS_MIN: no trend
    const size_t *point; // [count]: which of the run's points stands at each place
    const double *place; // [count]: 0 to 1 in time
    size_t lags;         // the variogram is known up to this lag
    double window_h;     // hours from first to last point, NAN without a clock
    struct hr_contrast whole[HR_CONTRAST_KINDS];
    struct hr_contrast halves[2][HR_CONTRAST_KINDS];
    struct hr_contrast slowing[HR_CONTRAST_KINDS]; // first half minus second
    struct hr_contrast last_third[HR_CONTRAST_KINDS];
};

// Plans for points at these times (NULL: no clock, order stands for time).
const struct hr_trend_plan *hr_trend_plan_new(struct hr_arena *arena, const double *time_s,
                                              size_t points_count);
