// SPDX-License-Identifier: MIT
#include "analysis/parts.h"

#include <math.h>

// The final state of the heap is the median of so many last dumps.
#define LAST_DUMPS 5
// Evidence that goes on this much beyond the last dump makes a window of its own.
#define LONGER_WINDOW_RATIO 1.02

struct hr_gauge hr_facts_gauge(const struct hr_evidence *evidence, enum hr_evidence_id id)
{
    const struct hr_evidence_series *series = &evidence->series[id];
    return (struct hr_gauge){series->count, series->time_s, series->value};
}

struct hr_gauge hr_facts_profile(const struct hr_findings *findings)
{
    if (!findings->point_times_s || !findings->choice) {
        return (struct hr_gauge){0};
    }
    return (struct hr_gauge){findings->choice->points_count, findings->point_times_s,
                             findings->total_series.value};
}

struct hr_gauge hr_facts_process(struct hr_arena *arena, const struct hr_evidence *evidence)
{
    struct hr_gauge process = hr_facts_gauge(evidence, HR_EVIDENCE_ANONYMOUS);
    // A kernel that does not say LazyFree or Swap leaves them at what they mostly are: nothing.
    const struct hr_gauge lazy_free = hr_facts_gauge(evidence, HR_EVIDENCE_LAZY_FREE);
    if (lazy_free.count > 0) {
        process = hr_gauge_combine(arena, process, -1, lazy_free);
    }
    const struct hr_gauge swap = hr_facts_gauge(evidence, HR_EVIDENCE_SWAP);
    if (swap.count > 0) {
        process = hr_gauge_combine(arena, process, 1, swap);
    }
    return process;
}

static double error_of(struct hr_estimate growth)
{
    const double below = growth.value - growth.low;
    const double above = growth.high - growth.value;
    return fmax(below, above); // fmax passes over NAN
}

double hr_part_needed_bytes(const struct hr_rules *rules, const struct hr_part *part)
{
    const double *limits = rules->thresholds;
    double needed = limits[HR_THRESHOLD_floor_bytes];
    needed = fmax(needed, limits[HR_THRESHOLD_floor_of_base_ratio] * part->base_bytes);
    return fmax(needed, error_of(part->growth));
}

enum hr_part_state hr_part_judge(const struct hr_rules *rules, const struct hr_part *part)
{
    const double growth = part->growth.value;
    if (isnan(growth)) {
        return HR_PART_UNKNOWN;
    }
    const double needed = hr_part_needed_bytes(rules, part);
    if (growth <= needed) {
        return growth < -needed ? HR_PART_FALLS : HR_PART_FLAT;
    }
    const double *limits = rules->thresholds;
    if (part->last_third.low > 0 &&
        part->last_third.value > limits[HR_THRESHOLD_grows_last_third_ratio] * growth) {
        return HR_PART_GROWS;
    }
    if (part->last_third.high < limits[HR_THRESHOLD_grew_last_third_ratio] * growth) {
        return HR_PART_GREW;
    }
    return HR_PART_UNDECIDED;
}

static struct hr_part part_unknown(void)
{
    return (struct hr_part){HR_PART_UNKNOWN, HR_ESTIMATE_UNKNOWN, HR_ESTIMATE_UNKNOWN, NAN};
}

static struct hr_part part_of_movement(const struct hr_rules *rules, struct hr_movement movement)
{
    struct hr_part part = {HR_PART_UNKNOWN, movement.growth, movement.last_third, movement.base};
    part.state = hr_part_judge(rules, &part);
    return part;
}

