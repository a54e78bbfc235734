// SPDX-License-Identifier: MIT
#include "analysis/heap.h"

#include "analysis/offsets.h"

#include <math.h>

// The final state of the heap is the median of so many last dumps.
#define LAST_DUMPS 5

struct hr_gauge hr_heap_profile(const struct hr_findings *findings)
{
    if (!findings->point_times_s || !findings->choice) {
        return (struct hr_gauge){0};
    }
    return (struct hr_gauge){findings->choice->points_count, findings->point_times_s,
                             findings->total_series.value};
}

struct hr_gauge hr_heap_shown(struct hr_arena *arena, const struct hr_run *run,
                              const struct hr_findings *findings)
{
    return hr_gauge_combine(arena, hr_heap_profile(findings), 1,
                            hr_offset_promoted(arena, run, findings));
}

static struct hr_estimate difference_of(double first, double first_error, double last,
                                        double last_error)
{
    const double error = hypot(first_error, last_error);
    const double value = last - first;
    return (struct hr_estimate){value, value - error, value + error};
}

static double band_at(const struct hr_points *points, size_t index)
{
    if (!points->low || !points->high || isnan(points->low[index])) {
        return 0;
    }
    return fmax(points->value[index] - points->low[index],
                points->high[index] - points->value[index]);
}

// Median of points [first, first + count) with the widest of their bands: live objects are the same
// samples from dump to dump, so that a median over dumps makes the band no smaller.
static double level_of(const struct hr_points *points, size_t first, size_t count, double *band)
{
    g_autofree double *values = g_memdup2(points->value + first, count * sizeof *values);
    *band = 0;
    for (size_t i = 0; i < count; i++) {
        *band = fmax(*band, band_at(points, first + i));
    }
    return hr_gauge_median(values, count);
}

static size_t find_point(const struct hr_choice *choice, size_t dump, size_t otherwise)
{
    for (size_t i = 0; i < choice->points_count; i++) {
        if (choice->points[i] == dump) {
            return i;
        }
    }
    return otherwise;
}

// The heap by the dumps: the base dump against the median of the last five up to final.
static struct hr_part compare_levels(const struct hr_findings *findings)
{
    const struct hr_choice *choice = findings->choice;
    if (!choice || choice->points_count < 2 || !findings->total_series.value) {
        return HR_PART_NOT_KNOWN;
    }
    const struct hr_points *points = &findings->total_series;
    const size_t base = find_point(choice, choice->base, 0);
    const size_t final = find_point(choice, choice->final, choice->points_count - 1);
    if (final <= base) {
        return HR_PART_NOT_KNOWN;
    }
    const size_t span = final - base;
    const size_t last = MIN((size_t)LAST_DUMPS, MAX(span / 2, (size_t)1));
    struct hr_part part = HR_PART_NOT_KNOWN;
    double last_band;
    const double final_level = level_of(points, final + 1 - last, last, &last_band);
    part.base_bytes = points->value[base];
    part.growth = difference_of(part.base_bytes, band_at(points, base), final_level, last_band);
    const size_t third = final - span / 3;
    const size_t early = MIN(last, (final - third) / 2);
    if (early > 0) {
        double third_band;
        const double level = level_of(points, third, early, &third_band);
        part.last_third = difference_of(level, third_band, final_level, last_band);
    }
    return part;
}

// What the shape of a series says of a growth that the last third leaves open.
static bool shape_has_ended(enum hr_shape shape)
{
    return shape == HR_SHAPE_PLATEAU || shape == HR_SHAPE_STEP || shape == HR_SHAPE_SAWTOOTH ||
           shape == HR_SHAPE_BURST;
}

// A heap that came all the way down again within the last third did not grow, wherever in a burst
// the compared states were taken.
static void leave_out_swings(struct hr_gauge gauge, struct hr_part *part)
{
    if (hr_part_passes(part->state) &&
        hr_gauge_swings_back(gauge, part->base_bytes, part->growth.value)) {
        part->state = HR_PART_FLAT;
    }
}

// Dumps are not independent: with enough of them, it is the trend's bound that tells growth which
// goes on from growth that churn can do. Method 3.
static struct hr_part judge_by_trend(const struct hr_rules *rules, const struct hr_trend *trend,
                                     struct hr_part part)
{
    part.state = hr_part_judge(rules, &part);
    if (isnan(trend->growth.value)) {
        return part;
    }
    part.last_third = trend->last_third;
    // Two dumps show less than a series of them: growth that is smaller, and that there is none.
    if (!hr_part_passes(part.state) &&
        hr_part_error_bytes(trend->growth) < hr_part_error_bytes(part.growth)) {
        part.growth = trend->growth;
    }
    part.state = hr_part_judge(rules, &part);
    if (!hr_part_passes(part.state)) {
        return part;
    }
    const double ended = rules->thresholds[HR_THRESHOLD_grew_last_third_ratio];
    if (trend->counts) {
        part.state = HR_PART_GROWS;
    } else if (trend->shape == HR_SHAPE_FLAT) {
        // The base dump alone was low: written while the service began.
        part.state = HR_PART_FLAT;
        part.growth = trend->growth;
    } else if (part.state == HR_PART_GROWS) {
        part.state = HR_PART_UNDECIDED;
    } else if (part.state == HR_PART_UNDECIDED && shape_has_ended(trend->shape) &&
               part.last_third.value < ended * part.growth.value) {
        part.state = HR_PART_GREW;
    }
    return part;
}

// The lowest value within one spacing of the moment: what was certainly there already.
static double level_around(struct hr_gauge gauge, double time_s)
{
    const double spacing_s = hr_gauge_spacing_s(gauge);
    const struct hr_window around = {time_s - spacing_s, time_s + spacing_s};
    const struct hr_gauge near = hr_gauge_clip(gauge, around);
    double level = NAN;
    for (size_t i = 0; i < near.count; i++) {
        level = fmin(level, near.value[i]);
    }
    return level;
}

