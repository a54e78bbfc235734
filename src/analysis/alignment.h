// SPDX-License-Identifier: MIT
// How an exact quantity (a counter, a line of /proc) moved over a window: medians of the window's
// ends instead of picked points, and an error read from the quantity's own noise. Methods 2 and 4.
// Knows neither parts nor rules.
#pragma once

#include "base/arena.h"
#include "base/estimate.h"
#include "model/evidence.h"

#include <stdbool.h>

// One quantity over time, times rising. Count 0: not measured.
struct hr_gauge {
    size_t count;
    const double *time_s;
    const double *value;
};

// Inclusive on both ends, Unix time.
struct hr_window {
    double from_s;
    double to_s;
};

// Values compared at each end of a window, at least.
#define HR_MOVEMENT_GROUP_MIN ((size_t)3)

// All in the unit of the gauge. Unknown (NAN) where the window holds too little.
struct hr_movement {
    struct hr_estimate growth;     // median of the last tenth minus median of the first
    struct hr_estimate last_third; // the same within the last third of the window
    double base;                   // the two medians
    double final;
    double growth_s;     // from the middle of the first group of values to that of the last
    double last_third_s; // the same within the last third
    double noise;        // standard deviation around the running median
    size_t count;        // values inside the window
};

#define HR_MOVEMENT_UNKNOWN                                                                        \
    ((struct hr_movement){HR_ESTIMATE_UNKNOWN, HR_ESTIMATE_UNKNOWN, NAN, NAN, NAN, NAN, NAN, 0})

// A measured quantity; shares the evidence's memory.
struct hr_gauge hr_gauge_of_evidence(const struct hr_evidence *evidence, enum hr_evidence_id id);

// The part of a gauge inside the window; shares the gauge's memory.
struct hr_gauge hr_gauge_clip(struct hr_gauge gauge, struct hr_window window);

// first + sign * second at each moment of `first` that lies within the time of `second`, which is
// interpolated to that moment. Moments beyond the ends of `second` by more than its usual spacing
// are left out. Memory is in `arena`.
struct hr_gauge hr_gauge_combine(struct hr_arena *arena, struct hr_gauge first, double sign,
                                 struct hr_gauge second);

// The gauge's value at a moment, interpolated; NAN outside its time (see hr_gauge_combine).
double hr_gauge_at(struct hr_gauge gauge, double time_s);

// The usual distance of two neighbours, by time; 0 with fewer than two values.
double hr_gauge_spacing_s(struct hr_gauge gauge);

// Computes how the gauge changed over the window. Unknown with fewer than two groups of three
// values, or when the values span less than half of the window.
struct hr_movement hr_movement_compute(struct hr_gauge gauge, struct hr_window window);

// How the gauge changed in its last third, where the moment at which that began lies in a hole:
// what was seen after the hole is the one end of the interval, what came since before it the other,
// and `error` is added to both. False, and nothing set, where the beginning was seen.
bool hr_gauge_unseen_third(struct hr_gauge gauge, double error, struct hr_estimate *last_third);

// True when the gauge went up by half of `growth` or more and was back within a quarter of it above
// `base`, within the last third of its time or twice before: a swing, whatever its ends say.
bool hr_gauge_swings_back(struct hr_gauge gauge, double base, double growth);

// The median of `count` values; NAN without any. `values` is reordered.
double hr_gauge_median(double *values, size_t count);
