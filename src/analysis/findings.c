// SPDX-License-Identifier: MIT
#include "analysis/findings.h"

#include "analysis/breaks.h"
#include "analysis/call_tree.h"
#include "analysis/detectable.h"
#include "analysis/flame.h"
#include "analysis/fragmentation.h"
#include "analysis/frame_kinds.h"
#include "analysis/functions.h"
#include "analysis/plausibility.h"
#include "analysis/significance.h"
#include "analysis/sizes.h"
#include "analysis/suspects.h"
#include "analysis/symbol_quality.h"
#include "analysis/threads.h"
#include "analysis/totals.h"
#include "analysis/verdict.h"

static const double *point_times(struct hr_arena *arena, const struct hr_run *run,
                                 const struct hr_choice *choice)
{
    if (run->comparison) {
        return NULL; // two processes have no time in common
    }
    double *times = HR_ARENA_ARRAY(arena, double, choice->points_count);
    for (size_t p = 0; p < choice->points_count; p++) {
        times[p] = run->dumps[choice->points[p]].taken_at_s;
        if (isnan(times[p])) {
            return NULL;
        }
    }
    return times;
}

// What is said when nothing could be compared: unknown everywhere.
static void set_unknown(struct hr_findings *findings)
{
    const struct hr_trend trend = {.shape = HR_SHAPE_UNKNOWN,
                                   .growth = HR_ESTIMATE_UNKNOWN,
                                   .thirds_growth_bytes = {NAN, NAN, NAN},
                                   .last_third = HR_ESTIMATE_UNKNOWN,
                                   .rate_bytes_per_hour = HR_ESTIMATE_UNKNOWN};
    findings->totals = (struct hr_totals){.base = HR_ESTIMATE_UNKNOWN,
                                          .final = HR_ESTIMATE_UNKNOWN,
                                          .peak = HR_ESTIMATE_UNKNOWN,
                                          .growth = HR_ESTIMATE_UNKNOWN,
                                          .base_objects = NAN,
                                          .final_objects = NAN,
                                          .growth_objects = NAN,
                                          .grown_bytes = NAN,
                                          .shrunk_bytes = NAN,
                                          .trend = trend,
                                          .smallest_detectable_bytes = NAN,
                                          .coverage_ratio = NAN};
    findings->suspects_rest = HR_ESTIMATE_UNKNOWN;
    findings->sample_interval_bytes = NAN;
    findings->teardown_survived_ratio = NAN;
    findings->symbol_quality = (struct hr_symbol_quality){.named_bytes_ratio = NAN,
                                                          .exact_bytes_ratio = NAN,
                                                          .truncated_bytes_ratio = NAN,
                                                          .one_frame_bytes_ratio = NAN,
                                                          .outside_bytes_ratio = NAN};
    findings->forecast =
        (struct hr_forecast){.known = false, .limit_bytes = NAN, .low_s = NAN, .high_s = NAN};
}

static void compare_dumps(struct hr_arena *arena, const struct hr_run *run,
                          const struct hr_symbols *symbols, const struct hr_rules *rules,
                          struct hr_findings *findings)
{
    const struct hr_choice *choice = findings->choice;
    const struct hr_groups groups =
        hr_groups_compute(arena, run, symbols, findings->responsible_frames);
    const struct hr_difference difference =
        hr_difference_compute(arena, run, &groups, choice->base, choice->final);
    const size_t *chosen = NULL;
    const size_t chosen_count = hr_suspects_choose(arena, &groups, &difference, &chosen);
    const struct hr_tracks tracks =
        hr_tracks_compute(arena, run, choice, &groups, chosen, chosen_count);
    findings->point_promoted_bytes = tracks.promoted_bytes;
    const struct hr_trend_plan *plan =
        hr_trend_plan_new(arena, findings->point_times_s, choice->points_count);
    const double z_min = hr_significance_z_among(rules->thresholds[HR_THRESHOLD_trend_z],
                                                 hr_suspects_count_places(&groups, &difference));
    const struct hr_suspects_input input = {run,     symbols, rules, &groups, &difference,
                                            &tracks, plan,    z_min, chosen,  chosen_count};

    const int32_t *suspect_of_group = hr_suspects_compute(arena, &input, findings);
    hr_totals_compute(arena, &input, findings);
    findings->totals.smallest_detectable_bytes = findings->sampling == HR_SAMPLING_OFF ||
                                                         hr_choice_is_one_dump(choice) ||
                                                         run->metric != HR_METRIC_LIVE_BYTES
                                                     ? NAN
                                                     : hr_detectable_compute(&input);
    const struct hr_function_names names = hr_function_names_compute(arena, symbols);
    hr_functions_compute(arena, run, symbols, &names, &difference, findings);
    hr_flame_compute(arena, run, symbols, &names, &groups, suspect_of_group, &difference, findings);
    hr_call_trees_compute(arena, run, symbols, &names, &groups, suspect_of_group, &difference,
                          findings);
    hr_sizes_compute(arena, run, findings);
    if (run->metric == HR_METRIC_LIVE_BYTES) {
        hr_fragmentation_compute(arena, run, rules, &groups, suspect_of_group, findings);
    }
    hr_threads_compute(arena, run, findings);
    findings->symbol_quality = hr_symbol_quality_compute(run, symbols, &difference);
}

// A process that is killed writes no final dump, and its last one may be old.
static void report_silence(struct hr_arena *arena, const struct hr_run *run,
                           struct hr_diagnostics *diagnostics)
{
    const double age_s = hr_breaks_silence_s(arena, run);
    if (age_s > 0) {
        g_autofree char *text = g_strdup_printf("%.0f", age_s);
        hr_diagnostics_add(diagnostics, HR_DIAG_DUMPS_END_EARLY, NULL, "age_s", text, NULL);
    }
}

const struct hr_findings *hr_findings_compute(struct hr_arena *arena, const struct hr_run *run,
                                              const struct hr_symbols *symbols,
                                              const struct hr_choice *choice,
                                              const struct hr_rules *rules,
                                              const struct hr_analysis_options *options,
                                              struct hr_diagnostics *diagnostics)
{
    struct hr_findings *findings = HR_ARENA_NEW(arena, struct hr_findings);
    findings->choice = choice;
    set_unknown(findings);
    findings->frame_kinds = hr_frame_kinds_compute(arena, symbols, rules);
    findings->responsible_frames =
        hr_responsible_frames_compute(arena, run, symbols, findings->frame_kinds);
    findings->breaks = hr_breaks_find(arena, run, &findings->breaks_count);
    if (choice->base != HR_CHOICE_NONE) {
        findings->point_times_s = point_times(arena, run, choice);
        hr_totals_set_sampling(run, findings);
        compare_dumps(arena, run, symbols, rules, findings);
    }
    hr_totals_report(run, findings, diagnostics);
    report_silence(arena, run, diagnostics);
    hr_plausibility_report(arena, run, findings, diagnostics);
    hr_symbol_quality_report(&findings->symbol_quality, diagnostics);
    hr_verdict_compute(arena, run, symbols, rules, options, findings, diagnostics);
    return findings;
}
