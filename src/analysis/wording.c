// SPDX-License-Identifier: MIT
#include "analysis/wording.h"

#include <math.h>

static void add_estimate(struct hr_phrase *phrase, const char *const names[3],
                         struct hr_estimate estimate)
{
    hr_phrase_add_number(phrase, names[0], estimate.value);
    hr_phrase_add_number(phrase, names[1], estimate.low);
    hr_phrase_add_number(phrase, names[2], estimate.high);
}

static const char *const GROWTH[3] = {"growth_bytes", "growth_bytes_low", "growth_bytes_high"};

// So many measurements fill the tenths of a window; with fewer, larger groups are compared.
#define TENTHS_FILLED (10 * HR_MOVEMENT_GROUP_MIN)

static const char *window_id(const struct hr_facts *facts, enum hr_part_id part)
{
    const size_t count = facts->parts[part].measured_count;
    if (!(facts->duration_s > 0)) {
        return "window-order";
    }
    if (part == HR_PART_HEAP && facts->heap_from_dumps) {
        return "window-clock";
    }
    return count > 0 && count < TENTHS_FILLED ? "window-few" : "window-tenths";
}

// Says between what the growth lies: base and final dump, or the medians of two tenths.
static void add_window(struct hr_phrase *phrase, const struct hr_facts *facts, enum hr_part_id part)
{
    hr_phrase_add_text_id(phrase, "window", window_id(facts, part));
    hr_phrase_add_number(phrase, "duration_s", facts->duration_s);
    hr_phrase_add_number(phrase, "measured_count", (double)facts->parts[part].measured_count);
}

static void add_pace(struct hr_phrase *phrase, enum hr_part_state state)
{
    const bool undecided = state == HR_PART_UNDECIDED;
    const bool ended = state == HR_PART_GREW;
    hr_phrase_add_text_id(phrase, "pace",
                          undecided ? "pace-undecided"
                          : ended   ? "pace-ended"
                                    : "pace-grows");
}

static const char *process_id(const struct hr_facts *facts)
{
    switch (facts->parts[HR_PART_PROCESS].state) {
    case HR_PART_UNKNOWN:
        return facts->process_seen ? "process-too-seldom" : "process-unmeasured";
    case HR_PART_FLAT:
        return "process-flat";
    case HR_PART_FALLS:
        return "process-falls";
    default:
        return "process-grew";
    }
}

static void add_process(struct hr_phrase *phrase, const struct hr_facts *facts)
{
    hr_phrase_add_text_id(phrase, "process", process_id(facts));
    hr_phrase_add_number(phrase, "process_growth_bytes",
                         facts->parts[HR_PART_PROCESS].growth.value);
}

// Without dumps, no place stands out because none was looked at.
static void add_place(struct hr_phrase *phrase, const struct hr_facts *facts,
                      const struct hr_wording_context *context)
{
    hr_phrase_add_text_id(phrase, "place",
                          context->function        ? "place-named"
                          : facts->dumps_count > 0 ? "place-unnamed"
                                                   : "place-unread");
    hr_phrase_add_text(phrase, "function", context->function ? context->function : "");
    hr_phrase_add_number(phrase, "function_ratio", context->function_share_ratio);
}

static struct hr_phrase sentence_heap_growth(const struct hr_facts *facts,
                                             const struct hr_wording_context *context)
{
    const struct hr_part *heap = &facts->parts[HR_PART_HEAP];
    struct hr_phrase phrase = hr_phrase_new("verdict-heap_growth");
    add_window(&phrase, facts, HR_PART_HEAP);
    add_estimate(&phrase, GROWTH, heap->growth);
    add_pace(&phrase, heap->state);
    add_process(&phrase, facts);
    add_place(&phrase, facts, context);
    return phrase;
}

