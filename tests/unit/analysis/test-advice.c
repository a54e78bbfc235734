// SPDX-License-Identifier: MIT
// What follows from a verdict: the next steps with their computed values, the rows of the balance,
// and the forecast to a limit.
#include "scene.h"

#include <glib.h>
#include <math.h>
#include <string.h>

#define MB 1e6
#define MIB 1048576.0
#define HOUR_S 3600.0

static const struct hr_next_step *find_step(const struct hr_verdict *verdict, const char *id)
{
    for (unsigned i = 0; i < verdict->next_steps_count; i++) {
        if (strcmp(verdict->next_steps[i].text.id, id) == 0) {
            return &verdict->next_steps[i];
        }
    }
    return NULL;
}

static const struct hr_slot *find_slot(const struct hr_phrase *phrase, const char *name)
{
    for (unsigned i = 0; i < phrase->slots_count; i++) {
        if (strcmp(phrase->slots[i].name, name) == 0) {
            return &phrase->slots[i];
        }
    }
    g_assert_not_reached();
}

static void add_level(struct scene *scene, enum hr_evidence_id id, double from, double to)
{
    scene_add_evidence(scene, id, HOUR_S, 60, (const double[]){from, to}, 2, 0.1 * MB);
}

static void add_flat_dumps(struct scene *scene, size_t count, double band)
{
    g_autofree double *live = g_new(double, count);
    for (size_t i = 0; i < count; i++) {
        live[i] = 50 * MIB;
    }
    scene_add_dumps(scene, HOUR_S, live, count, band);
}

// The wanted limit is 8 MiB where 24 are found: a ninth of the interval, 2^15 of 2^19.
static void test_sampling_rate_for_a_wanted_limit(void)
{
    struct scene scene;
    scene_init(&scene);
    add_flat_dumps(&scene, 40, 8 * MIB);
    const struct hr_next_step *step = find_step(scene_judge(&scene), "next-sampling");
    g_assert_nonnull(step);
    g_assert_cmpfloat(find_slot(&step->text, "smallest_detectable_bytes")->number, ==, 24 * MIB);
    g_assert_cmpfloat(find_slot(&step->text, "wanted_bytes")->number, ==, 8 * MIB);
    g_assert_cmpstr(find_slot(&step->command, "lg_prof_sample")->text, ==, "15");
    // A rate that is fine already.
    add_flat_dumps(&scene, 40, 2 * MIB);
    g_assert_null(find_step(scene_judge(&scene), "next-sampling"));
    scene_clear(&scene);
}

