// SPDX-License-Identifier: MIT
#include "analysis/startup.h"

#include <math.h>

// A start is over within this share of the time; what lasts longer is growth.
#define STARTUP_TIME_RATIO 0.1
// Who holds less than this share of what it then always holds has not begun its work.
#define NOT_STARTED_RATIO 0.1

double hr_startup_end_s(struct hr_gauge gauge)
{
    if (gauge.count < 2) {
        return NAN;
    }
    const double from_s = gauge.time_s[0];
    const double until_s = from_s + STARTUP_TIME_RATIO * (gauge.time_s[gauge.count - 1] - from_s);
    double lowest = INFINITY; // of all that follow the start
    size_t started = gauge.count;
    while (started > 0 && gauge.time_s[started - 1] > until_s) {
        started--;
        lowest = fmin(lowest, gauge.value[started]);
    }
    return gauge.value[0] < NOT_STARTED_RATIO * lowest ? gauge.time_s[started] : NAN;
}