// Which part of what lies outside the heap explains at least half of it.
static const char *where_id(const struct hr_facts *facts, const struct hr_wording_context *context,
                            enum hr_part_id part)
{
    const double half = facts->parts[part].growth.value / 2;
    if (part == HR_PART_SHMEM) {
        return "where-shmem";
    }
    if (facts->rss_only) {
        return "where-rss";
    }
    if (context->thread_stacks_growth_bytes >= half) {
        return "where-thread_stacks";
    }
    if (context->glibc_arenas_growth_bytes >= half) {
        return "where-glibc_arenas";
    }
    if (facts->merged) {
        return "where-merged";
    }
    // Counters flat and that much address space retained: the kernel fills it with huge pages.
    const bool refilled =
        isnan(context->huge_pages_growth_bytes) && context->retained_bytes >= half;
    if (context->huge_pages_growth_bytes >= half || refilled) {
        return "where-huge_pages";
    }
    const double named_bytes =
        context->thread_stacks_growth_bytes + context->glibc_arenas_growth_bytes;
    return named_bytes < half ? "where-mappings" : "where-unknown";
}

static struct hr_phrase sentence_outside(const struct hr_facts *facts, enum hr_part_id id,
                                         const struct hr_wording_context *context)
{
    const struct hr_part *part = &facts->parts[id];
    struct hr_phrase phrase = hr_phrase_new("verdict-outside_heap");
    add_window(&phrase, facts, id);
    add_estimate(&phrase, GROWTH, part->growth);
    add_pace(&phrase, part->state);
    hr_phrase_add_text_id(&phrase, "where", where_id(facts, context, id));
    hr_phrase_add_number(&phrase, "heap_growth_bytes", facts->parts[HR_PART_HEAP].growth.value);
    hr_phrase_add_number(&phrase, "process_growth_bytes",
                         facts->parts[HR_PART_PROCESS].growth.value);
    return phrase;
}

static struct hr_phrase sentence_retention(const struct hr_facts *facts,
                                           const struct hr_firing *firing)
{
    const struct hr_part *slack = &facts->parts[HR_PART_SLACK];
    const bool by_ends = firing->bytes == slack->growth.value;
    struct hr_phrase phrase =
        hr_phrase_new(by_ends ? "verdict-allocator_retention" : "verdict-allocator_retention-kept");
    add_window(&phrase, facts, HR_PART_SLACK);
    hr_phrase_add_number(&phrase, "growth_bytes", slack->growth.value);
    hr_phrase_add_number(&phrase, "kept_bytes", firing->bytes);
    hr_phrase_add_number(&phrase, "allocated_peak_bytes", facts->allocated_peak_bytes);
    hr_phrase_add_number(&phrase, "heap_growth_bytes", facts->parts[HR_PART_HEAP].growth.value);
    hr_phrase_add_number(&phrase, "heap_bytes", facts->heap_bytes);
    add_process(&phrase, facts);
    return phrase;
}

static struct hr_phrase sentence_bounded(const struct hr_facts *facts, enum hr_part_id id)
{
    static const char *const SUBJECTS[HR_PARTS_COUNT] = {
        [HR_PART_HEAP] = "subject-heap",       [HR_PART_SLACK] = "subject-slack",
        [HR_PART_OUTSIDE] = "subject-outside", [HR_PART_SHMEM] = "subject-shmem",
        [HR_PART_FILE] = "subject-file",       [HR_PART_PROCESS] = "subject-process",
    };
    const struct hr_part *part = &facts->parts[id];
    struct hr_phrase phrase = hr_phrase_new(id == HR_PART_PROCESS ? "verdict-bounded_growth-process"
                                                                  : "verdict-bounded_growth");
    add_window(&phrase, facts, id);
    hr_phrase_add_text_id(&phrase, "subject", SUBJECTS[id]);
    add_estimate(&phrase, GROWTH, part->growth);
    hr_phrase_add_number(&phrase, "last_third_growth_bytes", part->last_third.value);
    return phrase;
}

// The heap that a change is told of: what it shrank from, where it shrank.
static double changed_heap_bytes(const struct hr_facts *facts)
{
    const double growth = facts->parts[HR_PART_HEAP].growth.value;
    return growth < 0 ? facts->heap_bytes - growth : facts->heap_bytes;
}