// For some 45 dumps: by their number alone a change of the exponent, from what was allocated the
// exponent itself.
static void test_interval_for_some_dumps(void)
{
    static const struct {
        size_t count;
        const char *id; // NULL: nothing is to be changed
        const char *how;
        const char *steps;
    } cases[] = {
        {10, "next-interval-more", "next-interval-lower", "2"},
        {40, NULL, NULL, NULL},
        {400, "next-interval-fewer", "next-interval-raise", "3"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        struct scene scene;
        scene_init(&scene);
        add_flat_dumps(&scene, cases[i].count, 1 * MIB);
        const struct hr_verdict *verdict = scene_judge(&scene);
        if (!cases[i].id) {
            g_assert_null(find_step(verdict, "next-interval-more"));
            g_assert_null(find_step(verdict, "next-interval-fewer"));
        } else {
            const struct hr_next_step *step = find_step(verdict, cases[i].id);
            g_assert_nonnull(step);
            g_assert_cmpstr(find_slot(&step->text, "how")->text_id, ==, cases[i].how);
            g_assert_cmpstr(find_slot(&step->text, "steps")->text, ==, cases[i].steps);
        }
        scene_clear(&scene);
    }
}

// 45 times 64 MiB were allocated from base to final, every byte of it counted.
static void test_interval_from_what_was_allocated(void)
{
    static const struct hr_row base = {0, 1, 64, 1000, 64000};
    static const struct hr_row final = {0, 1, 64, 1000 + 45 * 1048576, 64000 + 45 * 67108864UL};
    struct scene scene;
    scene_init(&scene);
    add_flat_dumps(&scene, 10, 1 * MIB);
    struct hr_dump *dumps = scene.run->dumps;
    for (size_t i = 0; i < 10; i++) {
        dumps[i].sample_interval_bytes = 1;
    }
    dumps[0].rows = &base;
    dumps[9].rows = &final;
    dumps[0].rows_count = dumps[9].rows_count = 1;
    scene.run->accumulates = true;
    const struct hr_next_step *step = find_step(scene_judge(&scene), "next-interval-more");
    g_assert_nonnull(step);
    g_assert_cmpfloat(find_slot(&step->text, "volume_bytes")->number, ==, 45 * 64 * MIB);
    g_assert_cmpstr(find_slot(&step->command, "lg_prof_interval")->text, ==, "26");
    scene_clear(&scene);
}

// Missing evidence comes with the command that collects it.
static void test_missing_evidence(void)
{
    struct scene scene;
    scene_init(&scene);
    scene.run->directory = "dumps";
    scene.run->key.pid = 4711;
    add_flat_dumps(&scene, 40, 1 * MIB);
    const struct hr_next_step *step = find_step(scene_judge(&scene), "next-record");
    g_assert_nonnull(step);
    g_assert_cmpstr(step->command.id, ==, "next-record-command");
    g_assert_cmpstr(find_slot(&step->command, "pid")->text, ==, "4711");
    g_assert_cmpstr(find_slot(&step->command, "directory")->text, ==, "dumps");
    add_level(&scene, HR_EVIDENCE_ANONYMOUS, 80 * MB, 80 * MB);
    g_assert_nonnull(find_step(scene_judge(&scene), "next-stats"));
    add_level(&scene, HR_EVIDENCE_ALLOCATED, 50 * MIB, 50 * MIB);
    const struct hr_verdict *verdict = scene_judge(&scene);
    g_assert_null(find_step(verdict, "next-record"));
    g_assert_null(find_step(verdict, "next-stats"));
    g_assert_nonnull(find_step(verdict, "next-nothing"));
    scene_clear(&scene);
}

// Three measurements are not none: they tell no change, and more of them are asked for.
static void test_seldom_evidence(void)
{
    struct scene scene;
    scene_init(&scene);
    add_flat_dumps(&scene, 40, 1 * MIB);
    const double level[] = {80 * MB, 80 * MB};
    scene_add_evidence(&scene, HR_EVIDENCE_ANONYMOUS, HOUR_S, 3, level, 2, 0);
    const struct hr_verdict *verdict = scene_judge(&scene);
    g_assert_null(find_step(verdict, "next-record"));
    g_assert_nonnull(find_step(verdict, "next-record-often"));
    bool said = false;
    for (unsigned i = 0; i < verdict->confidence_reasons_count; i++) {
        said |= strcmp(verdict->confidence_reasons[i].id, "confidence-too-little-measured") == 0;
    }
    g_assert_true(said);
    scene_clear(&scene);
}

// Without dumps, profiling is asked for only where something grows that it could explain.
static void test_profiling_or_not(void)
{
    static const struct {
        double process_to, file_to, allocated_to; // from 80, 40 and 50 MB; 0: not measured
        const char *id;
    } cases[] = {
        {80, 0, 0, "next-profiling-not-needed"},
        {80, 240, 0, "next-profiling-not-needed"},
        {0, 0, 50, "next-profiling-not-needed-heap"},
        {180, 0, 0, "next-profiling"},
        {180, 0, 150, "next-profiling"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        struct scene scene;
        scene_init(&scene);
        if (cases[i].process_to > 0) {
            add_level(&scene, HR_EVIDENCE_ANONYMOUS, 80 * MB, cases[i].process_to * MB);
        }
        if (cases[i].file_to > 0) {
            add_level(&scene, HR_EVIDENCE_FILE, 40 * MB, cases[i].file_to * MB);
        }
        if (cases[i].allocated_to > 0) {
            add_level(&scene, HR_EVIDENCE_ALLOCATED, 50 * MB, cases[i].allocated_to * MB);
        }
        g_assert_nonnull(find_step(scene_judge(&scene), cases[i].id));
        scene_clear(&scene);
    }
}

// Retention asks for shorter decay; growth outside for the mappings, where they are not known yet.
static void test_advice_of_the_class(void)
{
    struct scene scene;
    scene_init(&scene);
    add_level(&scene, HR_EVIDENCE_ALLOCATED, 50 * MB, 50 * MB);
    add_level(&scene, HR_EVIDENCE_RESIDENT, 60 * MB, 160 * MB);
    add_level(&scene, HR_EVIDENCE_ANONYMOUS, 70 * MB, 170 * MB);
    const struct hr_next_step *step = find_step(scene_judge(&scene), "next-retention");
    g_assert_nonnull(step);
    g_assert_cmpstr(step->command.id, ==, "next-retention-command");
    add_level(&scene, HR_EVIDENCE_RESIDENT, 60 * MB, 60 * MB);
    g_assert_nonnull(find_step(scene_judge(&scene), "next-outside-maps"));
    add_level(&scene, HR_EVIDENCE_THREAD_STACKS, 1 * MB, 101 * MB);
    g_assert_nonnull(find_step(scene_judge(&scene), "next-outside"));
    scene_clear(&scene);
}

static void test_what_is_wrong_with_the_stacks_comes_first(void)
{
    struct scene scene;
    scene_init(&scene);
    add_flat_dumps(&scene, 10, 1 * MIB);
    scene.symbols.binary_match = HR_BINARY_MISMATCH;
    scene.findings.symbol_quality.one_frame_bytes_ratio = 0.6;
    const struct hr_verdict *verdict = scene_judge(&scene);
    g_assert_cmpstr(verdict->next_steps[0].text.id, ==, "next-binary");
    const struct hr_next_step *step = find_step(verdict, "next-stacks");
    g_assert_nonnull(step);
    g_assert_cmpfloat(find_slot(&step->text, "one_frame_ratio")->number, ==, 0.6);
    g_assert_cmpuint(verdict->next_steps_count, <=, HR_NEXT_STEPS_MAX);
    scene_clear(&scene);
}

static const struct hr_balance_row *find_row(const struct scene *scene, const char *id)
{
    for (size_t i = 0; i < scene->findings.balance_count; i++) {
        if (strcmp(scene->findings.balance[i].id, id) == 0) {
            return &scene->findings.balance[i];
        }
    }
    return NULL;
}

// Every row that was measured, and what none of them explains.
static void test_balance(void)
{
    struct scene scene;
    scene_init(&scene);
    const struct {
        const char *id;
        enum hr_evidence_id evidence;
        double from, to;
    } rows[] = {
        {"allocated", HR_EVIDENCE_ALLOCATED, 50 * MB, 60 * MB},
        {"resident", HR_EVIDENCE_RESIDENT, 60 * MB, 71 * MB},
        {"anonymous", HR_EVIDENCE_ANONYMOUS, 80 * MB, 130 * MB},
        {"thread_stacks", HR_EVIDENCE_THREAD_STACKS, 4 * MB, 12 * MB},
        {"glibc_arenas", HR_EVIDENCE_GLIBC_ARENAS, 6 * MB, 20 * MB},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        scene_add_evidence(&scene, rows[i].evidence, HOUR_S, 61,
                           (const double[]){rows[i].from, rows[i].to}, 2, 0);
    }
    (void)scene_judge(&scene);
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        const struct hr_balance_row *row = find_row(&scene, rows[i].id);
        g_assert_nonnull(row);
        const double change = rows[i].to - rows[i].from;
        // Medians of the first and the last tenth: a twentieth within.
        g_assert_cmpfloat_with_epsilon(row->base_bytes, rows[i].from + change / 20, 1);
        g_assert_cmpfloat_with_epsilon(row->final_bytes, rows[i].to - change / 20, 1);
        g_assert_cmpfloat_with_epsilon(row->growth.value, change * 0.9, 1);
        g_assert_cmpfloat_with_epsilon(row->peak_bytes, rows[i].to, 1);
        g_assert_cmpfloat_with_epsilon(row->last_bytes, rows[i].to, 1);
    }
    const struct hr_balance_row *rest = find_row(&scene, "unexplained");
    g_assert_nonnull(rest);
    g_assert_cmpfloat_with_epsilon(rest->growth.value, 0.9 * (50 - 11 - 8 - 14) * MB, 1);
    g_assert_cmpfloat_with_epsilon(rest->last_bytes, (130 - 71 - 12 - 20) * MB, 1);
    g_assert_null(find_row(&scene, "heap_profile"));
    g_assert_null(find_row(&scene, "swap"));
    scene_clear(&scene);
}

// Growth outside the heap meets the control group's limit too, if it is straight.
static void test_forecast_of_growth_outside(void)
{
    struct scene scene;
    scene_init(&scene);
    add_level(&scene, HR_EVIDENCE_ALLOCATED, 50 * MB, 50 * MB);
    add_level(&scene, HR_EVIDENCE_RESIDENT, 60 * MB, 60 * MB);
    add_level(&scene, HR_EVIDENCE_ANONYMOUS, 80 * MB, 180 * MB);
    add_level(&scene, HR_EVIDENCE_CGROUP_LIMIT, 480 * MB, 480 * MB);
    g_assert_cmpint(scene_judge(&scene)->class, ==, HR_CLASS_OUTSIDE_HEAP);
    const struct hr_forecast *forecast = &scene.findings.forecast;
    g_assert_true(forecast->known);
    g_assert_cmpfloat(forecast->low_s, <=, 3.02 * HOUR_S);
    g_assert_cmpfloat(forecast->high_s, >=, 2.98 * HOUR_S);
    g_assert_cmpfloat(forecast->high_s - forecast->low_s, <, HOUR_S);
    // What has stopped meets no limit.
    scene_add_evidence(&scene, HR_EVIDENCE_ANONYMOUS, HOUR_S, 60,
                       (const double[]){80 * MB, 180 * MB, 180 * MB, 180 * MB}, 4, 0.1 * MB);
    (void)scene_judge(&scene);
    g_assert_false(scene.findings.forecast.known);
    scene_clear(&scene);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/advice/sampling-rate", test_sampling_rate_for_a_wanted_limit);
    g_test_add_func("/advice/interval-by-count", test_interval_for_some_dumps);
    g_test_add_func("/advice/interval-by-volume", test_interval_from_what_was_allocated);
    g_test_add_func("/advice/missing-evidence", test_missing_evidence);
    g_test_add_func("/advice/seldom-evidence", test_seldom_evidence);
    g_test_add_func("/advice/profiling-or-not", test_profiling_or_not);
    g_test_add_func("/advice/of-the-class", test_advice_of_the_class);
    g_test_add_func("/advice/stacks-first", test_what_is_wrong_with_the_stacks_comes_first);
    g_test_add_func("/advice/balance", test_balance);
    g_test_add_func("/advice/forecast-outside", test_forecast_of_growth_outside);
    return g_test_run();
}
