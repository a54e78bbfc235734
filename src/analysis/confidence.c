// SPDX-License-Identifier: MIT
#include "analysis/confidence.h"

#include <math.h>

// The dumps telling of more than twice what the allocator counts is no sampling error any more.
#define COVERAGE_ABSURD_RATIO 2

// What each ground does to confidence: `most` is the highest it leaves possible.
static void add_reason(struct hr_verdict *verdict, enum hr_confidence most, const char *id,
                       const char *key, double value)
{
    verdict->confidence = MIN(verdict->confidence, most);
    if (verdict->confidence_reasons_count == HR_CONFIDENCE_REASONS_MAX) {
        return;
    }
    struct hr_phrase *reason = &verdict->confidence_reasons[verdict->confidence_reasons_count++];
    *reason = hr_phrase_new(id);
    if (key) {
        hr_phrase_add_number(reason, key, value);
    }
}

static void judge_dumps(struct hr_verdict *verdict, const struct hr_facts *facts,
                        const double *limits)
{
    const double count = (double)facts->dumps_count;
    if (count < limits[HR_THRESHOLD_low_confidence_dumps_count]) {
        add_reason(verdict, HR_CONFIDENCE_LOW,
                   count > 0 ? "confidence-dumps-few" : "confidence-dumps-none", "dumps_count",
                   count);
    } else if (count < limits[HR_THRESHOLD_high_confidence_dumps_count]) {
        add_reason(verdict, HR_CONFIDENCE_MEDIUM, "confidence-dumps-some", "dumps_count", count);
    } else {
        add_reason(verdict, HR_CONFIDENCE_HIGH, "confidence-dumps-many", "dumps_count", count);
    }
}

static void judge_names(struct hr_verdict *verdict, const struct hr_symbols *symbols,
                        const struct hr_findings *findings, const double *limits)
{
    const double named = findings->symbol_quality.named_bytes_ratio;
    if (symbols && symbols->binary_match == HR_BINARY_MISMATCH) {
        add_reason(verdict, HR_CONFIDENCE_LOW, "confidence-binary-mismatch", NULL, 0);
    } else if (symbols && symbols->binary_match == HR_BINARY_CONFIRMED) {
        add_reason(verdict, HR_CONFIDENCE_HIGH, "confidence-binary-confirmed", NULL, 0);
    } else if (named >= limits[HR_THRESHOLD_named_bytes_ratio]) {
        add_reason(verdict, HR_CONFIDENCE_HIGH, "confidence-names-enough", "named_ratio", named);
    } else {
        add_reason(verdict, HR_CONFIDENCE_MEDIUM, "confidence-names-few", "named_ratio", named);
    }
}

// What was measured beside the dumps, where the two cannot be compared.
static const char *measured_id(const struct hr_facts *facts)
{
    if (facts->process_known) {
        return facts->allocated_known ? "confidence-both-measured" : "confidence-process-measured";
    }
    if (facts->allocated_known) {
        return "confidence-allocator-measured";
    }
    return facts->process_seen ? "confidence-too-little-measured" : "confidence-nothing-measured";
}

static void judge_coverage(struct hr_verdict *verdict, const struct hr_facts *facts,
                           const double *limits)
{
    const double coverage = facts->coverage_ratio;
    if (isnan(coverage)) {
        add_reason(verdict, facts->process_known ? HR_CONFIDENCE_HIGH : HR_CONFIDENCE_MEDIUM,
                   measured_id(facts), NULL, 0);
    } else if (coverage < limits[HR_THRESHOLD_coverage_medium_ratio] ||
               coverage > COVERAGE_ABSURD_RATIO) {
        add_reason(verdict, HR_CONFIDENCE_LOW, "confidence-coverage-poor", "coverage_ratio",
                   coverage);
    } else if (coverage < limits[HR_THRESHOLD_coverage_high_low_ratio] ||
               coverage > limits[HR_THRESHOLD_coverage_high_high_ratio]) {
        add_reason(verdict, HR_CONFIDENCE_MEDIUM, "confidence-coverage-fair", "coverage_ratio",
                   coverage);
    } else {
        add_reason(verdict, HR_CONFIDENCE_HIGH, "confidence-coverage-good", "coverage_ratio",
                   coverage);
    }
}

