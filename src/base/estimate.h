// SPDX-License-Identifier: MIT
// A number with its 95 % interval.
#pragma once

#include <math.h>

// low <= value <= high; a value of NAN is unknown; low and high are NAN where no interval is known
// and equal to the value where it is exact.
struct hr_estimate {
    double value;
    double low;
    double high;
};

#define HR_ESTIMATE_UNKNOWN ((struct hr_estimate){NAN, NAN, NAN})
