// SPDX-License-Identifier: MIT
#include "analysis/alignment.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// A group of fewer values than this is no median worth the name.
#define GROUP_MIN HR_MOVEMENT_GROUP_MIN
#define RUNNING_WIDTH_MAX 7
#define RUNNING_WIDTH_MIN 5
// Values must span this share of the window to speak for it.
#define SPAN_MIN_RATIO 0.5
// From the median absolute deviation to a standard deviation.
#define MAD_TO_SD 1.48
// A gap of this many usual spacings is a hole, not something to interpolate across.
#define HOLE_SPACINGS 5
// What went up and came back so often is a cycle, not growth.
#define RETURNS_OF_A_CYCLE 2

static int compare_doubles(const void *first, const void *second)
{
    const double a = *(const double *)first;
    const double b = *(const double *)second;
    return (a > b) - (a < b);
}

double hr_gauge_median(double *values, size_t count)
{
    if (count == 0) {
        return NAN;
    }
    qsort(values, count, sizeof *values, compare_doubles);
    const size_t middle = count / 2;
    return count % 2 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

static double median_of(const double *values, size_t count)
{
    g_autofree double *copy = g_memdup2(values, count * sizeof *values);
    return hr_gauge_median(copy, count);
}

// First index whose time is not before `time_s`.
static size_t find_time(struct hr_gauge gauge, double time_s)
{
    size_t low = 0;
    size_t high = gauge.count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (gauge.time_s[middle] < time_s) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

struct hr_gauge hr_gauge_of_evidence(const struct hr_evidence *evidence, enum hr_evidence_id id)
{
    const struct hr_evidence_series *series = &evidence->series[id];
    return (struct hr_gauge){series->count, series->time_s, series->value};
}

struct hr_gauge hr_gauge_clip(struct hr_gauge gauge, struct hr_window window)
{
    const size_t first = find_time(gauge, window.from_s);
    size_t end = find_time(gauge, window.to_s);
    while (end < gauge.count && gauge.time_s[end] <= window.to_s) {
        end++;
    }
    if (first >= end) {
        return (struct hr_gauge){0};
    }
    return (struct hr_gauge){end - first, gauge.time_s + first, gauge.value + first};
}

// The gap that half of the time lies in gaps up to: dumps that crowd into a moment do not make the
// rest of the run a hole. The longest gap alone may be one and has no say.
double hr_gauge_spacing_s(struct hr_gauge gauge)
{
    if (gauge.count < 2) {
        return 0;
    }
    const size_t count = gauge.count - 1;
    g_autofree double *gaps = g_new(double, count);
    for (size_t i = 0; i < count; i++) {
        gaps[i] = gauge.time_s[i + 1] - gauge.time_s[i];
    }
    qsort(gaps, count, sizeof *gaps, compare_doubles);
    const double all_s = gauge.time_s[count] - gauge.time_s[0] - gaps[count - 1];
    double passed_s = 0;
    for (size_t i = 0; i + 1 < count; i++) {
        passed_s += gaps[i];
        if (passed_s >= all_s / 2) {
            return gaps[i];
        }
    }
    return gaps[count - 1];
}

static double interpolate(struct hr_gauge gauge, double spacing_s, double time_s)
{
    const size_t after = find_time(gauge, time_s);
    if (after < gauge.count && gauge.time_s[after] == time_s) {
        return gauge.value[after];
    }
    if (after == 0 || after == gauge.count) {
        const size_t end = after == 0 ? 0 : gauge.count - 1;
        const bool near = gauge.count > 0 && fabs(gauge.time_s[end] - time_s) <= spacing_s;
        return near ? gauge.value[end] : NAN;
    }
    const double gap_s = gauge.time_s[after] - gauge.time_s[after - 1];
    if (spacing_s > 0 && gap_s > HOLE_SPACINGS * spacing_s) {
        return NAN;
    }
    const double share = (time_s - gauge.time_s[after - 1]) / gap_s;
    return gauge.value[after - 1] + share * (gauge.value[after] - gauge.value[after - 1]);
}

double hr_gauge_at(struct hr_gauge gauge, double time_s)
{
    return interpolate(gauge, hr_gauge_spacing_s(gauge), time_s);
}

struct hr_gauge hr_gauge_combine(struct hr_arena *arena, struct hr_gauge first, double sign,
                                 struct hr_gauge second)
{
    if (first.count == 0 || second.count == 0) {
        return (struct hr_gauge){0};
    }
    double *time_s = HR_ARENA_ARRAY(arena, double, first.count);
    double *value = HR_ARENA_ARRAY(arena, double, first.count);
    const double spacing_s = hr_gauge_spacing_s(second);
    size_t count = 0;
    for (size_t i = 0; i < first.count; i++) {
        const double other = interpolate(second, spacing_s, first.time_s[i]);
        if (isnan(other) || isnan(first.value[i])) {
            continue;
        }
        time_s[count] = first.time_s[i];
        value[count++] = first.value[i] + sign * other;
    }
    return (struct hr_gauge){count, time_s, value};
}

// 1.48 x the median absolute deviation around a running median, over whole windows only: at the
// edge a slope would count as noise. NAN where not one window fits. Method 2.
static double compute_noise(struct hr_gauge gauge)
{
    const size_t width = gauge.count >= RUNNING_WIDTH_MAX ? RUNNING_WIDTH_MAX : RUNNING_WIDTH_MIN;
    if (gauge.count < width) {
        return NAN;
    }
    const size_t windows = gauge.count - width + 1;
    g_autofree double *deviations = g_new(double, windows);
    for (size_t i = 0; i < windows; i++) {
        deviations[i] = fabs(gauge.value[i + width / 2] - median_of(gauge.value + i, width));
    }
    return MAD_TO_SD * hr_gauge_median(deviations, windows);
}

// How many values lie in the first and in the last tenth of the gauge's time, at least `minimum`
// each; the two never overlap.
static void count_tenths(struct hr_gauge gauge, size_t minimum, size_t *first, size_t *last)
{
    const double from_s = gauge.time_s[0];
    const double to_s = gauge.time_s[gauge.count - 1];
    const double tenth_s = (to_s - from_s) / 10;
    size_t early = 0;
    while (early < gauge.count && gauge.time_s[early] <= from_s + tenth_s) {
        early++;
    }
    size_t late = 0;
    while (late < gauge.count && gauge.time_s[gauge.count - 1 - late] >= to_s - tenth_s) {
        late++;
    }
    *last = MAX(late, minimum);
    *first = MIN(MAX(early, minimum), gauge.count - MIN(*last, gauge.count));
}

static struct hr_estimate with_error(double value, double noise, size_t group)
{
    const double error = 1.96 * noise * sqrt(6.0 / (double)group);
    return (struct hr_estimate){value, value - error, value + error};
}

// Fills growth between two groups of the gauge's values, the first `early` and the last `late`.
static void compare_groups(struct hr_gauge gauge, size_t early, size_t late, double noise,
                           struct hr_estimate *growth, double *between_s)
{
    const size_t start = gauge.count - late;
    const double value = median_of(gauge.value + start, late) - median_of(gauge.value, early);
    *growth = with_error(value, noise, MIN(early, late));
    *between_s = median_of(gauge.time_s + start, late) - median_of(gauge.time_s, early);
}

static double last_third_from_s(struct hr_gauge gauge)
{
    const double to_s = gauge.time_s[gauge.count - 1];
    return to_s - (to_s - gauge.time_s[0]) / 3;
}

// The first value after the hole in which `time_s` lies; 0 where it lies in none.
static size_t find_end_of_hole(struct hr_gauge gauge, double time_s)
{
    const size_t after = find_time(gauge, time_s);
    if (after == 0 || after == gauge.count || gauge.time_s[after] == time_s) {
        return 0;
    }
    const double spacing_s = hr_gauge_spacing_s(gauge);
    const double gap_s = gauge.time_s[after] - gauge.time_s[after - 1];
    return spacing_s > 0 && gap_s > HOLE_SPACINGS * spacing_s ? after : 0;
}

bool hr_gauge_unseen_third(struct hr_gauge gauge, double error, struct hr_estimate *last_third)
{
    const double from_s = gauge.count < 2 ? NAN : last_third_from_s(gauge);
    const size_t after = isnan(from_s) ? 0 : find_end_of_hole(gauge, from_s);
    if (after == 0) {
        return false;
    }
    // Groups as everywhere, yet those at both ends of what was seen after the hole never overlap.
    const size_t seen = gauge.count - after;
    const size_t group = CLAMP(seen / 2, 1, GROUP_MIN);
    const size_t before = MIN(after, (size_t)GROUP_MIN);
    const double final = median_of(gauge.value + gauge.count - group, group);
    const double there = median_of(gauge.value + after, group);
    const double here = median_of(gauge.value + after - before, before);
    const double gap_s = gauge.time_s[after] - gauge.time_s[after - 1];
    const double share = (from_s - gauge.time_s[after - 1]) / gap_s;
    *last_third = (struct hr_estimate){final - (here + share * (there - here)),
                                       fmin(final - there, final - here) - error,
                                       fmax(final - there, final - here) + error};
    return true;
}

static void add_last_third(struct hr_gauge gauge, struct hr_movement *movement)
{
    const double to_s = gauge.time_s[gauge.count - 1];
    const double from_s = last_third_from_s(gauge);
    const double error = 1.96 * movement->noise * sqrt(6.0 / GROUP_MIN);
    if (hr_gauge_unseen_third(gauge, error, &movement->last_third)) {
        movement->last_third_s = to_s - from_s;
        return;
    }
    const struct hr_gauge third = hr_gauge_clip(gauge, (struct hr_window){from_s, to_s});
    if (third.count < 2) {
        return;
    }
    // Few values: smaller groups with the larger error that goes with them.
    const size_t minimum = MIN((size_t)GROUP_MIN, third.count / 2);
    size_t early;
    size_t late;
    count_tenths(third, minimum, &early, &late);
    if (MIN(early, late) > 0) {
        compare_groups(third, early, late, movement->noise, &movement->last_third,
                       &movement->last_third_s);
    }
}

struct hr_movement hr_movement_compute(struct hr_gauge gauge, struct hr_window window)
{
    const struct hr_gauge inside = hr_gauge_clip(gauge, window);
    struct hr_movement movement = HR_MOVEMENT_UNKNOWN;
    movement.count = inside.count;
    if (inside.count < 2 * GROUP_MIN) {
        return movement;
    }
    const double span_s = inside.time_s[inside.count - 1] - inside.time_s[0];
    if (!(span_s > 0) || span_s < SPAN_MIN_RATIO * (window.to_s - window.from_s)) {
        return movement;
    }
    size_t early;
    size_t late;
    count_tenths(inside, GROUP_MIN, &early, &late);
    if (MIN(early, late) < GROUP_MIN) {
        return movement;
    }
    movement.noise = compute_noise(inside);
    movement.base = median_of(inside.value, early);
    movement.final = median_of(inside.value + inside.count - late, late);
    compare_groups(inside, early, late, movement.noise, &movement.growth, &movement.growth_s);
    add_last_third(inside, &movement);
    return movement;
}

bool hr_gauge_swings_back(struct hr_gauge gauge, double base, double growth)
{
    if (gauge.count == 0 || !(growth > 0)) {
        return false;
    }
    const double last_third_s = last_third_from_s(gauge);
    bool is_high = false;
    size_t returns = 0;
    for (size_t i = 0; i < gauge.count; i++) {
        const double above = gauge.value[i] - base;
        if (is_high && above <= growth / 4) {
            returns++;
            is_high = false;
            if (returns >= RETURNS_OF_A_CYCLE || gauge.time_s[i] >= last_third_s) {
                return true;
            }
        }
        is_high = is_high || above >= growth / 2;
    }
    return false;
}
