// SPDX-License-Identifier: MIT
// The heap judged by its dumps alone: only a trend that counts, of the total or of a place, is
// growth that goes on.
#include "scene.h"

#include "analysis/alignment.h"

#include <glib.h>
#include <math.h>

#define MB 1e6
#define DUMPS 40
#define HOUR_S 3600.0

// Dumps from `from` to `to` bytes, and a trend that does not count.
static void init_growing(struct scene *scene, double from, double to, double band)
{
    double live[DUMPS];
    for (size_t i = 0; i < DUMPS; i++) {
        live[i] = from + (to - from) * (double)i / (DUMPS - 1);
    }
    scene_init(scene);
    scene_add_dumps(scene, HOUR_S, live, DUMPS, band);
    struct hr_trend *trend = &scene->findings.totals.trend;
    trend->shape = HR_SHAPE_UNKNOWN;
    trend->growth = (struct hr_estimate){to - from, to - from - 2 * band, to - from + 2 * band};
    trend->last_third = (struct hr_estimate){5 * MB, -20 * MB, 30 * MB};
    scene->findings.totals.smallest_detectable_bytes = 4 * MB;
}

static void add_place(struct scene *scene, struct hr_suspect *place, double growth,
                      double last_third, enum hr_shape shape)
{
    *place = (struct hr_suspect){.function = "place",
                                 .growth = {growth, growth - 3 * MB, growth + 3 * MB},
                                 .significant = shape == HR_SHAPE_LINEAR,
                                 .share_ratio = 1};
    place->trend.growth = place->growth;
    place->trend.shape = shape;
    place->trend.counts = shape == HR_SHAPE_LINEAR;
    place->trend.last_third =
        (struct hr_estimate){last_third, last_third - 3 * MB, last_third + 3 * MB};
    scene->findings.suspects = place;
    scene->findings.suspects_count = 1;
}

static void test_open_is_inconclusive(void)
{
    struct scene scene;
    init_growing(&scene, 50 * MB, 150 * MB, 20 * MB);
    const struct hr_verdict *verdict = scene_judge(&scene);
    g_assert_cmpint(verdict->class, ==, HR_CLASS_INCONCLUSIVE);
    g_assert_cmpstr(verdict->sentence.id, ==, "verdict-inconclusive-open");
    scene_clear(&scene);
}

// Without a trend that counts, measurements of the process can still tell.
static void test_process_decides_what_is_open(void)
{
    struct scene scene;
    init_growing(&scene, 50 * MB, 150 * MB, 20 * MB);
    scene_add_evidence(&scene, HR_EVIDENCE_ANONYMOUS, HOUR_S, 61, SCENE_SHAPE(100 * MB, 200 * MB),
                       0.2 * MB);
    g_assert_cmpint(scene_judge(&scene)->class, ==, HR_CLASS_HEAP_GROWTH);
    scene_add_evidence(&scene, HR_EVIDENCE_ANONYMOUS, HOUR_S, 61,
                       SCENE_SHAPE(100 * MB, 200 * MB, 200 * MB, 200 * MB), 0.2 * MB);
    g_assert_cmpint(scene_judge(&scene)->parts[HR_PART_HEAP].state, ==, HR_PART_GREW);
    scene_clear(&scene);
}

static void test_growing_place_makes_it_grow(void)
{
    struct scene scene;
    struct hr_suspect place;
    // The total alone tells of nothing: 5 MB in a band of 20.
    init_growing(&scene, 100 * MB, 105 * MB, 20 * MB);
    g_assert_false(scene_judge(&scene)->class == HR_CLASS_HEAP_GROWTH);
    add_place(&scene, &place, 12 * MB, 4 * MB, HR_SHAPE_LINEAR);
    const struct hr_verdict *verdict = scene_judge(&scene);
    g_assert_cmpint(verdict->class, ==, HR_CLASS_HEAP_GROWTH);
    g_assert_cmpfloat(verdict->parts[HR_PART_HEAP].growth.value, ==, 12 * MB);
    // Below the floor of a part it is listed, but no verdict.
    add_place(&scene, &place, 0.9 * MB, 0.3 * MB, HR_SHAPE_LINEAR);
    g_assert_false(scene_judge(&scene)->class == HR_CLASS_HEAP_GROWTH);
    scene_clear(&scene);
}

