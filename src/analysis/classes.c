// SPDX-License-Identifier: MIT
#include "analysis/classes.h"

#include <math.h>

static const char *const NAMES[HR_CLASSES_COUNT] = {
    [HR_CLASS_NO_GROWTH] = "no_growth",
    [HR_CLASS_HEAP_GROWTH] = "heap_growth",
    [HR_CLASS_BOUNDED_GROWTH] = "bounded_growth",
    [HR_CLASS_ALLOCATOR_RETENTION] = "allocator_retention",
    [HR_CLASS_OUTSIDE_HEAP] = "outside_heap",
    [HR_CLASS_FILE_BACKED] = "file_backed",
    [HR_CLASS_INCONCLUSIVE] = "inconclusive",
};

const char *hr_class_name(enum hr_class class)
{
    return NAMES[class];
}

static struct hr_firing fires(const struct hr_facts *facts, enum hr_part_id part)
{
    return (struct hr_firing){HR_RULE_FIRED, part, fabs(facts->parts[part].growth.value)};
}

static struct hr_firing fires_not(bool known, enum hr_part_id part)
{
    return (struct hr_firing){known ? HR_RULE_NOT_FIRED : HR_RULE_UNKNOWN, part, 0};
}

static struct hr_firing judge_heap_growth(const struct hr_facts *facts,
                                          const struct hr_rules *rules)
{
    (void)rules;
    const enum hr_part_state heap = facts->parts[HR_PART_HEAP].state;
    if (facts->heap_open) {
        return fires_not(false, HR_PART_HEAP);
    }
    if (hr_part_may_grow(heap)) {
        return fires(facts, HR_PART_HEAP);
    }
    return fires_not(heap != HR_PART_UNKNOWN, HR_PART_HEAP);
}

// Slack and outside as one part may be retention, which counts when it has ended too.
static bool merged_counts(const struct hr_facts *facts)
{
    return facts->merged && hr_part_is_quiet(facts->parts[HR_PART_HEAP].state) &&
           hr_part_passes(facts->parts[HR_PART_OUTSIDE].state);
}

static struct hr_firing judge_outside_heap(const struct hr_facts *facts,
                                           const struct hr_rules *rules)
{
    (void)rules;
    const struct hr_part *outside = &facts->parts[HR_PART_OUTSIDE];
    const struct hr_part *shmem = &facts->parts[HR_PART_SHMEM];
    const bool outside_grows = hr_part_may_grow(outside->state) || merged_counts(facts);
    const bool shmem_grows = hr_part_may_grow(shmem->state);
    if (outside_grows && !(shmem_grows && shmem->growth.value > outside->growth.value)) {
        return fires(facts, HR_PART_OUTSIDE);
    }
    if (shmem_grows) {
        return fires(facts, HR_PART_SHMEM);
    }
    return fires_not(outside->state != HR_PART_UNKNOWN, HR_PART_OUTSIDE);
}

// Slack counts where the heap did not grow with it: while a heap grows, its rounding and its free
// pages grow too. Where the heap grew at first and stopped, slack that goes on is retention, if
// what it gained after that counts by itself.
static bool slack_is_retention(const struct hr_facts *facts, const struct hr_rules *rules)
{
    const struct hr_part *slack = &facts->parts[HR_PART_SLACK];
    if (hr_part_is_quiet(facts->slack_heap)) {
        return hr_part_passes(slack->state);
    }
    return facts->slack_heap == HR_PART_GREW && hr_part_may_grow(slack->state) &&
           slack->last_third.value > hr_part_needed_bytes(rules, slack);
}

static struct hr_firing judge_retention(const struct hr_facts *facts, const struct hr_rules *rules)
{
    if (slack_is_retention(facts, rules)) {
        return fires(facts, HR_PART_SLACK);
    }
    if (facts->kept_after_peak_bytes > 0) {
        return (struct hr_firing){HR_RULE_FIRED, HR_PART_SLACK, facts->kept_after_peak_bytes};
    }
    return fires_not(facts->parts[HR_PART_SLACK].state != HR_PART_UNKNOWN, HR_PART_SLACK);
}

static struct hr_firing judge_file_backed(const struct hr_facts *facts,
                                          const struct hr_rules *rules)
{
    (void)rules;
    const enum hr_part_state file = facts->parts[HR_PART_FILE].state;
    const enum hr_part_state process = facts->parts[HR_PART_PROCESS].state;
    if (process == HR_PART_UNKNOWN || file == HR_PART_UNKNOWN) {
        return fires_not(false, HR_PART_FILE);
    }
    const bool changed = hr_part_passes(file) || file == HR_PART_FALLS;
    return changed && !hr_part_may_grow(process) ? fires(facts, HR_PART_FILE)
                                                 : fires_not(true, HR_PART_FILE);
}

static bool anything_grows(const struct hr_facts *facts, const struct hr_rules *rules)
{
    static const enum hr_part_id PARTS[] = {HR_PART_HEAP, HR_PART_OUTSIDE, HR_PART_SHMEM};
    for (size_t i = 0; i < G_N_ELEMENTS(PARTS); i++) {
        if (hr_part_may_grow(facts->parts[PARTS[i]].state)) {
            return true;
        }
    }
    return slack_is_retention(facts, rules) && hr_part_may_grow(facts->parts[HR_PART_SLACK].state);
}

// Something grew, and nobody knows whether it has stopped.
static bool any_undecided(const struct hr_facts *facts)
{
    return facts->parts[HR_PART_HEAP].state == HR_PART_UNDECIDED ||
           facts->parts[HR_PART_OUTSIDE].state == HR_PART_UNDECIDED ||
           facts->parts[HR_PART_SHMEM].state == HR_PART_UNDECIDED;
}

