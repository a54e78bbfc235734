// SPDX-License-Identifier: MIT
// A run whose numbers are written down by the test: evidence as series, dumps as totals. For the
// tests of the verdict, which reads what the findings hold already.
#pragma once

#include "analysis/findings.h"
#include "analysis/verdict.h"

struct scene {
    struct hr_arena *arena;
    struct hr_run *run;
    struct hr_rules rules;
    struct hr_symbols symbols;
    struct hr_choice choice;
    struct hr_findings findings;
    struct hr_analysis_options options;
};

#define SCENE_START_S 1.7e9

void scene_init(struct scene *scene);
void scene_clear(struct scene *scene);

// A shape as values at equal distances from the start to `duration_s` later; what lies between is
// interpolated to `count` values. With `noise`, values swing by so much, always in the same way.
void scene_add_evidence(struct scene *scene, enum hr_evidence_id id, double duration_s,
                        size_t count, const double *shape, size_t shape_count, double noise);

// Dumps with these totals at equal distances, each with a band of +- `band` bytes.
void scene_add_dumps(struct scene *scene, double duration_s, const double *live_bytes, size_t count,
                     double band);

// Takes one kind of evidence away.
void scene_remove_evidence(struct scene *scene, enum hr_evidence_id id);

const struct hr_verdict *scene_judge(struct scene *scene);

#define SCENE_SHAPE(...)                                                                           \
    (const double[]){__VA_ARGS__}, G_N_ELEMENTS(((const double[]){__VA_ARGS__}))