// The allocator's own count can tell that what the dumps show is no growth: the memory was there
// at base already (profiling was switched on late), or is gone at the end (a burst).
static bool is_refuted(const struct hr_part *profile, double allocated_at_base,
                       double allocated_final)
{
    const double half_way = profile->base_bytes + profile->growth.value / 2;
    return allocated_final < half_way || allocated_at_base > half_way;
}

// The first and last known addition by profiling stand for the time before and after.
struct hr_gauge hr_heap_counted(struct hr_arena *arena, const struct hr_run *run,
                                const struct hr_findings *findings)
{
    const struct hr_gauge allocated = hr_gauge_of_evidence(&run->evidence, HR_EVIDENCE_ALLOCATED);
    const struct hr_gauge promoted = hr_offset_promoted(arena, run, findings);
    if (allocated.count == 0 || promoted.count == 0) {
        return allocated;
    }
    const double first_s = promoted.time_s[0];
    const double last_s = promoted.time_s[promoted.count - 1];
    double *value = HR_ARENA_ARRAY(arena, double, allocated.count);
    for (size_t i = 0; i < allocated.count; i++) {
        const double time_s = CLAMP(allocated.time_s[i], first_s, last_s);
        const double added = hr_gauge_at(promoted, time_s);
        value[i] = allocated.value[i] - (isnan(added) ? promoted.value[0] : added);
    }
    return (struct hr_gauge){allocated.count, allocated.time_s, value};
}

// How much of the count the dumps show: the median over the last dumps, each beside the count at
// its own moment.
static double compute_coverage(const struct hr_findings *findings, struct hr_gauge counted,
                               const struct hr_part *by_count)
{
    const struct hr_gauge profile = hr_heap_profile(findings);
    const size_t last = MIN((size_t)LAST_DUMPS, profile.count);
    double ratios[LAST_DUMPS];
    size_t count = 0;
    for (size_t i = profile.count - last; i < profile.count; i++) {
        const double at_dump = hr_gauge_at(counted, profile.time_s[i]);
        if (at_dump > 0) {
            ratios[count++] = profile.value[i] / at_dump;
        }
    }
    if (count > 0) {
        return hr_gauge_median(ratios, count);
    }
    return findings->totals.final.value / (by_count->base_bytes + by_count->growth.value);
}

static bool agrees(const struct hr_rules *rules, double coverage_ratio)
{
    return coverage_ratio >= rules->thresholds[HR_THRESHOLD_coverage_high_low_ratio] &&
           coverage_ratio <= rules->thresholds[HR_THRESHOLD_coverage_high_high_ratio];
}

// It passes when either witness does; its last third is read from the count where that is known.
static struct hr_part combine_witnesses(const struct hr_rules *rules, const struct hr_heap *heap,
                                        double counted_at_base)
{
    const struct hr_part *by_dumps = &heap->by_dumps;
    const struct hr_part *by_count = &heap->by_count;
    if (by_count->state == HR_PART_UNKNOWN) {
        return *by_dumps;
    }
    const double counted_final = by_count->base_bytes + by_count->growth.value;
    if (!hr_part_passes(by_dumps->state) || is_refuted(by_dumps, counted_at_base, counted_final)) {
        return *by_count;
    }
    struct hr_part part = *by_dumps;
    part.last_third = by_count->last_third;
    part.state = hr_part_judge(rules, &part);
    // Where both tell of growth, the dumps give its amount, from base to final like everything
    // that is said of stacks, and the count tells whether it goes on.
    if (hr_part_passes(by_count->state)) {
        part.state = by_count->state;
        return agrees(rules, heap->coverage_ratio) ? part : *by_count;
    }
    return part;
}

struct hr_heap hr_heap_compute(struct hr_arena *arena, const struct hr_run *run,
                               const struct hr_rules *rules, const struct hr_findings *findings,
                               const struct hr_windows *windows)
{
    const struct hr_gauge counted = hr_heap_counted(arena, run, findings);
    const struct hr_trend *trend = &findings->totals.trend;
    struct hr_heap heap = {.by_dumps = judge_by_trend(rules, trend, compare_levels(findings)),
                           .by_count = hr_part_of_gauge(rules, windows, counted)};
    if (!trend->counts) {
        leave_out_swings(hr_gauge_clip(hr_heap_profile(findings), windows->dumps), &heap.by_dumps);
    }
    leave_out_swings(hr_gauge_clip(counted, windows->dumps), &heap.by_count);
    heap.dumps_known = heap.by_dumps.state != HR_PART_UNKNOWN;
    heap.count_known = heap.by_count.state != HR_PART_UNKNOWN;
    heap.coverage_ratio = compute_coverage(findings, counted, &heap.by_count);
    // Dumps that show next to nothing of the heap are no witness of it.
    if (heap.coverage_ratio < rules->thresholds[HR_THRESHOLD_coverage_low_ratio]) {
        heap.by_dumps.state = HR_PART_UNKNOWN;
    }
    heap.part = combine_witnesses(rules, &heap, level_around(counted, windows->dumps.from_s));
    heap.from_dumps = heap.part.growth.value == heap.by_dumps.growth.value;
    if (heap.from_dumps && findings->totals.significant && hr_part_passes(heap.part.state)) {
        // What grows was judged by a level of several dumps; its amount is said as everywhere else.
        heap.part.growth = findings->totals.growth;
    }
    heap.bytes = heap.count_known ? heap.by_count.base_bytes + heap.by_count.growth.value
                                  : findings->totals.final.value;
    return heap;
}
