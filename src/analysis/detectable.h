// SPDX-License-Identifier: MIT
// The smallest growth of one place that this run would have shown nine times in ten.
#pragma once

#include "analysis/suspects.h"

// Bytes, from the run's R, churn and number of points, for a place as busy as the one that holds
// the median byte. NAN without samples. Method 2.
double hr_detectable_compute(const struct hr_suspects_input *input);