static struct hr_phrase sentence_no_growth(const struct hr_facts *facts)
{
    const enum hr_part_state process = facts->parts[HR_PART_PROCESS].state;
    const enum hr_part_state heap = facts->parts[HR_PART_HEAP].state;
    struct hr_phrase phrase = hr_phrase_new("verdict-no_growth");
    if (process == HR_PART_UNKNOWN) {
        phrase.id = "verdict-no_growth-heap";
    } else if (heap == HR_PART_UNKNOWN) {
        phrase.id = "verdict-no_growth-process";
    } else if (process == HR_PART_GREW) {
        phrase.id = "verdict-no_growth-settled";
    }
    static const char *const HEAP_GROWTH[3] = {"heap_growth_bytes", "heap_growth_bytes_low",
                                               "heap_growth_bytes_high"};
    add_window(&phrase, facts, HR_PART_HEAP);
    add_estimate(&phrase, HEAP_GROWTH, facts->parts[HR_PART_HEAP].growth);
    hr_phrase_add_number(&phrase, "heap_bytes", changed_heap_bytes(facts));
    hr_phrase_add_number(&phrase, "process_growth_bytes",
                         facts->parts[HR_PART_PROCESS].growth.value);
    return phrase;
}

static struct hr_phrase sentence_inconclusive(const struct hr_facts *facts, enum hr_doubt doubt)
{
    static const char *const IDS[] = {
        [HR_DOUBT_NONE] = "verdict-inconclusive-no_figures",
        [HR_DOUBT_CONTRADICTION] = "verdict-inconclusive-contradiction",
        [HR_DOUBT_HEAP_OPEN] = "verdict-inconclusive-open",
        [HR_DOUBT_PROCESS_GREW_ALONE] = "verdict-inconclusive-process_grew",
        [HR_DOUBT_NO_FIGURES] = "verdict-inconclusive-no_figures",
        [HR_DOUBT_NO_HEAP_FIGURE] = "verdict-inconclusive-no_heap",
        [HR_DOUBT_COVERAGE] = "verdict-inconclusive-coverage",
        [HR_DOUBT_TOO_COARSE] = "verdict-inconclusive-coarse",
    };
    const bool too_few = doubt == HR_DOUBT_NO_HEAP_FIGURE && facts->dumps_count > 0;
    // A difference that would be seen, were it not that the heap moved on the way.
    const bool swings = doubt == HR_DOUBT_TOO_COARSE &&
                        facts->parts[HR_PART_HEAP].growth.value > facts->smallest_detectable_bytes;
    struct hr_phrase phrase = hr_phrase_new(too_few  ? "verdict-inconclusive-few_dumps"
                                            : swings ? "verdict-inconclusive-swings"
                                                     : IDS[doubt]);
    add_window(&phrase, facts, HR_PART_HEAP);
    hr_phrase_add_number(&phrase, "process_growth_bytes",
                         facts->parts[HR_PART_PROCESS].growth.value);
    hr_phrase_add_number(&phrase, "heap_growth_bytes", facts->parts[HR_PART_HEAP].growth.value);
    hr_phrase_add_number(&phrase, "heap_bytes", facts->heap_bytes);
    hr_phrase_add_number(&phrase, "shown_bytes", facts->coverage_ratio * facts->heap_bytes);
    hr_phrase_add_number(&phrase, "coverage_ratio", facts->coverage_ratio);
    hr_phrase_add_number(&phrase, "smallest_detectable_bytes", facts->smallest_detectable_bytes);
    hr_phrase_add_number(&phrase, "dumps_count", (double)facts->dumps_count);
    return phrase;
}

// Two runs, one dump each: what the one holds more, not what grows.
static struct hr_phrase sentence_compared(const struct hr_facts *facts,
                                          const struct hr_decision *decision,
                                          const struct hr_wording_context *context)
{
    const bool more = decision->class == HR_CLASS_HEAP_GROWTH;
    const bool open = decision->class == HR_CLASS_INCONCLUSIVE;
    struct hr_phrase phrase = hr_phrase_new(more   ? "verdict-compared-more"
                                            : open ? "verdict-compared-open"
                                                   : "verdict-compared-same");
    add_estimate(&phrase, GROWTH, facts->parts[HR_PART_HEAP].growth);
    hr_phrase_add_number(&phrase, "heap_bytes", changed_heap_bytes(facts));
    hr_phrase_add_number(&phrase, "smallest_detectable_bytes", facts->smallest_detectable_bytes);
    add_place(&phrase, facts, context);
    return phrase;
}

