// SPDX-License-Identifier: MIT
#include "analysis/facts.h"

#include "analysis/startup.h"

#include <math.h>

// Evidence that goes on this much beyond the last dump makes a window of its own.
#define LONGER_WINDOW_RATIO 1.02

struct hr_gauge hr_facts_process(struct hr_arena *arena, const struct hr_evidence *evidence)
{
    struct hr_gauge process = hr_gauge_of_evidence(evidence, HR_EVIDENCE_ANONYMOUS);
    // A kernel that does not say LazyFree or Swap leaves them at what they mostly are: nothing.
    const struct hr_gauge lazy_free = hr_gauge_of_evidence(evidence, HR_EVIDENCE_LAZY_FREE);
    if (lazy_free.count > 0) {
        process = hr_gauge_combine(arena, process, -1, lazy_free);
    }
    const struct hr_gauge swap = hr_gauge_of_evidence(evidence, HR_EVIDENCE_SWAP);
    if (swap.count > 0) {
        process = hr_gauge_combine(arena, process, 1, swap);
    }
    return process;
}

static void widen(struct hr_estimate *estimate, double error)
{
    estimate->low = estimate->value - hypot(estimate->value - estimate->low, error);
    estimate->high = estimate->value + hypot(estimate->high - estimate->value, error);
}

// Without the allocator's resident count: what the process holds beyond its live heap, be it kept
// free pages or memory from elsewhere.
static struct hr_part compute_merged(struct hr_arena *arena, const struct hr_run *run,
                                     const struct hr_findings *findings,
                                     const struct hr_rules *rules, const struct hr_facts *facts,
                                     const struct hr_part *by_dumps)
{
    const struct hr_gauge process = hr_facts_process(arena, &run->evidence);
    const struct hr_gauge allocated = hr_gauge_of_evidence(&run->evidence, HR_EVIDENCE_ALLOCATED);
    if (allocated.count > 0) {
        return hr_part_of_gauge(rules, &facts->windows,
                                hr_gauge_combine(arena, process, -1, allocated));
    }
    const struct hr_gauge shown = hr_heap_shown(arena, findings);
    struct hr_part part =
        hr_part_of_gauge(rules, &facts->windows, hr_gauge_combine(arena, process, -1, shown));
    if (part.state == HR_PART_UNKNOWN) {
        return part;
    }
    widen(&part.growth, hr_part_error_bytes(by_dumps->growth));
    widen(&part.last_third, hr_part_error_bytes(by_dumps->last_third));
    part.state = hr_part_judge(rules, &part);
    return part;
}

// RSS alone answers little: only when it grew more than twice as much as the allocator's share.
static struct hr_part compute_from_rss(struct hr_arena *arena, const struct hr_facts *facts,
                                       const struct hr_rules *rules,
                                       const struct hr_evidence *evidence)
{
    const struct hr_gauge resident = hr_gauge_of_evidence(evidence, HR_EVIDENCE_RESIDENT);
    const struct hr_gauge file = hr_gauge_of_evidence(evidence, HR_EVIDENCE_FILE);
    struct hr_gauge rss = hr_gauge_of_evidence(evidence, HR_EVIDENCE_RSS);
    if (file.count > 0) {
        rss = hr_gauge_combine(arena, rss, -1, file);
    }
    const struct hr_part part =
        hr_part_of_gauge(rules, &facts->windows, hr_gauge_combine(arena, rss, -1, resident));
    const double rss_growth = hr_part_of_gauge(rules, &facts->windows, rss).growth.value;
    const double resident_growth = hr_part_of_gauge(rules, &facts->windows, resident).growth.value;
    const bool counts = hr_part_passes(part.state) && rss_growth > 2 * resident_growth;
    return counts ? part : HR_PART_NOT_KNOWN;
}

static struct hr_part compute_outside(struct hr_arena *arena, const struct hr_run *run,
                                      const struct hr_findings *findings,
                                      const struct hr_rules *rules, const struct hr_part *by_dumps,
                                      struct hr_facts *facts)
{
    const struct hr_evidence *evidence = &run->evidence;
    const struct hr_gauge process = hr_facts_process(arena, evidence);
    const struct hr_gauge resident = hr_gauge_of_evidence(evidence, HR_EVIDENCE_RESIDENT);
    if (process.count == 0) {
        const struct hr_part part = compute_from_rss(arena, facts, rules, evidence);
        facts->rss_only = part.state != HR_PART_UNKNOWN;
        return part;
    }
    if (resident.count > 0) {
        return hr_part_of_gauge(rules, &facts->windows,
                                hr_gauge_combine(arena, process, -1, resident));
    }
    const struct hr_part part = compute_merged(arena, run, findings, rules, facts, by_dumps);
    facts->merged = part.state != HR_PART_UNKNOWN;
    return part;
}

