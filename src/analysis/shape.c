// SPDX-License-Identifier: MIT
#include "analysis/shape.h"

#include "analysis/quantile.h"

#define SEGMENTS 8
#define STEP_JUMP_SHARE 0.3
// A step takes at most this share of the window for the middle half of its height.
#define STEP_TIME_SHARE 0.06
#define START_VALUES 3
// A swing counts when it is this many standard deviations of a single value ...
#define SWING_SIGMAS 3
// ... and this share of the whole range.
#define SWING_OF_RANGE 0.4
#define SAWTOOTH_FALLS 2

static double segment_median(const double *values, size_t count, size_t segment)
{
    const size_t first = segment * count / SEGMENTS;
    const size_t end = (segment + 1) * count / SEGMENTS;
    return hr_median(values + first, end - first);
}

double hr_shape_jump_share(const double *values, size_t count)
{
    double median[SEGMENTS];
    for (size_t i = 0; i < SEGMENTS; i++) {
        median[i] = segment_median(values, count, i);
    }
    const double growth = median[SEGMENTS - 1] - median[0];
    double best = 0;
    for (size_t i = 2; i < SEGMENTS; i++) {
        const double jump = median[i] - median[i - 2];
        best = growth > 0 ? fmax(best, jump) : fmin(best, jump);
    }
    return growth == 0 ? 0 : (growth - best) / growth;
}

// Rises and falls of at least `swing`, counted by turning points.
static void count_swings(const double *values, size_t count, double swing, int *rises, int *falls)
{
    double low = values[0];
    double high = values[0];
    int direction = 0;
    for (size_t i = 1; i < count; i++) {
        low = fmin(low, values[i]);
        high = fmax(high, values[i]);
        if (direction <= 0 && values[i] - low >= swing) {
            (*rises)++;
            direction = 1;
            high = values[i];
        } else if (direction >= 0 && high - values[i] >= swing) {
            (*falls)++;
            direction = -1;
            low = values[i];
        }
    }
}

static enum hr_shape name_swings(const struct hr_shape_facts *facts)
{
    g_autofree double *sorted = g_memdup2(facts->values, facts->count * sizeof *facts->values);
    const double lowest = hr_quantile(sorted, facts->count, 0);
    const double range = sorted[facts->count - 1] - lowest;
    const double swing = fmax(SWING_SIGMAS * facts->sigma, SWING_OF_RANGE * range);
    int rises = 0;
    int falls = 0;
    if (range > swing) {
        count_swings(facts->values, facts->count, swing, &rises, &falls);
    }
    if (falls >= SAWTOOTH_FALLS && rises >= SAWTOOTH_FALLS) {
        return HR_SHAPE_SAWTOOTH;
    }
    return rises > 0 && falls > 0 ? HR_SHAPE_BURST : HR_SHAPE_FLAT;
}

// The share of the window between a quarter and three quarters of the way up.
static double rise_time_share(const double *values, size_t count)
{
    const double from = hr_median(values, MIN(START_VALUES, count));
    const double height = segment_median(values, count, SEGMENTS - 1) - from;
    size_t up = 0;
    while (up + 1 < count && values[up] < from + 0.75 * height) {
        up++;
    }
    size_t down = up;
    while (down > 0 && values[down] > from + 0.25 * height) {
        down--;
    }
    return (double)(up - down) / (double)count;
}

enum hr_shape hr_shape_name(const struct hr_shape_facts *facts)
{
    if (facts->counts) {
        return HR_SHAPE_LINEAR;
    }
    if (facts->counts_down) {
        return HR_SHAPE_SHRINKING;
    }
    const enum hr_shape swings = name_swings(facts);
    if (swings != HR_SHAPE_FLAT) {
        return swings;
    }
    if (fabs(facts->z) <= facts->z_min) {
        return HR_SHAPE_FLAT;
    }
    if (facts->growth < 0) {
        return HR_SHAPE_SHRINKING;
    }
    if (facts->jump_share <= STEP_JUMP_SHARE &&
        rise_time_share(facts->values, facts->count) <= STEP_TIME_SHARE) {
        return HR_SHAPE_STEP;
    }
    return facts->slows ? HR_SHAPE_PLATEAU : HR_SHAPE_UNKNOWN;
}