struct hr_phrase hr_wording_sentence(const struct hr_facts *facts,
                                     const struct hr_decision *decision,
                                     const struct hr_wording_context *context)
{
    const struct hr_firing *firing = &decision->firings[decision->class];
    if (facts->compared) {
        return sentence_compared(facts, decision, context);
    }
    switch (decision->class) {
    case HR_CLASS_HEAP_GROWTH:
        return sentence_heap_growth(facts, context);
    case HR_CLASS_OUTSIDE_HEAP:
        return sentence_outside(facts, firing->part, context);
    case HR_CLASS_ALLOCATOR_RETENTION:
        return sentence_retention(facts, firing);
    case HR_CLASS_BOUNDED_GROWTH:
        return sentence_bounded(facts, firing->part);
    case HR_CLASS_FILE_BACKED: {
        struct hr_phrase phrase = hr_phrase_new(facts->file_of_cgroup ? "verdict-file_backed-cgroup"
                                                                      : "verdict-file_backed");
        add_window(&phrase, facts, HR_PART_FILE);
        add_estimate(&phrase, GROWTH, facts->parts[HR_PART_FILE].growth);
        add_process(&phrase, facts);
        return phrase;
    }
    case HR_CLASS_NO_GROWTH:
        return sentence_no_growth(facts);
    default:
        return sentence_inconclusive(facts, decision->doubt);
    }
}

static void add_number(struct hr_rule_finding *finding, const char *key, double value)
{
    g_assert(finding->numbers_count < HR_RULE_NUMBERS_MAX);
    finding->numbers[finding->numbers_count++] = (struct hr_rule_number){key, value};
}

// The keys of a part's three numbers.
static const char *const PART_KEYS[HR_PARTS_COUNT][3] = {
    [HR_PART_HEAP] = {"heap_growth_bytes", "heap_last_third_growth_bytes", "heap_needed_bytes"},
    [HR_PART_SLACK] = {"slack_growth_bytes", "slack_last_third_growth_bytes", "slack_needed_bytes"},
    [HR_PART_OUTSIDE] = {"outside_growth_bytes", "outside_last_third_growth_bytes",
                         "outside_needed_bytes"},
    [HR_PART_SHMEM] = {"shmem_growth_bytes", "shmem_last_third_growth_bytes", "shmem_needed_bytes"},
    [HR_PART_FILE] = {"file_growth_bytes", "file_last_third_growth_bytes", "file_needed_bytes"},
    [HR_PART_PROCESS] = {"process_growth_bytes", "process_last_third_growth_bytes",
                         "process_needed_bytes"},
};

static void add_part(struct hr_rule_finding *finding, const struct hr_facts *facts,
                     const struct hr_rules *rules, enum hr_part_id id)
{
    const struct hr_part *part = &facts->parts[id];
    const bool known = part->state != HR_PART_UNKNOWN;
    add_number(finding, PART_KEYS[id][0], part->growth.value);
    add_number(finding, PART_KEYS[id][1], part->last_third.value);
    add_number(finding, PART_KEYS[id][2], known ? hr_part_needed_bytes(rules, part) : NAN);
}

static void add_growth(struct hr_rule_finding *finding, const struct hr_facts *facts,
                       enum hr_part_id id)
{
    add_number(finding, PART_KEYS[id][0], facts->parts[id].growth.value);
}