// Judged over the dumps' window; over the longer one where the first knows nothing, or sees no
// growth where the longer one does.
static struct hr_part part_of_gauge(const struct hr_facts *facts, const struct hr_rules *rules,
                                    struct hr_gauge gauge)
{
    const struct hr_part first = part_of_movement(rules, hr_movement_compute(gauge, facts->window));
    if (hr_part_passes(first.state)) {
        return first;
    }
    const struct hr_part longer =
        part_of_movement(rules, hr_movement_compute(gauge, facts->end_window));
    const bool better = first.state == HR_PART_UNKNOWN || hr_part_passes(longer.state);
    return better ? longer : first;
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
static struct hr_part compute_profile_part(const struct hr_findings *findings)
{
    const struct hr_choice *choice = findings->choice;
    if (!choice || choice->points_count < 2 || !findings->total_series.value) {
        return part_unknown();
    }
    const struct hr_points *points = &findings->total_series;
    const size_t base = find_point(choice, choice->base, 0);
    const size_t final = find_point(choice, choice->final, choice->points_count - 1);
    if (final <= base) {
        return part_unknown();
    }
    const size_t span = final - base;
    const size_t last = MIN((size_t)LAST_DUMPS, MAX(span / 2, (size_t)1));
    struct hr_part part = part_unknown();
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

// The heap has two witnesses, the dumps and the allocator's own count. It passes when either does;
// its last third is read from the count where that is known.
static struct hr_part compute_heap(const struct hr_rules *rules, const struct hr_facts *facts,
                                   const struct hr_part *profile, const struct hr_part *counted,
                                   struct hr_gauge allocated)
{
    if (counted->state == HR_PART_UNKNOWN || hr_part_passes(counted->state)) {
        return counted->state == HR_PART_UNKNOWN ? *profile : *counted;
    }
    const double at_base = level_around(allocated, facts->window.from_s);
    const double final = counted->base_bytes + counted->growth.value;
    if (!hr_part_passes(profile->state) || is_refuted(profile, at_base, final)) {
        return *counted;
    }
    struct hr_part heap = *profile;
    heap.last_third = counted->last_third;
    heap.state = hr_part_judge(rules, &heap);
    return heap;
}

static void widen(struct hr_estimate *estimate, double error)
{
    estimate->low = estimate->value - hypot(estimate->value - estimate->low, error);
    estimate->high = estimate->value + hypot(estimate->high - estimate->value, error);
}

// Without the allocator's resident count: what the process holds beyond its live heap, be it kept
// free pages or memory from elsewhere.
static struct hr_part compute_merged(struct hr_arena *arena, const struct hr_facts *facts,
                                     const struct hr_rules *rules, struct hr_gauge process,
                                     struct hr_gauge allocated, struct hr_gauge profile,
                                     const struct hr_part *profile_part)
{
    if (allocated.count > 0) {
        return part_of_gauge(facts, rules, hr_gauge_combine(arena, process, -1, allocated));
    }
    struct hr_part part =
        part_of_gauge(facts, rules, hr_gauge_combine(arena, process, -1, profile));
    if (part.state == HR_PART_UNKNOWN) {
        return part;
    }
    widen(&part.growth, error_of(profile_part->growth));
    widen(&part.last_third, error_of(profile_part->last_third));
    part.state = hr_part_judge(rules, &part);
    return part;
}

// RSS alone answers little: only when it grew more than twice as much as the allocator's share.
static struct hr_part compute_from_rss(struct hr_arena *arena, const struct hr_facts *facts,
                                       const struct hr_rules *rules,
                                       const struct hr_evidence *evidence)
{
    const struct hr_gauge resident = hr_facts_gauge(evidence, HR_EVIDENCE_RESIDENT);
    const struct hr_gauge file = hr_facts_gauge(evidence, HR_EVIDENCE_FILE);
    struct hr_gauge rss = hr_facts_gauge(evidence, HR_EVIDENCE_RSS);
    if (file.count > 0) {
        rss = hr_gauge_combine(arena, rss, -1, file);
    }
    const struct hr_part part =
        part_of_gauge(facts, rules, hr_gauge_combine(arena, rss, -1, resident));
    const double rss_growth = part_of_gauge(facts, rules, rss).growth.value;
    const double resident_growth = part_of_gauge(facts, rules, resident).growth.value;
    const bool counts = hr_part_passes(part.state) && rss_growth > 2 * resident_growth;
    return counts ? part : part_unknown();
}

static struct hr_part compute_outside(struct hr_arena *arena, const struct hr_rules *rules,
                                      const struct hr_evidence *evidence,
                                      const struct hr_findings *findings,
                                      const struct hr_part *profile_part, struct hr_facts *facts)
{
    const struct hr_gauge process = hr_facts_process(arena, evidence);
    const struct hr_gauge resident = hr_facts_gauge(evidence, HR_EVIDENCE_RESIDENT);
    if (process.count == 0) {
        const struct hr_part part = compute_from_rss(arena, facts, rules, evidence);
        facts->rss_only = part.state != HR_PART_UNKNOWN;
        return part;
    }
    if (resident.count > 0) {
        return part_of_gauge(facts, rules, hr_gauge_combine(arena, process, -1, resident));
    }
    const struct hr_part part = compute_merged(arena, facts, rules, process,
                                               hr_facts_gauge(evidence, HR_EVIDENCE_ALLOCATED),
                                               hr_facts_profile(findings), profile_part);
    facts->merged = part.state != HR_PART_UNKNOWN;
    return part;
}

static double peak_of(struct hr_gauge gauge, size_t *at)
{
    double peak = NAN;
    for (size_t i = 0; i < gauge.count; i++) {
        if (isnan(peak) || gauge.value[i] > peak) {
            peak = gauge.value[i];
            *at = i;
        }
    }
    return peak;
}

// Retention that a comparison of ends cannot see: the heap went up, came down and stayed down, and
// the process kept its memory. Returns what it keeps: 0 when it does not, NAN when unknown.
static double compute_kept(const struct hr_rules *rules, struct hr_gauge allocated,
                           struct hr_gauge process, double *peak_bytes)
{
    size_t at = 0;
    *peak_bytes = peak_of(allocated, &at);
    size_t process_at = 0;
    const double process_peak = peak_of(process, &process_at);
    if (isnan(*peak_bytes) || isnan(process_peak)) {
        return NAN;
    }
    const double *limits = rules->thresholds;
    const double drop = fmax(limits[HR_THRESHOLD_retention_floor_bytes],
                             limits[HR_THRESHOLD_retention_of_peak_ratio] * process_peak);
    double low_since_s = NAN;
    for (size_t i = allocated.count; i-- > 0 && allocated.value[i] <= *peak_bytes - drop;) {
        low_since_s = allocated.time_s[i];
    }
    const double waited_s = allocated.time_s[allocated.count - 1] - low_since_s;
    const double last = process.value[process.count - 1];
    const bool kept = waited_s >= limits[HR_THRESHOLD_retention_wait_s] &&
                      last >= limits[HR_THRESHOLD_retention_held_ratio] * process_peak;
    if (!kept) {
        return 0;
    }
    const double free_bytes = last - allocated.value[allocated.count - 1];
    return fmax(0, fmin(free_bytes, *peak_bytes - allocated.value[allocated.count - 1]));
}

static double time_of_dump(const struct hr_run *run, size_t dump)
{
    return dump == HR_CHOICE_NONE ? NAN : run->dumps[dump].taken_at_s;
}

static void compute_windows(const struct hr_run *run, const struct hr_findings *findings,
                            struct hr_facts *facts)
{
    const struct hr_choice *choice = findings->choice;
    const double base_s = choice ? time_of_dump(run, choice->base) : NAN;
    const double final_s = choice ? time_of_dump(run, choice->final) : NAN;
    const double teardown_s = choice ? time_of_dump(run, choice->teardown) : NAN;
    const double first_s = hr_evidence_first_time_s(&run->evidence);
    const double last_s = hr_evidence_last_time_s(&run->evidence);
    const double from_s = isnan(base_s) ? first_s : base_s;
    facts->end_window = (struct hr_window){from_s, fmin(teardown_s, fmax(final_s, last_s))};
    const bool clocked = final_s > base_s;
    facts->window = clocked ? (struct hr_window){base_s, final_s} : facts->end_window;
    facts->duration_s = facts->window.to_s - facts->window.from_s;
    if (facts->end_window.to_s - from_s < LONGER_WINDOW_RATIO * facts->duration_s) {
        facts->end_window = facts->window;
    }
}

// Slack is looked at twice, since retention shows only after the load stopped.
static void compute_slack(struct hr_arena *arena, const struct hr_rules *rules,
                          const struct hr_evidence *evidence, struct hr_facts *facts)
{
    const struct hr_gauge allocated = hr_facts_gauge(evidence, HR_EVIDENCE_ALLOCATED);
    const struct hr_gauge resident = hr_facts_gauge(evidence, HR_EVIDENCE_RESIDENT);
    const struct hr_gauge slack = hr_gauge_combine(arena, resident, -1, allocated);
    facts->slack_heap = facts->parts[HR_PART_HEAP].state;
    facts->parts[HR_PART_SLACK] =
        part_of_movement(rules, hr_movement_compute(slack, facts->window));
    if (hr_part_passes(facts->parts[HR_PART_SLACK].state)) {
        return;
    }
    const struct hr_part longer =
        part_of_movement(rules, hr_movement_compute(slack, facts->end_window));
    const struct hr_part heap =
        part_of_movement(rules, hr_movement_compute(allocated, facts->end_window));
    if (hr_part_passes(longer.state) || facts->parts[HR_PART_SLACK].state == HR_PART_UNKNOWN) {
        facts->parts[HR_PART_SLACK] = longer;
        facts->slack_heap = heap.state;
    }
}

static void compute_coverage(const struct hr_run *run, const struct hr_findings *findings,
                             struct hr_facts *facts)
{
    const struct hr_gauge allocated = hr_facts_gauge(&run->evidence, HR_EVIDENCE_ALLOCATED);
    const struct hr_choice *choice = findings->choice;
    facts->coverage_ratio = NAN;
    if (!choice || choice->final == HR_CHOICE_NONE || allocated.count == 0) {
        return;
    }
    double counted = hr_gauge_at(allocated, time_of_dump(run, choice->final));
    if (isnan(counted)) {
        counted = hr_movement_compute(allocated, facts->end_window).final;
    }
    if (counted > 0) {
        facts->coverage_ratio = findings->totals.final.value / counted;
    }
}

void hr_facts_compute(struct hr_arena *arena, const struct hr_run *run,
                      const struct hr_rules *rules, const struct hr_findings *findings,
                      struct hr_facts *facts)
{
    const struct hr_evidence *evidence = &run->evidence;
    *facts = (struct hr_facts){.kept_after_peak_bytes = NAN, .allocated_peak_bytes = NAN};
    facts->dumps_count = hr_run_used_count(run);
    facts->smallest_detectable_bytes = findings->totals.smallest_detectable_bytes;
    compute_windows(run, findings, facts);
    compute_coverage(run, findings, facts);