// One dump a run is little, however well they match.
static void judge_comparison(struct hr_verdict *verdict, const struct hr_facts *facts,
                             const double *limits)
{
    const bool well = facts->matched_ratio >= limits[HR_THRESHOLD_named_bytes_ratio];
    add_reason(verdict, well ? HR_CONFIDENCE_MEDIUM : HR_CONFIDENCE_LOW,
               well ? "confidence-compared" : "confidence-compared-poor", "matched_ratio",
               facts->matched_ratio);
}

// What the deciding part itself leaves open.
static void judge_decision(struct hr_verdict *verdict, const struct hr_facts *facts,
                           const struct hr_decision *decision)
{
    const struct hr_firing *firing = &decision->firings[decision->class];
    if (facts->parts[firing->part].state == HR_PART_UNDECIDED && !facts->compared) {
        // Quiet parts speak for themselves; what then stays open is only their sum.
        const bool quiet = decision->class == HR_CLASS_NO_GROWTH;
        add_reason(verdict, quiet ? HR_CONFIDENCE_MEDIUM : HR_CONFIDENCE_LOW,
                   "confidence-undecided", NULL, 0);
    }
    const bool outside =
        decision->class == HR_CLASS_OUTSIDE_HEAP && firing->part == HR_PART_OUTSIDE;
    if (outside && facts->merged) {
        add_reason(verdict, HR_CONFIDENCE_LOW, "confidence-merged", NULL, 0);
    }
    if (outside && facts->rss_only) {
        add_reason(verdict, HR_CONFIDENCE_LOW, "confidence-rss", NULL, 0);
    }
    if (decision->class == HR_CLASS_INCONCLUSIVE) {
        add_reason(verdict, HR_CONFIDENCE_LOW, "confidence-inconclusive", NULL, 0);
    }
}

static bool is_hurt(const struct hr_run *run, size_t dump)
{
    return dump != HR_CHOICE_NONE &&
           (run->dumps[dump].note == HR_DUMP_NOTE_CUT || run->dumps[dump].damage != 0);
}

// Warnings that bear on the verdict: about what was compared, not about a file more or less.
static void judge_warnings(struct hr_verdict *verdict, const struct hr_run *run,
                           const struct hr_findings *findings,
                           const struct hr_diagnostics *diagnostics)
{
    const struct hr_choice *choice = findings->choice;
    if (choice && (is_hurt(run, choice->base) || is_hurt(run, choice->final))) {
        add_reason(verdict, HR_CONFIDENCE_MEDIUM, "confidence-cut", NULL, 0);
    }
    for (size_t i = 0; i < findings->breaks_count; i++) {
        if (findings->breaks[i].kind != HR_BREAK_GAP) {
            add_reason(verdict, HR_CONFIDENCE_MEDIUM, "confidence-break", NULL, 0);
            break;
        }
    }
    if (diagnostics && hr_diagnostics_count(diagnostics) > 0 &&
        hr_diagnostics_get(diagnostics, 0)->severity == HR_SEVERITY_ERROR) {
        add_reason(verdict, HR_CONFIDENCE_MEDIUM, "confidence-errors", NULL, 0);
    }
}

void hr_confidence_compute(const struct hr_run *run, const struct hr_symbols *symbols,
                           const struct hr_rules *rules, const struct hr_findings *findings,
                           const struct hr_facts *facts, const struct hr_decision *decision,
                           const struct hr_diagnostics *diagnostics, struct hr_verdict *verdict)
{
    verdict->confidence = HR_CONFIDENCE_HIGH;
    judge_decision(verdict, facts, decision);
    if (facts->compared) {
        judge_comparison(verdict, facts, rules->thresholds);
    } else {
        judge_dumps(verdict, facts, rules->thresholds);
    }
    if (facts->startup_s > 0) {
        add_reason(verdict, HR_CONFIDENCE_HIGH, "confidence-startup", "startup_s",
                   facts->startup_s);
    }
    if (facts->dumps_count > 0) {
        judge_names(verdict, symbols, findings, rules->thresholds);
    }
    if (!facts->compared) {
        judge_coverage(verdict, facts, rules->thresholds);
    }
    judge_warnings(verdict, run, findings, diagnostics);
}