static void add_numbers(struct hr_rule_finding *finding, const struct hr_facts *facts,
                        const struct hr_rules *rules, const struct hr_wording_context *context)
{
    switch (finding->class) {
    case HR_CLASS_HEAP_GROWTH:
        add_part(finding, facts, rules, HR_PART_HEAP);
        add_growth(finding, facts, HR_PART_PROCESS);
        add_number(finding, "coverage_ratio", facts->coverage_ratio);
        break;
    case HR_CLASS_OUTSIDE_HEAP:
        add_part(finding, facts, rules, HR_PART_OUTSIDE);
        add_part(finding, facts, rules, HR_PART_SHMEM);
        add_number(finding, "thread_stacks_growth_bytes", context->thread_stacks_growth_bytes);
        add_number(finding, "glibc_arenas_growth_bytes", context->glibc_arenas_growth_bytes);
        add_number(finding, "huge_pages_growth_bytes", context->huge_pages_growth_bytes);
        break;
    case HR_CLASS_ALLOCATOR_RETENTION:
        add_part(finding, facts, rules, HR_PART_SLACK);
        add_growth(finding, facts, HR_PART_HEAP);
        add_number(finding, "allocated_peak_bytes", facts->allocated_peak_bytes);
        add_number(finding, "kept_after_peak_bytes", facts->kept_after_peak_bytes);
        break;
    case HR_CLASS_BOUNDED_GROWTH:
        add_part(finding, facts, rules, HR_PART_HEAP);
        add_part(finding, facts, rules, HR_PART_OUTSIDE);
        add_growth(finding, facts, HR_PART_PROCESS);
        break;
    case HR_CLASS_FILE_BACKED:
        add_part(finding, facts, rules, HR_PART_FILE);
        add_growth(finding, facts, HR_PART_PROCESS);
        break;
    default:
        add_part(finding, facts, rules, HR_PART_PROCESS);
        add_growth(finding, facts, HR_PART_HEAP);
        add_number(finding, "smallest_detectable_bytes", facts->smallest_detectable_bytes);
        add_number(finding, "coverage_ratio", facts->coverage_ratio);
        break;
    }
}

// A rule's phrases can use all of its numbers.
static struct hr_phrase rule_phrase(struct hr_arena *arena, const struct hr_rule_finding *finding,
                                    const char *what)
{
    struct hr_phrase phrase =
        hr_phrase_new(hr_arena_printf(arena, "rule-%s-%s", finding->id, what));
    for (unsigned i = 0; i < finding->numbers_count; i++) {
        hr_phrase_add_number(&phrase, finding->numbers[i].key, finding->numbers[i].value);
    }
    return phrase;
}

static struct hr_rule_finding rule_finding(struct hr_arena *arena, const struct hr_facts *facts,
                                           const struct hr_rules *rules,
                                           const struct hr_decision *decision,
                                           const struct hr_wording_context *context,
                                           enum hr_class class)
{
    static const char *const BECAUSE[] = {
        [HR_RULE_NOT_FIRED] = "quiet", [HR_RULE_FIRED] = "fired", [HR_RULE_UNKNOWN] = "unknown"};
    struct hr_rule_finding finding = {
        .id = hr_class_name(class), .class = class, .outcome = decision->firings[class].outcome};
    add_numbers(&finding, facts, rules, context);
    const bool open = (facts->heap_open && class == HR_CLASS_HEAP_GROWTH) ||
                      (finding.outcome == HR_RULE_UNKNOWN && class == HR_CLASS_BOUNDED_GROWTH &&
                       !isnan(facts->parts[HR_PART_HEAP].growth.value));
    const bool outside_unknown =
        finding.outcome == HR_RULE_UNKNOWN && class == HR_CLASS_OUTSIDE_HEAP;
    finding.because =
        rule_phrase(arena, &finding,
                    open                                      ? "open"
                    : outside_unknown && facts->process_known ? "inside"
                    : outside_unknown && facts->process_seen  ? "seldom"
                                                              : BECAUSE[finding.outcome]);
    finding.against = rule_phrase(arena, &finding, "against");
    finding.would_overturn = rule_phrase(arena, &finding, "overturn");
    return finding;
}

unsigned hr_wording_rules(struct hr_arena *arena, const struct hr_facts *facts,
                          const struct hr_rules *rules, const struct hr_decision *decision,
                          const struct hr_wording_context *context,
                          struct hr_rule_finding findings[HR_CLASSES_COUNT])
{
    unsigned count = 0;
    for (unsigned i = 0; i < hr_class_rules_count; i++) {
        findings[count++] =
            rule_finding(arena, facts, rules, decision, context, hr_class_rules[i].class);
    }
    findings[count++] = rule_finding(arena, facts, rules, decision, context, HR_CLASS_NO_GROWTH);
    findings[count++] = rule_finding(arena, facts, rules, decision, context, HR_CLASS_INCONCLUSIVE);
    return count;
}
