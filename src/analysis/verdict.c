// SPDX-License-Identifier: MIT
#include "analysis/verdict.h"

#include "analysis/balance.h"
#include "analysis/confidence.h"
#include "analysis/forecast.h"
#include "analysis/next_steps.h"
#include "analysis/wording.h"

#include <math.h>
#include <string.h>

static double growth_of(const struct hr_run *run, const struct hr_facts *facts,
                        enum hr_evidence_id id)
{
    const struct hr_gauge gauge = hr_gauge_of_evidence(&run->evidence, id);
    const double growth = hr_movement_compute(gauge, facts->windows.dumps).growth.value;
    return isnan(growth) ? hr_movement_compute(gauge, facts->windows.longer).growth.value : growth;
}

static struct hr_wording_context make_context(const struct hr_run *run,
                                              const struct hr_findings *findings,
                                              const struct hr_facts *facts)
{
    struct hr_wording_context context = {
        .function_share_ratio = NAN,
        .thread_stacks_growth_bytes = growth_of(run, facts, HR_EVIDENCE_THREAD_STACKS),
        .glibc_arenas_growth_bytes = growth_of(run, facts, HR_EVIDENCE_GLIBC_ARENAS),
        .huge_pages_growth_bytes = growth_of(run, facts, HR_EVIDENCE_HUGE_PAGES),
    };
    const struct hr_gauge retained = hr_gauge_of_evidence(&run->evidence, HR_EVIDENCE_RETAINED);
    context.retained_bytes = retained.count > 0 ? retained.value[retained.count - 1] : NAN;
    // Only a growth that noise does not explain may be named in the answer.
    if (findings->suspects_count > 0 && findings->suspects[0].significant) {
        context.function = findings->suspects[0].function;
        context.function_share_ratio = findings->suspects[0].share_ratio;
    }
    return context;
}

// The class that a part's growth adds to, or HR_CLASSES_COUNT.
static enum hr_class contributes_to(const struct hr_facts *facts,
                                    const struct hr_decision *decision, enum hr_part_id part)
{
    for (enum hr_class class = 0; class < HR_CLASSES_COUNT; class ++) {
        const struct hr_firing *firing = &decision->firings[class];
        if (firing->outcome != HR_RULE_FIRED || firing->bytes <= 0) {
            continue;
        }
        const bool other_outside = class == HR_CLASS_OUTSIDE_HEAP &&
                                   (part == HR_PART_OUTSIDE || part == HR_PART_SHMEM) &&
                                   hr_part_may_grow(facts->parts[part].state);
        const bool other_bounded = class == HR_CLASS_BOUNDED_GROWTH &&
                                   (part == HR_PART_OUTSIDE || part == HR_PART_SHMEM) &&
                                   facts->parts[part].state == HR_PART_GREW;
        if (firing->part == part || other_outside || other_bounded) {
            return class;
        }
    }
    return HR_CLASSES_COUNT;
}

static double positive_sum(const struct hr_facts *facts)
{
    double sum = 0;
    for (int part = HR_PART_HEAP; part < HR_PART_PROCESS; part++) {
        const double growth = facts->parts[part].growth.value;
        sum += growth > 0 ? growth : 0; // an unknown part adds nothing
    }
    return sum;
}

static void add_contributions(const struct hr_facts *facts, const struct hr_decision *decision,
                              struct hr_verdict *verdict)
{
    const double sum = positive_sum(facts);
    for (enum hr_part_id part = 0; part < HR_PARTS_COUNT; part++) {
        const enum hr_class class = contributes_to(facts, decision, part);
        if (class == HR_CLASSES_COUNT) {
            continue;
        }
        const struct hr_estimate growth = facts->parts[part].growth;
        const bool shares = growth.value > 0 && sum > 0 && part != HR_PART_PROCESS;
        verdict->contributions[verdict->contributions_count++] =
            (struct hr_contribution){class, part, growth, shares ? growth.value / sum : NAN};
    }
}

// What was allocated only ever rises: nothing of it tells whether memory is kept.
static void leave_open(const struct hr_run *run, struct hr_findings *findings)
{
    struct hr_verdict *verdict = &findings->verdict;
    *verdict = (struct hr_verdict){
        .class = HR_CLASS_INCONCLUSIVE, .scope = HR_SCOPE_HEAP, .confidence = HR_CONFIDENCE_LOW};
    verdict->sentence = hr_wording_allocated(run, findings);
    verdict->rules_count = hr_wording_rules_open(verdict->rules);
    verdict->confidence_reasons[verdict->confidence_reasons_count++] =
        hr_phrase_new("confidence-allocated");
    verdict->next_steps[verdict->next_steps_count++] =
        (struct hr_next_step){hr_phrase_new("next-live"), hr_phrase_new(NULL)};
    findings->totals.coverage_ratio = NAN;
}

void hr_verdict_compute(struct hr_arena *arena, const struct hr_run *run,
                        const struct hr_symbols *symbols, const struct hr_rules *rules,
                        const struct hr_analysis_options *options, struct hr_findings *findings,
                        struct hr_diagnostics *diagnostics)
{
    struct hr_facts facts;
    hr_facts_compute(arena, run, rules, findings, &facts);
    findings->totals.coverage_ratio = facts.coverage_ratio;
    hr_balance_compute(arena, run, &facts, findings);
    if (run->metric != HR_METRIC_LIVE_BYTES) {
        leave_open(run, findings);
        return;
    }
    findings->forecast = hr_forecast_compute(arena, run, options, findings, &facts);

    const struct hr_decision decision = hr_classes_decide(&facts, rules);
    const struct hr_wording_context context = make_context(run, findings, &facts);
    struct hr_verdict *verdict = &findings->verdict;
    *verdict = (struct hr_verdict){.class = decision.class};
    verdict->scope = facts.process_known ? HR_SCOPE_PROCESS : HR_SCOPE_HEAP;
    memcpy(verdict->parts, facts.parts, sizeof facts.parts);
    verdict->sentence = hr_wording_sentence(&facts, &decision, &context);
    verdict->rules_count =
        hr_wording_rules(arena, &facts, rules, &decision, &context, verdict->rules);
    add_contributions(&facts, &decision, verdict);
    hr_confidence_compute(run, symbols, rules, findings, &facts, &decision, diagnostics, verdict);
    hr_next_steps_compute(arena, run, symbols, rules, findings, &facts, &decision, verdict);
}
