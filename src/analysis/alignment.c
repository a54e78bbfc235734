// SPDX-License-Identifier: MIT
#include "analysis/alignment.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// A group of fewer values than this is no median worth the name.
#define GROUP_MIN 3
#define RUNNING_WIDTH_MAX 7
#define RUNNING_WIDTH_MIN 5
// Values must span this share of the window to speak for it.
#define SPAN_MIN_RATIO 0.5
// From the median absolute deviation to a standard deviation.
#define MAD_TO_SD 1.48
// A gap of this many usual spacings is a hole, not something to interpolate across.
#define HOLE_SPACINGS 5

static int compare_doubles(const void *first, const void *second)
{
    const double a = *(const double *)first;
    const double b = *(const double *)second;
    return (a > b) - (a < b);
}

double hr_median(double *values, size_t count)
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
    return hr_median(copy, count);
}

// First index whose time is not before `time_s`.
static size_t find_time(struct hr_track track, double time_s)
{
    size_t low = 0;
    size_t high = track.count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (track.time_s[middle] < time_s) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

struct hr_track hr_track_clip(struct hr_track track, struct hr_window window)
{
    const size_t first = find_time(track, window.from_s);
    size_t end = find_time(track, window.to_s);
    while (end < track.count && track.time_s[end] <= window.to_s) {
        end++;
    }
    if (first >= end) {
        return (struct hr_track){0};
    }
    return (struct hr_track){end - first, track.time_s + first, track.value + first};
}

double hr_track_spacing_s(struct hr_track track)
{
    if (track.count < 2) {
        return 0;
    }
    g_autofree double *gaps = g_new(double, track.count - 1);
    for (size_t i = 0; i + 1 < track.count; i++) {
        gaps[i] = track.time_s[i + 1] - track.time_s[i];
    }
    return hr_median(gaps, track.count - 1);
}

static double interpolate(struct hr_track track, double spacing_s, double time_s)
{
    const size_t after = find_time(track, time_s);
    if (after < track.count && track.time_s[after] == time_s) {
        return track.value[after];
    }
    if (after == 0 || after == track.count) {
        const size_t end = after == 0 ? 0 : track.count - 1;
        const bool near = track.count > 0 && fabs(track.time_s[end] - time_s) <= spacing_s;
        return near ? track.value[end] : NAN;
    }
    const double gap_s = track.time_s[after] - track.time_s[after - 1];
    if (spacing_s > 0 && gap_s > HOLE_SPACINGS * spacing_s) {
        return NAN;
    }
    const double share = (time_s - track.time_s[after - 1]) / gap_s;
    return track.value[after - 1] + share * (track.value[after] - track.value[after - 1]);
}

double hr_track_at(struct hr_track track, double time_s)
{
    return interpolate(track, hr_track_spacing_s(track), time_s);
}

struct hr_track hr_track_combine(struct hr_arena *arena, struct hr_track first, double sign,
                                 struct hr_track second)
{
    if (first.count == 0 || second.count == 0) {
        return (struct hr_track){0};
    }
    double *time_s = HR_ARENA_ARRAY(arena, double, first.count);
    double *value = HR_ARENA_ARRAY(arena, double, first.count);
    const double spacing_s = hr_track_spacing_s(second);
    size_t count = 0;
    for (size_t i = 0; i < first.count; i++) {
        const double other = interpolate(second, spacing_s, first.time_s[i]);
        if (isnan(other) || isnan(first.value[i])) {
            continue;
        }
        time_s[count] = first.time_s[i];
        value[count++] = first.value[i] + sign * other;
    }
    return (struct hr_track){count, time_s, value};
}

// 1.48 x the median absolute deviation around a running median, over whole windows only: at the
// edge a slope would count as noise. NAN where not one window fits. Method 2.
static double compute_noise(struct hr_track track)
{
    const size_t width = track.count >= RUNNING_WIDTH_MAX ? RUNNING_WIDTH_MAX : RUNNING_WIDTH_MIN;
    if (track.count < width) {
        return NAN;
    }
    const size_t windows = track.count - width + 1;
    g_autofree double *deviations = g_new(double, windows);
    for (size_t i = 0; i < windows; i++) {
        deviations[i] = fabs(track.value[i + width / 2] - median_of(track.value + i, width));
    }
    return MAD_TO_SD * hr_median(deviations, windows);
}

// How many values lie in the first and in the last tenth of the track's time, at least `minimum`
// each; the two never overlap.
static void count_tenths(struct hr_track track, size_t minimum, size_t *first, size_t *last)
{
    const double from_s = track.time_s[0];
    const double to_s = track.time_s[track.count - 1];
    const double tenth_s = (to_s - from_s) / 10;
    size_t early = 0;
    while (early < track.count && track.time_s[early] <= from_s + tenth_s) {
        early++;
    }
    size_t late = 0;
    while (late < track.count && track.time_s[track.count - 1 - late] >= to_s - tenth_s) {
        late++;
    }
    *last = MAX(late, minimum);
    *first = MIN(MAX(early, minimum), track.count - MIN(*last, track.count));
}

static struct hr_estimate with_error(double value, double noise, size_t group)
{
    const double error = 1.96 * noise * sqrt(6.0 / (double)group);
    return (struct hr_estimate){value, value - error, value + error};
}

static struct hr_estimate compute_last_third(struct hr_track track, double noise)
{
    const double to_s = track.time_s[track.count - 1];
    const double from_s = to_s - (to_s - track.time_s[0]) / 3;
    const struct hr_track third = hr_track_clip(track, (struct hr_window){from_s, to_s});
    if (third.count < 2) {
        return HR_ESTIMATE_UNKNOWN;
    }
    // Few values: smaller groups with the larger error that goes with them.
    const size_t minimum = MIN((size_t)GROUP_MIN, third.count / 2);
    size_t early;
    size_t late;
    count_tenths(third, minimum, &early, &late);
    if (MIN(early, late) == 0) {
        return HR_ESTIMATE_UNKNOWN;
    }
    const double value =
        median_of(third.value + third.count - late, late) - median_of(third.value, early);
    return with_error(value, noise, MIN(early, late));
}

struct hr_change hr_change_compute(struct hr_track track, struct hr_window window)
{
    const struct hr_track inside = hr_track_clip(track, window);
    struct hr_change change = HR_CHANGE_UNKNOWN;
    change.count = inside.count;
    if (inside.count < 2 * GROUP_MIN) {
        return change;
    }
    const double span_s = inside.time_s[inside.count - 1] - inside.time_s[0];
    if (!(span_s > 0) || span_s < SPAN_MIN_RATIO * (window.to_s - window.from_s)) {
        return change;
    }
    size_t early;
    size_t late;
    count_tenths(inside, GROUP_MIN, &early, &late);
    if (MIN(early, late) < GROUP_MIN) {
        return change;
    }
    change.noise = compute_noise(inside);
    change.base = median_of(inside.value, early);
    change.final = median_of(inside.value + inside.count - late, late);
    change.growth = with_error(change.final - change.base, change.noise, MIN(early, late));
    change.last_third = compute_last_third(inside, change.noise);
    return change;
}
