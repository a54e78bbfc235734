// SPDX-License-Identifier: MIT
// Verdict, rules, balance and forecast of the sample.
#include "sample.h"

#include <math.h>

static struct hr_estimate exact(double value)
{
    return (struct hr_estimate){value, value, value};
}

static struct hr_balance_row make_row(const char *id, const struct hr_evidence_series *series)
{
    const size_t last = series->count - 1;
    double peak = 0;
    for (size_t i = 0; i <= last; i++) {
        peak = fmax(peak, series->value[i]);
    }
    return (struct hr_balance_row){.id = id,
                                   .source = series->source,
                                   .base_bytes = series->value[0],
                                   .final_bytes = series->value[last],
                                   .peak_bytes = peak,
                                   .last_bytes = series->value[last],
                                   .growth = exact(series->value[last] - series->value[0])};
}

static void fill_balance(struct hr_sample *sample, const struct hr_sample_options *options)
{
    static const enum hr_evidence_id SHOWN[] = {HR_EVIDENCE_ALLOCATED,     HR_EVIDENCE_ACTIVE,
                                                HR_EVIDENCE_RESIDENT,      HR_EVIDENCE_ANONYMOUS,
                                                HR_EVIDENCE_PRIVATE_DIRTY, HR_EVIDENCE_LAZY_FREE,
                                                HR_EVIDENCE_SWAP,          HR_EVIDENCE_FILE,
                                                HR_EVIDENCE_SHMEM,         HR_EVIDENCE_RSS};
    struct hr_findings *findings = &sample->findings;
    struct hr_balance_row *rows =
        HR_ARENA_ARRAY(sample->run->arena, struct hr_balance_row, G_N_ELEMENTS(SHOWN) + 1);
    size_t count = 0;
    if (options->dumps_count > 0) {
        const struct hr_totals *totals = &findings->totals;
        rows[count++] = (struct hr_balance_row){.id = "heap_profile",
                                                .source = "jemalloc heap profile",
                                                .base_bytes = totals->base.value,
                                                .final_bytes = totals->final.value,
                                                .peak_bytes = totals->peak.value,
                                                .last_bytes = totals->final.value,
                                                .growth = totals->growth};
    }
    for (size_t i = 0; options->evidence && i < G_N_ELEMENTS(SHOWN); i++) {
        rows[count++] =
            make_row(hr_evidence_name(SHOWN[i]), &sample->run->evidence.series[SHOWN[i]]);
    }
    findings->balance = rows;
    findings->balance_count = count;
}

static const char *const CLASS_IDS[HR_CLASSES_COUNT] = {
    [HR_CLASS_NO_GROWTH] = "no_growth",
    [HR_CLASS_HEAP_GROWTH] = "heap_growth",
    [HR_CLASS_BOUNDED_GROWTH] = "bounded_growth",
    [HR_CLASS_ALLOCATOR_RETENTION] = "allocator_retention",
    [HR_CLASS_OUTSIDE_HEAP] = "outside_heap",
    [HR_CLASS_FILE_BACKED] = "file_backed",
    [HR_CLASS_INCONCLUSIVE] = "inconclusive",
};

static void fill_rules(struct hr_sample *sample)
{
    struct hr_verdict *verdict = &sample->findings.verdict;
    for (int class = 0; class < HR_CLASSES_COUNT; class ++) {
        struct hr_rule_finding *rule = &verdict->rules[verdict->rules_count++];
        const bool fired = class == (int)verdict->class;
        *rule = (struct hr_rule_finding){.id = CLASS_IDS[class],
                                         .class = (enum hr_class) class,
                                         .outcome = fired ? HR_RULE_FIRED : HR_RULE_NOT_FIRED};
        rule->because = hr_phrase_new(fired ? "The numbers below ask for it."
                                            : "The numbers below do not ask for it.");
        rule->against = hr_phrase_new("Nothing measured speaks against it.");
        rule->would_overturn = hr_phrase_new("A longer run in which the growth ends.");
        rule->numbers[rule->numbers_count++] =
            (struct hr_rule_number){"heap_growth_bytes", sample->findings.totals.growth.value};
        rule->numbers[rule->numbers_count++] =
            (struct hr_rule_number){"coverage_ratio", sample->findings.totals.coverage_ratio};
    }
}

static void say_growth(struct hr_sample *sample)
{
    struct hr_verdict *verdict = &sample->findings.verdict;
    const struct hr_totals *totals = &sample->findings.totals;
    struct hr_phrase sentence = hr_phrase_new("The heap grew by {growth_bytes} in {duration_s}, "
                                              "steadily to the end; {share_ratio} of it is live in "
                                              "one place, {function}.");
    hr_phrase_add_number(&sentence, "growth_bytes", totals->growth.value);
    hr_phrase_add_number(&sentence, "growth_bytes_low", totals->growth.low);
    hr_phrase_add_number(&sentence, "growth_bytes_high", totals->growth.high);
    hr_phrase_add_number(&sentence, "duration_s", HR_SAMPLE_WINDOW_S);
    hr_phrase_add_number(&sentence, "share_ratio", sample->findings.suspects[0].share_ratio);
    hr_phrase_add_text(&sentence, "function", sample->findings.suspects[0].function);
    verdict->sentence = sentence;
    verdict->confidence = HR_CONFIDENCE_HIGH;
    verdict->contributions[verdict->contributions_count++] =
        (struct hr_contribution){HR_CLASS_HEAP_GROWTH, HR_PART_HEAP, totals->growth, 1};
    verdict->next_steps[verdict->next_steps_count++] = (struct hr_next_step){
        hr_phrase_new("Look at the bound of the cache at S1: it grows with every new file."), {0}};
    verdict->next_steps[verdict->next_steps_count++] =
        (struct hr_next_step){hr_phrase_new("Run twice as long to see whether S2 ends."),
                              hr_phrase_new("heapreport record --for 24h")};
    sample->findings.forecast = (struct hr_forecast){.known = true,
                                                     .limit_bytes = 2048 * HR_SAMPLE_MIB,
                                                     .limit_source = "cgroup memory.max",
                                                     .low_s = 14 * 86400,
                                                     .high_s = 19 * 86400};
}

void hr_sample_fill_verdict(struct hr_sample *sample, const struct hr_sample_options *options)
{
    struct hr_verdict *verdict = &sample->findings.verdict;
    verdict->class = options->class;
    verdict->scope = options->evidence ? HR_SCOPE_PROCESS : HR_SCOPE_HEAP;
    verdict->confidence = HR_CONFIDENCE_MEDIUM;
    if (options->dumps_count == 0) {
        sample->findings.totals.growth = HR_ESTIMATE_UNKNOWN;
        sample->findings.totals.coverage_ratio = NAN;
        verdict->confidence = HR_CONFIDENCE_LOW;
        verdict->sentence =
            hr_phrase_new("The process grew, but no heap dump says where: switch profiling on.");
    } else if (options->class == HR_CLASS_NO_GROWTH) {
        verdict->sentence = hr_phrase_new("The heap did not grow; the process was not measured.");
    } else {
        say_growth(sample);
    }
    verdict->confidence_reasons[verdict->confidence_reasons_count++] = hr_phrase_new(
        options->dumps_count > 20 ? "More than 20 dumps were used." : "There are no dumps.");
    fill_balance(sample, options);
    fill_rules(sample);
}
