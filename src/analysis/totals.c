// SPDX-License-Identifier: MIT
#include "analysis/totals.h"

#include "analysis/breaks.h"
#include "analysis/significance.h"
#include "model/sample.h"

#include <math.h>

// Of two runs at least this share of the bytes should be told apart by place.
#define MATCHED_ENOUGH_RATIO 0.9

// A pause that is more of the time between base and final than this puts that time in doubt.
#define PAUSE_OF_TIME_RATIO 0.5

static enum hr_sampling sampling_of(const struct hr_run *run, uint64_t interval_bytes)
{
    for (size_t i = 0; i < run->dumps_count; i++) {
        if (run->dumps[i].used && run->dumps[i].sample_interval_bytes != interval_bytes) {
            return HR_SAMPLING_VARYING;
        }
    }
    if (hr_sample_is_off(interval_bytes)) {
        return HR_SAMPLING_OFF;
    }
    return interval_bytes <= 1 ? HR_SAMPLING_EVERY : HR_SAMPLING_SAMPLED;
}

void hr_totals_set_sampling(const struct hr_run *run, struct hr_findings *findings)
{
    const struct hr_choice *choice = findings->choice;
    const struct hr_dump *final = &run->dumps[choice->final];
    findings->sample_interval_bytes = (double) final->sample_interval_bytes;
    findings->sampling = sampling_of(run, final->sample_interval_bytes);
    if (choice->teardown != HR_CHOICE_NONE && final->live_bytes > 0) {
        findings->teardown_survived_ratio =
            run->dumps[choice->teardown].live_bytes / final->live_bytes;
    }
}

static struct hr_estimate peak_of(const struct hr_points *series, size_t count)
{
    size_t peak = 0;
    for (size_t p = 1; p < count; p++) {
        peak = series->value[p] > series->value[peak] ? p : peak;
    }
    return (struct hr_estimate){series->value[peak], series->low[peak], series->high[peak]};
}

// Not whether the heap goes on growing, which the trend's other gates and the verdict say, but
// whether noise and churn explain the growth: a cache that filled is no noise.
static bool is_significant(const struct hr_suspects_input *input, const struct hr_totals *totals)
{
    if (input->difference->total.cumulative) {
        return totals->growth.low > 0;
    }
    if (input->plan->count >= HR_TREND_POINTS_MIN) {
        const double z_min = input->rules->thresholds[HR_THRESHOLD_trend_z];
        return (totals->trend.counts && totals->growth.value > 0) ||
               (totals->growth.low > 0 && totals->trend.z > z_min);
    }
    const struct hr_change *total = &input->difference->total;
    return totals->growth.low > 0 && !input->tracks->total.mixed &&
           hr_significance_p_value(total->base.samples, total->final.samples,
                                   hr_change_final_share(total)) <=
               input->rules->thresholds[HR_THRESHOLD_false_discovery_ratio];
}

// One dump against itself is no measurement of growth, not one of 0.
static void forget_growth(struct hr_totals *totals)
{
    totals->growth = HR_ESTIMATE_UNKNOWN;
    totals->growth_objects = NAN;
    totals->grown_bytes = NAN;
    totals->shrunk_bytes = NAN;
}

void hr_totals_compute(struct hr_arena *arena, const struct hr_suspects_input *input,
                       struct hr_findings *findings)
{
    struct hr_totals *totals = &findings->totals;
    const struct hr_change *total = &input->difference->total;
    const struct hr_track *track = &input->tracks->total;
    findings->total_series = hr_track_points(arena, track, input->tracks->points_count);
    totals->base = hr_change_base(total, track->spread_bytes);
    totals->final = hr_change_final(total, track->spread_bytes);
    totals->growth = hr_change_growth(total, track->spread_bytes);
    totals->peak = peak_of(&findings->total_series, input->tracks->points_count);
    totals->base_objects = total->base.objects;
    totals->final_objects = total->final.objects;
    totals->growth_objects = total->final.objects - total->base.objects;
    totals->trend = hr_trend_compute(input->plan, track, input->tracks->accumulates,
                                     input->rules->thresholds[HR_THRESHOLD_trend_z]);
    totals->significant = is_significant(input, totals);
    if (totals->trend.counts && totals->significant && !total->cumulative &&
        input->plan->count >= HR_TREND_POINTS_MIN) {
        totals->growth.low =
            fmax(totals->growth.low, fmin(totals->trend.growth.low, totals->growth.value));
    }
    if (hr_choice_is_one_dump(findings->choice)) {
        forget_growth(totals);
    }
}