static void test_ended_place_explains_the_heap(void)
{
    struct scene scene;
    struct hr_suspect place;
    init_growing(&scene, 50 * MB, 150 * MB, 20 * MB);
    add_place(&scene, &place, 90 * MB, 2 * MB, HR_SHAPE_STEP);
    g_assert_cmpint(scene_judge(&scene)->class, ==, HR_CLASS_BOUNDED_GROWTH);
    // A step in the last third has not ended, and a small one explains nothing.
    add_place(&scene, &place, 90 * MB, 85 * MB, HR_SHAPE_STEP);
    g_assert_cmpint(scene_judge(&scene)->class, ==, HR_CLASS_INCONCLUSIVE);
    add_place(&scene, &place, 30 * MB, 2 * MB, HR_SHAPE_STEP);
    g_assert_cmpint(scene_judge(&scene)->class, ==, HR_CLASS_INCONCLUSIVE);
    scene_clear(&scene);
}

// A trend that counts, but whose end may well be level: a cache that filled late.
static void test_total_must_show_its_end(void)
{
    struct scene scene;
    init_growing(&scene, 50 * MB, 150 * MB, 20 * MB);
    scene.findings.totals.trend.counts = true;
    g_assert_cmpint(scene_judge(&scene)->class, ==, HR_CLASS_INCONCLUSIVE);
    scene.findings.totals.trend.last_third = (struct hr_estimate){30 * MB, 5 * MB, 55 * MB};
    g_assert_cmpint(scene_judge(&scene)->class, ==, HR_CLASS_HEAP_GROWTH);
    scene_clear(&scene);
}

// Half of the window without a dump: the grid of the trend stands there on two dumps alone, and its
// shape says nothing of what came when.
static void test_a_hole_leaves_it_open(void)
{
    struct scene scene;
    init_growing(&scene, 50 * MB, 150 * MB, 1 * MB);
    double *time_s = g_memdup2(scene.findings.point_times_s, DUMPS * sizeof *time_s);
    for (size_t i = DUMPS / 2; i < DUMPS; i++) {
        time_s[i] += 2 * HOUR_S;
        scene.run->dumps[i].taken_at_s = time_s[i];
    }
    scene.findings.point_times_s = time_s;
    struct hr_trend *trend = &scene.findings.totals.trend;
    trend->last_third = (struct hr_estimate){0, -1 * MB, 1 * MB};
    static const enum hr_shape SHAPES[] = {HR_SHAPE_FLAT, HR_SHAPE_STEP, HR_SHAPE_PLATEAU};
    for (size_t i = 0; i < G_N_ELEMENTS(SHAPES); i++) {
        trend->shape = SHAPES[i];
        const struct hr_verdict *verdict = scene_judge(&scene);
        g_assert_cmpint(verdict->class, ==, HR_CLASS_INCONCLUSIVE);
        g_assert_cmpfloat(verdict->parts[HR_PART_HEAP].growth.value, >, 90 * MB);
    }
    // Level before the hole, in it and after it: the growth had ended.
    double *value = g_memdup2(scene.findings.total_series.value, DUMPS * sizeof *value);
    for (size_t i = 10; i < DUMPS; i++) {
        value[i] = 150 * MB;
    }
    scene.findings.total_series.value = value;
    trend->shape = HR_SHAPE_PLATEAU;
    g_assert_cmpint(scene_judge(&scene)->class, ==, HR_CLASS_BOUNDED_GROWTH);
    g_free(time_s);
    g_free(value);
    scene_clear(&scene);
}

static void test_swings_by_their_returns(void)
{
    static const struct {
        double value[12];
        bool swings;
    } cases[] = {
        {{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}, false},
        {{0, 4, 8, 0, 4, 8, 0, 2, 4, 6, 8, 9}, true},   // twice back: a cycle
        {{0, 6, 8, 0, 1, 2, 3, 5, 6, 8, 9, 10}, false}, // once, long ago, then straight on
        {{0, 2, 4, 6, 8, 9, 9, 9, 9, 0, 5, 9}, true},   // back at the end
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        double time_s[12];
        for (size_t t = 0; t < 12; t++) {
            time_s[t] = (double)t;
        }
        const struct hr_gauge gauge = {12, time_s, cases[i].value};
        g_assert_cmpint(hr_gauge_swings_back(gauge, 0, cases[i].value[11]), ==, cases[i].swings);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/heap-dumps/open-is-inconclusive", test_open_is_inconclusive);
    g_test_add_func("/heap-dumps/process-decides", test_process_decides_what_is_open);
    g_test_add_func("/heap-dumps/growing-place", test_growing_place_makes_it_grow);
    g_test_add_func("/heap-dumps/ended-place", test_ended_place_explains_the_heap);
    g_test_add_func("/heap-dumps/total-shows-its-end", test_total_must_show_its_end);
    g_test_add_func("/heap-dumps/hole", test_a_hole_leaves_it_open);
    g_test_add_func("/heap-dumps/swings", test_swings_by_their_returns);
    return g_test_run();
}
