// SPDX-License-Identifier: MIT
#include "scene.h"

#include <math.h>

static const struct hr_estimate UNKNOWN = {NAN, NAN, NAN};

void scene_init(struct scene *scene)
{
    *scene = (struct scene){.arena = hr_arena_new(), .run = hr_run_new()};
    hr_rules_init_thresholds(&scene->rules);
    scene->choice = hr_choice_nothing();
    scene->findings.choice = &scene->choice;
    scene->findings.sampling = HR_SAMPLING_SAMPLED;
    scene->findings.sample_interval_bytes = 524288;
    scene->findings.symbol_quality =
        (struct hr_symbol_quality){.named_bytes_ratio = 1, .one_frame_bytes_ratio = 0};
    struct hr_totals *totals = &scene->findings.totals;
    totals->base = totals->final = totals->peak = totals->growth = UNKNOWN;
    totals->trend.growth = totals->trend.last_third = UNKNOWN;
    totals->trend.rate_bytes_per_hour = UNKNOWN;
    totals->smallest_detectable_bytes = NAN;
    scene->symbols.binary_match = HR_BINARY_CONFIRMED;
    scene->options.limit_bytes = NAN;
}

void scene_clear(struct scene *scene)
{
    hr_arena_free(scene->arena);
    hr_run_free(scene->run);
}

static double shape_at(const double *shape, size_t shape_count, double place)
{
    const double at = place * (double)(shape_count - 1);
    const size_t before = MIN((size_t)at, shape_count - 1);
    const size_t after = MIN(before + 1, shape_count - 1);
    return shape[before] + (at - (double)before) * (shape[after] - shape[before]);
}

void scene_add_evidence(struct scene *scene, enum hr_evidence_id id, double duration_s,
                        size_t count, const double *shape, size_t shape_count, double noise)
{
    // Irregular, with a mean of nothing.
    static const double SWING[] = {0.3, -0.8, 1, -0.1, -0.6, 0.9, -1, 0.2, 0.7, -0.4, -0.2};
    double *time_s = HR_ARENA_ARRAY(scene->arena, double, count);
    double *value = HR_ARENA_ARRAY(scene->arena, double, count);
    for (size_t i = 0; i < count; i++) {
        const double place = (double)i / (double)(count - 1);
        time_s[i] = SCENE_START_S + place * duration_s;
        value[i] = shape_at(shape, shape_count, place) + noise * SWING[i % G_N_ELEMENTS(SWING)];
    }
    scene->run->evidence.series[id] = (struct hr_evidence_series){"test", count, time_s, value};
}

void scene_remove_evidence(struct scene *scene, enum hr_evidence_id id)
{
    scene->run->evidence.series[id] = (struct hr_evidence_series){0};
}

static struct hr_estimate banded(double value, double band)
{
    return (struct hr_estimate){value, value - band, value + band};
}

void scene_add_dumps(struct scene *scene, double duration_s, const double *live_bytes, size_t count,
                     double band)
{
    struct hr_dump *dumps = HR_ARENA_ARRAY(scene->arena, struct hr_dump, count);
    size_t *points = HR_ARENA_ARRAY(scene->arena, size_t, count);
    double *time_s = HR_ARENA_ARRAY(scene->arena, double, count);
    double *low = HR_ARENA_ARRAY(scene->arena, double, count);
    double *high = HR_ARENA_ARRAY(scene->arena, double, count);
    size_t peak = 0;
    for (size_t i = 0; i < count; i++) {
        points[i] = i;
        time_s[i] = SCENE_START_S + duration_s * (double)i / (double)(count - 1);
        dumps[i] = (struct hr_dump){.file = "x.heap",
                                    .taken_at_s = time_s[i],
                                    .used = true,
                                    .sample_interval_bytes = 524288,
                                    .live_bytes = live_bytes[i],
                                    .kept_ratio = 1};
        low[i] = live_bytes[i] - band;
        high[i] = live_bytes[i] + band;
        peak = live_bytes[i] > live_bytes[peak] ? i : peak;
    }
    scene->run->dumps = dumps;
    scene->run->dumps_count = count;
    scene->choice = hr_choice_nothing();
    scene->choice.base = 0;
    scene->choice.final = count - 1;
    scene->choice.peak = peak;
    scene->choice.points = points;
    scene->choice.points_count = count;
    struct hr_findings *findings = &scene->findings;
    findings->total_series = (struct hr_points){
        hr_arena_copy(scene->arena, live_bytes, count, sizeof *live_bytes), low, high};
    findings->point_times_s = time_s;
    findings->totals.base = banded(live_bytes[0], band);
    findings->totals.final = banded(live_bytes[count - 1], band);
    findings->totals.peak = banded(live_bytes[peak], band);
    findings->totals.growth = banded(live_bytes[count - 1] - live_bytes[0], band * sqrt(2));
    findings->totals.smallest_detectable_bytes = 3 * band;
}

const struct hr_verdict *scene_judge(struct scene *scene)
{
    hr_verdict_compute(scene->arena, scene->run, &scene->symbols, &scene->rules, &scene->options,
                       &scene->findings, NULL);
    return &scene->findings.verdict;
}
