// SPDX-License-Identifier: MIT
#include "analysis/heap_dumps.h"

#include <math.h>

// The final state of the heap is the median of so many last dumps.
#define LAST_DUMPS 5
// Too few dumps for a trend: growth of so many times its 95 % error is beyond doubt, whatever the
// sizes of its objects.
#define FEW_DUMPS_ERRORS 2
#define SIGMAS_OF_95_PERCENT 1.96
// Places that grew and stopped explain the heap when they hold this share of its growth.
#define EXPLAINED_SHARE 0.5

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
    return shape == HR_SHAPE_PLATEAU || shape == HR_SHAPE_STEP;
}

// Growth of the last third beyond one standard deviation.
static bool still_shows(struct hr_estimate last_third)
{
    return last_third.value * SIGMAS_OF_95_PERCENT > hr_part_error_bytes(last_third);
}

// Dumps are not independent: with enough of them, it is the trend's bound that tells growth which
// goes on from growth that churn can do. Method 3.
static struct hr_part judge_by_trend(const struct hr_rules *rules, const struct hr_trend *trend,
                                     struct hr_part part)
{
    part.last_third = trend->last_third;
    part.state = hr_part_judge(rules, &part);
    // Two dumps show less than a series of them: growth that is smaller, and that there is none.
    if (!hr_part_passes(part.state) &&
        hr_part_error_bytes(trend->growth) < hr_part_error_bytes(part.growth)) {
        part.growth = trend->growth;
        part.state = hr_part_judge(rules, &part);
    }
    if (!hr_part_passes(part.state)) {
        return part;
    }
    const double ended = rules->thresholds[HR_THRESHOLD_grew_last_third_ratio];
    if (trend->counts) {
        // The error of the sum of all places hides that growth has slowed: its end must show it.
        part.state = still_shows(trend->last_third) ? HR_PART_GROWS : HR_PART_UNDECIDED;
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

// A trend that stands for most of its time on no dump tells neither that growth has ended nor that
// there was none: of what grew beyond its error it can only be left open.
static bool leave_open_what_was_unseen(const struct hr_rules *rules, struct hr_gauge profile,
                                       struct hr_part *part)
{
    struct hr_part seen = *part;
    if (!hr_part_passes(part->state) ||
        !hr_gauge_unseen_third(profile, hr_part_error_bytes(part->growth), &seen.last_third)) {
        return false;
    }
    seen.state = hr_part_judge(rules, &seen);
    if (seen.state == HR_PART_GREW) {
        return false;
    }
    seen.state = HR_PART_UNDECIDED;
    *part = seen;
    return true;
}

static void add_growth(struct hr_estimate *sum, struct hr_estimate growth)
{
    const double below = hypot(sum->value - sum->low, growth.value - growth.low);
    const double above = hypot(sum->high - sum->value, growth.high - growth.value);
    const double value = sum->value + growth.value;
    *sum = (struct hr_estimate){value, value - below, value + above};
}

static bool goes_on(const struct hr_suspect *suspect, double ended_ratio)
{
    (void)ended_ratio;
    return suspect->significant && suspect->trend.counts;
}

static bool has_ended(const struct hr_suspect *suspect, double ended_ratio)
{
    return shape_has_ended(suspect->trend.shape) &&
           suspect->trend.last_third.value < ended_ratio * suspect->trend.growth.value;
}

// What the places that certainly go on growing brought, or those that grew and stopped.
static struct hr_part sum_places(const struct hr_rules *rules, const struct hr_findings *findings,
                                 bool (*counts)(const struct hr_suspect *, double),
                                 double base_bytes)
{
    const double ended_ratio = rules->thresholds[HR_THRESHOLD_grew_last_third_ratio];
    struct hr_part part = {HR_PART_UNKNOWN, {0, 0, 0}, {0, 0, 0}, base_bytes, 0};
    for (size_t i = 0; i < findings->suspects_count; i++) {
        const struct hr_suspect *suspect = &findings->suspects[i];
        if (counts(suspect, ended_ratio)) {
            add_growth(&part.growth, suspect->growth);
            add_growth(&part.last_third, suspect->trend.last_third);
        }
    }
    part.state = hr_part_judge(rules, &part);
    return part;
}

// One place among many is seen long before it shows in the sum of all, whose error is theirs.
static void judge_by_places(const struct hr_rules *rules, const struct hr_findings *findings,
                            bool unseen, struct hr_part *part)
{
    if (part->state == HR_PART_FALLS || part->state == HR_PART_GROWS) {
        return;
    }
    const struct hr_part growing = sum_places(rules, findings, goes_on, part->base_bytes);
    if (hr_part_passes(growing.state)) {
        if (!hr_part_passes(part->state)) {
            *part = growing;
        }
        part->state = HR_PART_GROWS;
        return;
    }
    if (unseen) {
        return;
    }
    const struct hr_part ended = sum_places(rules, findings, has_ended, part->base_bytes);
    if (part->state == HR_PART_UNDECIDED && hr_part_passes(ended.state) &&
        ended.growth.value >= EXPLAINED_SHARE * part->growth.value) {
        part->state = HR_PART_GREW;
    }
}

static bool any_place_is_significant(const struct hr_findings *findings)
{
    for (size_t i = 0; i < findings->suspects_count; i++) {
        if (findings->suspects[i].significant) {
            return true;
        }
    }
    return false;
}

// Without a trend, growth that chance does not explain is all that can be known.
static bool is_certain(const struct hr_findings *findings, const struct hr_part *part)
{
    return findings->totals.significant || any_place_is_significant(findings) ||
           part->growth.value > FEW_DUMPS_ERRORS * hr_part_error_bytes(part->growth);
}

struct hr_part hr_heap_by_dumps(const struct hr_rules *rules, const struct hr_findings *findings,
                                struct hr_gauge profile, bool *open)
{
    const struct hr_trend *trend = &findings->totals.trend;
    struct hr_part part = compare_levels(findings);
    part.state = hr_part_judge(rules, &part);
    *open = false;
    if (part.state == HR_PART_UNKNOWN) {
        return part;
    }
    if (isnan(trend->growth.value)) {
        *open = hr_part_may_grow(part.state) && !is_certain(findings, &part);
        return part;
    }
    const bool unseen = !trend->counts && leave_open_what_was_unseen(rules, profile, &part);
    if (!unseen) {
        part = judge_by_trend(rules, trend, part);
    }
    if (!trend->counts) {
        hr_part_leave_out_swings(profile, &part);
    }
    judge_by_places(rules, findings, unseen, &part);
    *open = part.state == HR_PART_UNDECIDED;
    return part;
}