    struct hr_part profile = compute_profile_part(findings);
    profile.state = hr_part_judge(rules, &profile);
    const struct hr_gauge allocated = hr_facts_gauge(evidence, HR_EVIDENCE_ALLOCATED);
    const struct hr_part counted = part_of_gauge(facts, rules, allocated);
    facts->profile_known = profile.state != HR_PART_UNKNOWN;
    facts->allocated_known = counted.state != HR_PART_UNKNOWN;
    // Dumps that show next to nothing of the heap are no witness of it.
    if (facts->coverage_ratio < rules->thresholds[HR_THRESHOLD_coverage_low_ratio]) {
        profile.state = HR_PART_UNKNOWN;
    }
    struct hr_part *parts = facts->parts;
    parts[HR_PART_HEAP] = compute_heap(rules, facts, &profile, &counted, allocated);
    const struct hr_part *best = facts->allocated_known ? &counted : &profile;
    facts->heap_bytes = best->base_bytes + best->growth.value;

    const struct hr_gauge process = hr_facts_process(arena, evidence);
    parts[HR_PART_PROCESS] = part_of_gauge(facts, rules, process);
    parts[HR_PART_SHMEM] = part_of_gauge(facts, rules, hr_facts_gauge(evidence, HR_EVIDENCE_SHMEM));
    parts[HR_PART_FILE] = part_of_gauge(facts, rules, hr_facts_gauge(evidence, HR_EVIDENCE_FILE));
    compute_slack(arena, rules, evidence, facts);
    parts[HR_PART_OUTSIDE] = compute_outside(arena, rules, evidence, findings, &profile, facts);
    facts->process_known = parts[HR_PART_PROCESS].state != HR_PART_UNKNOWN;
    facts->resident_known = parts[HR_PART_SLACK].state != HR_PART_UNKNOWN ||
                            hr_evidence_has(evidence, HR_EVIDENCE_RESIDENT);
    facts->kept_after_peak_bytes =
        compute_kept(rules, hr_gauge_clip(allocated, facts->end_window),
                     hr_gauge_clip(process, facts->end_window), &facts->allocated_peak_bytes);
}