// What grew and has stopped. A alone is a part only where nothing inside it is known.
static struct hr_firing judge_bounded(const struct hr_facts *facts, const struct hr_rules *rules)
{
    static const enum hr_part_id PARTS[] = {HR_PART_HEAP, HR_PART_OUTSIDE, HR_PART_SHMEM};
    enum hr_part_id largest = HR_PARTS_COUNT;
    for (size_t i = 0; i < G_N_ELEMENTS(PARTS); i++) {
        const struct hr_part *part = &facts->parts[PARTS[i]];
        if (part->state == HR_PART_GREW &&
            (largest == HR_PARTS_COUNT ||
             part->growth.value > facts->parts[largest].growth.value)) {
            largest = PARTS[i];
        }
    }
    const enum hr_part_state heap = facts->parts[HR_PART_HEAP].state;
    const enum hr_part_state process = facts->parts[HR_PART_PROCESS].state;
    if (largest == HR_PARTS_COUNT && heap == HR_PART_UNKNOWN && process == HR_PART_GREW) {
        largest = HR_PART_PROCESS;
    }
    // A process that goes on growing is not bounded, even if no part shows where.
    const bool bounded =
        largest != HR_PARTS_COUNT && !anything_grows(facts, rules) && process != HR_PART_GROWS;
    if (bounded) {
        return fires(facts, largest);
    }
    const bool measured = heap != HR_PART_UNKNOWN || process != HR_PART_UNKNOWN;
    return fires_not(measured && !any_undecided(facts), HR_PART_HEAP);
}

const struct hr_class_rule hr_class_rules[] = {
    {"heap_growth", HR_CLASS_HEAP_GROWTH, judge_heap_growth},
    {"outside_heap", HR_CLASS_OUTSIDE_HEAP, judge_outside_heap},
    {"allocator_retention", HR_CLASS_ALLOCATOR_RETENTION, judge_retention},
    {"bounded_growth", HR_CLASS_BOUNDED_GROWTH, judge_bounded},
    {"file_backed", HR_CLASS_FILE_BACKED, judge_file_backed},
};
const unsigned hr_class_rules_count = G_N_ELEMENTS(hr_class_rules);

static bool is_too_coarse(const struct hr_facts *facts, const struct hr_rules *rules)
{
    const double *limits = rules->thresholds;
    const double allowed = fmax(limits[HR_THRESHOLD_no_growth_floor_bytes],
                                limits[HR_THRESHOLD_no_growth_of_heap_ratio] * facts->heap_bytes);
    // An unknown detection limit is no proof of a fine one, and none helps where the heap as a
    // whole seems to have grown by more than may hide. Where even the interval of its growth ends
    // below that, no place can hide more.
    const struct hr_estimate *growth = &facts->parts[HR_PART_HEAP].growth;
    const bool fine = (facts->smallest_detectable_bytes <= allowed && growth->value <= allowed) ||
                      growth->high <= allowed;
    return !facts->allocated_known && !fine;
}

// Nothing fired: why this is not the same as "no growth", if it is not.
static enum hr_doubt find_doubt(const struct hr_facts *facts, const struct hr_rules *rules)
{
    const enum hr_part_state heap = facts->parts[HR_PART_HEAP].state;
    const enum hr_part_state process = facts->parts[HR_PART_PROCESS].state;
    if (facts->contradictory) {
        return HR_DOUBT_CONTRADICTION;
    }
    if (facts->heap_open) {
        return HR_DOUBT_HEAP_OPEN;
    }
    if (heap == HR_PART_UNKNOWN && hr_part_may_grow(process)) {
        return HR_DOUBT_NO_HEAP_FIGURE;
    }
    // Where every part is quiet, only a growth of the whole that certainly goes on outweighs them:
    // three changes too small to count add up to one that does.
    if (process == HR_PART_GROWS) {
        return HR_DOUBT_PROCESS_GREW_ALONE;
    }
    if (facts->coverage_ratio < rules->thresholds[HR_THRESHOLD_coverage_low_ratio]) {
        return HR_DOUBT_COVERAGE;
    }
    if (heap == HR_PART_UNKNOWN) {
        return process == HR_PART_UNKNOWN ? HR_DOUBT_NO_FIGURES : HR_DOUBT_NONE;
    }
    return is_too_coarse(facts, rules) ? HR_DOUBT_TOO_COARSE : HR_DOUBT_NONE;
}

struct hr_decision hr_classes_decide(const struct hr_facts *facts, const struct hr_rules *rules)
{
    struct hr_decision decision = {.class = HR_CLASS_INCONCLUSIVE};
    double most_bytes = -1;
    for (unsigned i = 0; i < hr_class_rules_count; i++) {
        const struct hr_class_rule *rule = &hr_class_rules[i];
        struct hr_firing firing = rule->judge(facts, rules);
        if (facts->contradictory && firing.outcome == HR_RULE_FIRED) {
            firing = fires_not(false, firing.part);
        }
        decision.firings[rule->class] = firing;
        if (firing.outcome == HR_RULE_FIRED && firing.bytes > most_bytes) {
            most_bytes = firing.bytes;
            decision.class = rule->class;
        }
    }
    const struct hr_firing quiet = {HR_RULE_NOT_FIRED, HR_PART_PROCESS, 0};
    decision.firings[HR_CLASS_NO_GROWTH] = quiet;
    decision.firings[HR_CLASS_INCONCLUSIVE] = quiet;
    if (decision.class == HR_CLASS_INCONCLUSIVE) {
        decision.doubt = find_doubt(facts, rules);
        if (decision.doubt == HR_DOUBT_NONE) {
            decision.class = HR_CLASS_NO_GROWTH;
        }
        decision.firings[decision.class].outcome = HR_RULE_FIRED;
    }
    return decision;
}