// Pages of files that the process maps. Where no figure tells them they are what is resident and
// neither the process's own nor shared memory.
static struct hr_gauge mapped_files(struct hr_arena *arena, const struct hr_evidence *evidence)
{
    const struct hr_gauge file = hr_gauge_of_evidence(evidence, HR_EVIDENCE_FILE);
    const struct hr_gauge anonymous = hr_gauge_of_evidence(evidence, HR_EVIDENCE_ANONYMOUS);
    const struct hr_gauge shared = hr_gauge_of_evidence(evidence, HR_EVIDENCE_SHMEM);
    if (file.count > 0 || anonymous.count == 0 || shared.count == 0) {
        return file;
    }
    const struct hr_gauge rss = hr_gauge_of_evidence(evidence, HR_EVIDENCE_RSS);
    return hr_gauge_combine(arena, hr_gauge_combine(arena, rss, -1, anonymous), -1, shared);
}

// Pages of files that the process maps; where those do not change, the control group's cache of
// files that were read.
static struct hr_part compute_file(struct hr_arena *arena, const struct hr_rules *rules,
                                   const struct hr_evidence *evidence, struct hr_facts *facts)
{
    const struct hr_part mapped =
        hr_part_of_gauge(rules, &facts->windows, mapped_files(arena, evidence));
    const struct hr_part cached = hr_part_of_gauge(
        rules, &facts->windows, hr_gauge_of_evidence(evidence, HR_EVIDENCE_CGROUP_FILE));
    facts->file_of_cgroup = !hr_part_passes(mapped.state) && hr_part_passes(cached.state);
    return facts->file_of_cgroup ? cached : mapped;
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

// No snapshot from before base may count. A file time of whole seconds was cut: the dump was
// written some time within that second, and what was measured in it may be older.
static double window_start(const struct hr_run *run, double base_s)
{
    const bool was_cut = run->time_axis == HR_TIME_MTIME && base_s == floor(base_s);
    return was_cut ? base_s + 1 : base_s;
}

// Dumps show by their first one when a run began. Without them a process that was still starting
// when it was first measured would seem to grow.
static double find_begin(struct hr_arena *arena, const struct hr_evidence *evidence, double first_s)
{
    const struct hr_gauge held[] = {hr_facts_process(arena, evidence),
                                    hr_gauge_of_evidence(evidence, HR_EVIDENCE_ALLOCATED),
                                    hr_gauge_of_evidence(evidence, HR_EVIDENCE_RSS)};
    double begin_s = first_s;
    for (size_t i = 0; i < G_N_ELEMENTS(held); i++) {
        begin_s = fmax(begin_s, hr_startup_end_s(held[i]));
    }
    return begin_s;
}

static void compute_windows(struct hr_arena *arena, const struct hr_run *run,
                            const struct hr_findings *findings, struct hr_facts *facts)
{
    const struct hr_choice *choice = findings->choice;
    const bool clocked_ends = choice && !run->comparison;
    const double base_s = clocked_ends ? time_of_dump(run, choice->base) : NAN;
    const double final_s = clocked_ends ? time_of_dump(run, choice->final) : NAN;
    const double teardown_s = choice ? time_of_dump(run, choice->teardown) : NAN;
    const double first_s = hr_evidence_first_time_s(&run->evidence);
    const double last_s = hr_evidence_last_time_s(&run->evidence);
    const double begin_s =
        facts->dumps_count > 0 ? first_s : find_begin(arena, &run->evidence, first_s);
    const double from_s = isnan(base_s) ? begin_s : window_start(run, base_s);
    facts->startup_s = begin_s - first_s;
    facts->windows.longer = (struct hr_window){from_s, fmin(teardown_s, fmax(final_s, last_s))};
    const bool clocked = final_s > from_s;
    facts->windows.dumps = clocked ? (struct hr_window){from_s, final_s} : facts->windows.longer;
    const double window_s = facts->windows.dumps.to_s - facts->windows.dumps.from_s;
    facts->duration_s = final_s > base_s ? final_s - base_s : window_s;
    if (facts->windows.longer.to_s - from_s < LONGER_WINDOW_RATIO * window_s) {
        facts->windows.longer = facts->windows.dumps;
    }
}

// Slack is looked at twice, since retention shows only after the load stopped.
static void compute_slack(struct hr_arena *arena, const struct hr_rules *rules,
                          const struct hr_evidence *evidence, struct hr_facts *facts)
{
    const struct hr_gauge allocated = hr_gauge_of_evidence(evidence, HR_EVIDENCE_ALLOCATED);
    const struct hr_gauge resident = hr_gauge_of_evidence(evidence, HR_EVIDENCE_RESIDENT);
    const struct hr_gauge slack = hr_gauge_combine(arena, resident, -1, allocated);
    facts->slack_heap = facts->parts[HR_PART_HEAP].state;
    facts->parts[HR_PART_SLACK] =
        hr_part_of_movement(rules, hr_movement_compute(slack, facts->windows.dumps));
    if (hr_part_passes(facts->parts[HR_PART_SLACK].state)) {
        return;
    }
    const struct hr_part longer =
        hr_part_of_movement(rules, hr_movement_compute(slack, facts->windows.longer));
    const struct hr_part heap =
        hr_part_of_movement(rules, hr_movement_compute(allocated, facts->windows.longer));
    if (hr_part_passes(longer.state) || facts->parts[HR_PART_SLACK].state == HR_PART_UNKNOWN) {
        facts->parts[HR_PART_SLACK] = longer;
        facts->slack_heap = heap.state;
    }
}

// Where the dumps leave open whether the heap still grows, the process may tell: its heap cannot
// have taken more in the last third than it did, unless it had those pages already.
static void ask_process(const struct hr_rules *rules, struct hr_facts *facts)
{
    struct hr_part *heap = &facts->parts[HR_PART_HEAP];
    const struct hr_part *process = &facts->parts[HR_PART_PROCESS];
    if (!facts->heap_open || !hr_part_passes(process->state)) {
        return;
    }
    struct hr_part bounded = *heap;
    bounded.last_third = process->last_third;
    if (hr_part_judge(rules, &bounded) == HR_PART_GREW) {
        heap->state = HR_PART_GREW;
        facts->heap_open = false;
    } else if (hr_part_may_grow(process->state)) {
        facts->heap_open = false;
    }
}

void hr_facts_compute(struct hr_arena *arena, const struct hr_run *run,
                      const struct hr_rules *rules, const struct hr_findings *findings,
                      struct hr_facts *facts)
{
    const struct hr_evidence *evidence = &run->evidence;
    *facts = (struct hr_facts){.dumps_count = hr_run_used_count(run)};
    facts->compared = run->comparison != NULL;
    facts->matched_ratio = facts->compared ? run->comparison->matched_ratio : NAN;
    facts->smallest_detectable_bytes = findings->totals.smallest_detectable_bytes;
    compute_windows(arena, run, findings, facts);

    const struct hr_windows *windows = &facts->windows;
    const struct hr_heap heap = hr_heap_compute(arena, run, rules, findings, windows);
    facts->heap_from_dumps = heap.from_dumps;
    facts->heap_open = heap.open;
    facts->allocated_known = heap.count_known;
    facts->contradictory = heap.contradictory;
    facts->coverage_ratio = heap.coverage_ratio;
    facts->heap_bytes = heap.bytes;
    struct hr_part *parts = facts->parts;
    parts[HR_PART_HEAP] = heap.part;

    const struct hr_gauge process = hr_facts_process(arena, evidence);
    parts[HR_PART_PROCESS] = hr_part_of_gauge(rules, windows, process);
    facts->process_known = parts[HR_PART_PROCESS].state != HR_PART_UNKNOWN;
    facts->process_seen = process.count > 0;
    ask_process(rules, facts);
    parts[HR_PART_SHMEM] =
        hr_part_of_gauge(rules, windows, hr_gauge_of_evidence(evidence, HR_EVIDENCE_SHMEM));
    parts[HR_PART_FILE] = compute_file(arena, rules, evidence, facts);
    compute_slack(arena, rules, evidence, facts);
    parts[HR_PART_OUTSIDE] = compute_outside(arena, run, findings, rules, &heap.by_dumps, facts);
    const struct hr_gauge counted = hr_heap_counted(arena, run, findings);
    facts->kept_after_peak_bytes =
        compute_kept(rules, hr_gauge_clip(counted, windows->longer),
                     hr_gauge_clip(process, windows->longer), &facts->allocated_peak_bytes);
}
