// SPDX-License-Identifier: MIT
// Growth of a series that noise and churn do not explain. Dumps of one process are not independent,
// so the error is a bound that holds for any steady process whose objects live independently of
// each other. Method 3, where the figures behind the constants stand.
#pragma once

#include "analysis/tracks.h"
#include "analysis/trend_plan.h"

// Reads the trend of a track; it counts above `z_min` standard deviations of the bound. Shape
// unknown and no estimates where the plan has too few points.
struct hr_trend hr_trend_compute(const struct hr_trend_plan *plan, const struct hr_track *track,
                                 bool accumulates, double z_min);

// Standard deviation of the best contrast per unit of the process's own: what a growth is measured
// against, for a place whose objects live as those of this track. NAN without a trend.
double hr_trend_relative_sigma(const struct hr_trend_plan *plan, const struct hr_track *track,
                               bool accumulates);
