// SPDX-License-Identifier: MIT
// Order statistics of plain arrays: medians and the like, used wherever one odd value must not
// decide.
#pragma once

#include <stddef.h>

// The value below which a share `q` (0 to 1) of the values lies, interpolated between neighbours.
// Reorders `values`; NAN for none.
double hr_quantile(double *values, size_t count, double q);

// The median, leaving `values` as they are.
double hr_median(const double *values, size_t count);
