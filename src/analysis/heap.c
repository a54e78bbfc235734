// SPDX-License-Identifier: MIT
#include "analysis/heap.h"

#include "analysis/heap_dumps.h"
#include "analysis/offsets.h"

#include <math.h>

// What the dumps show is compared over so many last ones.
#define LAST_DUMPS 5

struct hr_gauge hr_heap_profile(const struct hr_findings *findings)
{
    if (!findings->point_times_s || !findings->choice) {
        return (struct hr_gauge){0};
    }
    return (struct hr_gauge){findings->choice->points_count, findings->point_times_s,
                             findings->total_series.value};
}

struct hr_gauge hr_heap_shown(struct hr_arena *arena, const struct hr_findings *findings)
{
    return hr_gauge_combine(arena, hr_heap_profile(findings), 1, hr_offset_promoted(findings));
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
// at base already (profiling was switched on late), is gone at the end (a burst), or comes and
// goes.
static bool is_refuted(const struct hr_part *profile, double allocated_at_base,
                       double allocated_final, struct hr_gauge allocated)
{
    const double half_way = profile->base_bytes + profile->growth.value / 2;
    return allocated_final < half_way || allocated_at_base > half_way ||
           hr_gauge_swings_back(allocated, allocated_at_base, profile->growth.value);
}

// The first and last known addition by profiling stand for the time before and after.
struct hr_gauge hr_heap_counted(struct hr_arena *arena, const struct hr_run *run,
                                const struct hr_findings *findings)
{
    const struct hr_gauge allocated = hr_gauge_of_evidence(&run->evidence, HR_EVIDENCE_ALLOCATED);
    const struct hr_gauge promoted = hr_offset_promoted(findings);
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

// The count is in another unit, of another process, or was never refreshed: even the smallest dump
// shows more than twice its peak, or the dumps surely grew and it is the same to the byte.
static bool contradicts(const struct hr_findings *findings, struct hr_gauge allocated)
{
    const struct hr_gauge profile = hr_heap_profile(findings);
    if (allocated.count < 2 * HR_MOVEMENT_GROUP_MIN || profile.count == 0) {
        return false;
    }
    double peak = allocated.value[0];
    bool same = true;
    for (size_t i = 1; i < allocated.count; i++) {
        same = same && allocated.value[i] == allocated.value[0];
        peak = fmax(peak, allocated.value[i]);
    }
    double least_shown = INFINITY;
    for (size_t i = 0; i < profile.count; i++) {
        least_shown = fmin(least_shown, findings->total_series.low[i]);
    }
    return least_shown > 2 * peak || (same && findings->totals.significant);
}

static bool agrees(const struct hr_rules *rules, double coverage_ratio)
{
    return coverage_ratio >= rules->thresholds[HR_THRESHOLD_coverage_high_low_ratio] &&
           coverage_ratio <= rules->thresholds[HR_THRESHOLD_coverage_high_high_ratio];
}

// It passes when either witness does; its last third is read from the count where that is known.
static struct hr_part combine_witnesses(const struct hr_rules *rules, const struct hr_heap *heap,
                                        struct hr_gauge counted, struct hr_window window)
{
    const struct hr_part *by_dumps = &heap->by_dumps;
    const struct hr_part *by_count = &heap->by_count;
    if (by_count->state == HR_PART_UNKNOWN) {
        return *by_dumps;
    }
    const double counted_at_base = level_around(counted, window.from_s);
    const double counted_final = by_count->base_bytes + by_count->growth.value;
    if (!hr_part_passes(by_dumps->state) ||
        is_refuted(by_dumps, counted_at_base, counted_final, hr_gauge_clip(counted, window))) {
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
    const struct hr_gauge profile = hr_gauge_clip(hr_heap_profile(findings), windows->dumps);
    struct hr_heap heap = {.by_count = hr_part_of_gauge(rules, windows, counted)};
    heap.by_dumps = hr_heap_by_dumps(rules, findings, profile, &heap.open);
    // Where practically nothing was sampled, a level says nothing of the heap.
    if (findings->sampling == HR_SAMPLING_OFF) {
        heap.by_dumps.state = HR_PART_UNKNOWN;
    }
    hr_part_leave_out_swings(hr_gauge_clip(counted, windows->dumps), &heap.by_count);
    heap.dumps_known = heap.by_dumps.state != HR_PART_UNKNOWN;
    heap.count_known = heap.by_count.state != HR_PART_UNKNOWN;
    heap.contradictory =
        contradicts(findings, hr_gauge_of_evidence(&run->evidence, HR_EVIDENCE_ALLOCATED));
    heap.coverage_ratio = compute_coverage(findings, counted, &heap.by_count);
    // Dumps that show next to nothing of the heap are no witness of it.
    if (heap.coverage_ratio < rules->thresholds[HR_THRESHOLD_coverage_low_ratio]) {
        heap.by_dumps.state = HR_PART_UNKNOWN;
    }
    heap.open = heap.open && !heap.count_known && hr_part_may_grow(heap.by_dumps.state);
    heap.part = combine_witnesses(rules, &heap, counted, windows->dumps);
    heap.from_dumps = heap.part.growth.value == heap.by_dumps.growth.value;
    if (heap.from_dumps && findings->totals.significant && hr_part_passes(heap.part.state)) {
        // What grows was judged by a level of several dumps; its amount is said as everywhere else.
        heap.part.growth = findings->totals.growth;
    }
    heap.bytes = heap.count_known ? heap.by_count.base_bytes + heap.by_count.growth.value
                                  : findings->totals.final.value;
    return heap;
}
