// SPDX-License-Identifier: MIT
#include "trial.h"

#include <math.h>
#include <string.h>

#define SNAPSHOTS 120
#define RESIDENT_OVER_ALLOCATED 1.1
#define PROCESS_BASE_BYTES (8.0 * 1048576)
#define JITTER_BYTES (32.0 * 1024)

static void plant_series(struct hr_run *run, enum hr_evidence_id id, const double *time_s,
                         const double *value)
{
    run->evidence.series[id] = (struct hr_evidence_series){
        "planted", SNAPSHOTS, time_s, hr_arena_copy(run->arena, value, SNAPSHOTS, sizeof *value)};
}

static void plant_evidence(struct random_source *source, const struct truth_run *truth,
                           const struct planted_evidence *planted, struct hr_run *run)
{
    double *time_s = HR_ARENA_ARRAY(run->arena, double, SNAPSHOTS);
    double allocated[SNAPSHOTS];
    double resident[SNAPSHOTS];
    double anonymous[SNAPSHOTS];
    for (size_t i = 0; i < SNAPSHOTS; i++) {
        const double place = (double)i / (SNAPSHOTS - 1);
        time_s[i] = run->dumps[0].taken_at_s + place * truth->window_s;
        allocated[i] = 0;
        for (size_t s = 0; s < truth->sites_count; s++) {
            allocated[i] += truth_live_bytes(&truth->sites[s], place);
        }
        allocated[i] += JITTER_BYTES * random_uniform(source);
        resident[i] = allocated[0] * RESIDENT_OVER_ALLOCATED + (allocated[i] - allocated[0]) +
                      planted->slack_growth_bytes * place + JITTER_BYTES * random_uniform(source);
        anonymous[i] = resident[i] + PROCESS_BASE_BYTES + planted->outside_growth_bytes * place;
    }
    plant_series(run, HR_EVIDENCE_ALLOCATED, time_s, allocated);
    plant_series(run, HR_EVIDENCE_RESIDENT, time_s, resident);
    plant_series(run, HR_EVIDENCE_ANONYMOUS, time_s, anonymous);
}

struct test_world *trial_plant(struct random_source *source, const struct truth_run *truth,
                               const struct planted_evidence *evidence)
{
    struct test_world *world = test_world_new();
    truth_write(source, truth, world);
    struct hr_run *run = test_world_run(world);
    run->time_axis = HR_TIME_MTIME;
    if (evidence) {
        plant_evidence(source, truth, evidence, run);
    }
    return world;
}

static const struct hr_findings *analyse(struct test_world *world,
                                         struct hr_diagnostics *diagnostics)
{
    struct hr_run *run = test_world_run(world);
    struct hr_choice *choice = HR_ARENA_NEW(run->arena, struct hr_choice);
    const struct hr_choice_options options = {.warmup_s = NAN};
    const struct hr_analysis_options analysis = {.limit_bytes = NAN};
    const bool chosen =
        hr_choice_compute(run->arena, run, test_world_rules(world), &options, choice, NULL);
    g_assert(chosen);
    return hr_findings_compute(run->arena, run, test_world_symbols(world), choice,
                               test_world_rules(world), &analysis, diagnostics);
}

struct trial trial_run(struct random_source *source, const struct truth_run *truth,
                       const struct planted_evidence *evidence)
{
    HR_AUTO(test_world) world = trial_plant(source, truth, evidence);
    HR_AUTO(hr_diagnostics) diagnostics = hr_diagnostics_new();
    const struct hr_findings *findings = analyse(world, diagnostics);
    struct trial trial = {
        .total_significant = findings->totals.significant,
        .total_shape = findings->totals.trend.shape,
        .class = findings->verdict.class,
        .site_growth = HR_ESTIMATE_UNKNOWN,
        .smallest_detectable_bytes = findings->totals.smallest_detectable_bytes,
    };
    for (size_t i = 0; i < findings->suspects_count; i++) {
        const struct hr_suspect *suspect = &findings->suspects[i];
        trial.any_significant = trial.any_significant || suspect->significant;
        if (strcmp(suspect->function, "site_0") == 0) {
            trial.site_significant = suspect->significant;
            trial.site_growth = suspect->trend.growth;
        }
    }
    return trial;
}