static void report_count(struct hr_diagnostics *diagnostics, enum hr_diagnostic_code code,
                         size_t count)
{
    g_autofree char *text = g_strdup_printf("%zu", count);
    hr_diagnostics_add(diagnostics, code, NULL, "dumps_count", text, NULL);
}

// Two runs are one dump each: what a series could tell is not asked.
static void report_comparison(const struct hr_run *run, struct hr_diagnostics *diagnostics)
{
    hr_diagnostics_add(diagnostics, HR_DIAG_RUNS_COMPARED, run->dumps[0].file, NULL);
    if (run->comparison->matched_ratio < MATCHED_ENOUGH_RATIO) {
        g_autofree char *percent =
            g_strdup_printf("%.0f", floor(100 * run->comparison->matched_ratio));
        hr_diagnostics_add(diagnostics, HR_DIAG_RUNS_UNMATCHED, run->dumps[0].file, "percent",
                           percent, NULL);
    }
}

// What may be the moment that a service died in is never passed over in silence.
static void report_end(const struct hr_run *run, const struct hr_choice *choice,
                       struct hr_diagnostics *diagnostics)
{
    if (choice->outlier == HR_CHOICE_NONE) {
        return;
    }
    const struct hr_dump *last = &run->dumps[choice->outlier];
    g_autofree char *live = g_strdup_printf("%.0f", last->live_bytes);
    g_autofree char *usual = g_strdup_printf("%.0f", run->dumps[choice->final].live_bytes);
    hr_diagnostics_add(diagnostics, HR_DIAG_END_STANDS_OUT, last->file, "live_bytes", live,
                       "usual_bytes", usual, NULL);
}

// A clock that is set looks like a long pause, and so does the other way round: where one pause is
// most of the time, and nothing measured in it says that it was one, the time itself is in doubt.
static void report_pause(const struct hr_run *run, const struct hr_choice *choice,
                         const struct hr_break *gap, struct hr_diagnostics *diagnostics)
{
    const double until_s = run->dumps[gap->dump].taken_at_s;
    const double duration_s =
        run->dumps[choice->final].taken_at_s - run->dumps[choice->base].taken_at_s;
    if (gap->dump <= choice->base || gap->dump > choice->final ||
        gap->pause_s <= PAUSE_OF_TIME_RATIO * duration_s ||
        hr_evidence_is_between(&run->evidence, until_s - gap->pause_s, until_s)) {
        return;
    }
    g_autofree char *pause = g_strdup_printf("%.0f", gap->pause_s);
    g_autofree char *duration = g_strdup_printf("%.0f", duration_s);
    hr_diagnostics_add(diagnostics, HR_DIAG_PAUSE_OR_CLOCK_SET, run->dumps[gap->dump].file,
                       "pause_s", pause, "duration_s", duration, NULL);
}

void hr_totals_report(const struct hr_run *run, const struct hr_findings *findings,
                      struct hr_diagnostics *diagnostics)
{
    const struct hr_choice *choice = findings->choice;
    if (choice->base == HR_CHOICE_NONE) {
        return;
    }
    if (run->comparison) {
        report_comparison(run, diagnostics);
    } else if (choice->points_count < HR_TREND_POINTS_MIN) {
        report_count(diagnostics, HR_DIAG_FEW_DUMPS, choice->points_count);
    }
    report_end(run, choice, diagnostics);
    for (size_t i = 0; i < findings->breaks_count; i++) {
        if (hr_break_splits(&findings->breaks[i])) {
            hr_diagnostics_add(diagnostics, HR_DIAG_RUN_SPLIT,
                               run->dumps[findings->breaks[i].dump].file, NULL);
        } else {
            report_pause(run, choice, &findings->breaks[i], diagnostics);
        }
    }
    if (findings->sampling == HR_SAMPLING_OFF) {
        hr_diagnostics_add(diagnostics, HR_DIAG_SAMPLING_OFF, NULL, NULL);
    }
}
