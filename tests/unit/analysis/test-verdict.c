// SPDX-License-Identifier: MIT
// Real cases, small: the numbers of services seen in the field, and the class each must get.
#include "scene.h"

#include <glib.h>
#include <math.h>
#include <string.h>

#define MB 1e6
#define GB 1e9
#define MIB 1048576.0
#define HOUR_S 3600.0

static void line_of_dumps(double *values, size_t count, double first, double last)
{
    for (size_t i = 0; i < count; i++) {
        values[i] = first + (last - first) * (double)i / (double)(count - 1);
    }
}

static const struct hr_rule_finding *find_rule(const struct hr_verdict *verdict,
                                               enum hr_class class)
{
    for (unsigned i = 0; i < verdict->rules_count; i++) {
        if (verdict->rules[i].class == class) {
            return &verdict->rules[i];
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
    return NULL;
}

static bool has_reason(const struct hr_verdict *verdict, const char *id)
{
    for (unsigned i = 0; i < verdict->confidence_reasons_count; i++) {
        if (strcmp(verdict->confidence_reasons[i].id, id) == 0) {
            return true;
        }
    }
    return false;
}

static bool has_step(const struct hr_verdict *verdict, const char *id)
{
    for (unsigned i = 0; i < verdict->next_steps_count; i++) {
        if (strcmp(verdict->next_steps[i].text.id, id) == 0) {
            return true;
        }
    }
    return false;
}

// +11.8 MB in 24 h, straight to the end.
static void test_slow_straight_leak(void)
{
    struct scene scene;
    scene_init(&scene);
    double live[48];
    line_of_dumps(live, 48, 60 * MB, 71.8 * MB);
    scene_add_dumps(&scene, 24 * HOUR_S, live, 48, 2 * MB);
    scene_add_evidence(&scene, HR_EVIDENCE_ALLOCATED, 24 * HOUR_S, 289,
                       SCENE_SHAPE(60 * MB, 71.8 * MB), 0.2 * MB);
    scene_add_evidence(&scene, HR_EVIDENCE_RESIDENT, 24 * HOUR_S, 289,
                       SCENE_SHAPE(80 * MB, 91.8 * MB), 0.2 * MB);
    scene_add_evidence(&scene, HR_EVIDENCE_ANONYMOUS, 24 * HOUR_S, 289,
                       SCENE_SHAPE(85 * MB, 96.8 * MB), 0.3 * MB);
    const struct hr_verdict *verdict = scene_judge(&scene);
    g_assert_cmpint(verdict->class, ==, HR_CLASS_HEAP_GROWTH);
    g_assert_cmpint(verdict->scope, ==, HR_SCOPE_PROCESS);
    g_assert_cmpint(verdict->confidence, ==, HR_CONFIDENCE_HIGH);
    g_assert_cmpint(verdict->parts[HR_PART_HEAP].state, ==, HR_PART_GROWS);
    g_assert_cmpuint(verdict->contributions_count, ==, 1);
    // The dumps give the amount, up to the median of the last five of 48.
    g_assert_cmpfloat_with_epsilon(verdict->contributions[0].growth.value, 11.8 * MB * 45 / 47,
                                   1e-3);
    g_assert_cmpfloat_with_epsilon(verdict->contributions[0].share_ratio, 1, 0.05);
    scene_clear(&scene);
}

// 37.7 -> 43.1 MB with thirds of +5.1, 0 and +0.05: a cache that filled.
static void test_filled_cache(void)
{
    struct scene scene;
    scene_init(&scene);
    double live[31];
    for (size_t i = 0; i < 31; i++) {
        live[i] = (i < 10 ? 37.7 + 0.51 * (double)i : 42.8) * MB;
    }
    scene_add_dumps(&scene, 24 * HOUR_S, live, 31, 2 * MB);
    scene_add_evidence(&scene, HR_EVIDENCE_ALLOCATED, 24 * HOUR_S, 289,
                       SCENE_SHAPE(37.7 * MB, 42.8 * MB, 42.8 * MB, 42.85 * MB), 0.05 * MB);
    const struct hr_verdict *verdict = scene_judge(&scene);
    g_assert_cmpint(verdict->class, ==, HR_CLASS_BOUNDED_GROWTH);
    g_assert_cmpint(verdict->scope, ==, HR_SCOPE_HEAP);
    g_assert_cmpstr(find_slot(&verdict->sentence, "subject")->text_id, ==, "subject-heap");
    scene_clear(&scene);
}

// Allocated 56.8 -> 57.0 GB while resident went from 70.2 to 82.3, in eight samples.
static void test_retention_in_eight_samples(void)
{
    struct scene scene;
    scene_init(&scene);
    scene_add_evidence(&scene, HR_EVIDENCE_ALLOCATED, 8 * HOUR_S, 8,
                       SCENE_SHAPE(56.8 * GB, 57.0 * GB), 0.02 * GB);
    scene_add_evidence(&scene, HR_EVIDENCE_RESIDENT, 8 * HOUR_S, 8,
                       SCENE_SHAPE(70.2 * GB, 82.3 * GB), 0.02 * GB);
    const struct hr_verdict *verdict = scene_judge(&scene);
    g_assert_cmpint(verdict->class, ==, HR_CLASS_ALLOCATOR_RETENTION);
    g_assert_cmpint(verdict->scope, ==, HR_SCOPE_HEAP);
    g_assert_true(has_step(verdict, "next-retention"));
    scene_clear(&scene);
}

// The allocator's counters flat, the process from 1.0 to 4.4 GB, 3.7 GB retained: huge pages.
static void test_huge_pages(void)
{
    struct scene scene;
    scene_init(&scene);
    const double hours = 10 * HOUR_S;
    scene_add_evidence(&scene, HR_EVIDENCE_ALLOCATED, hours, 60, SCENE_SHAPE(0.7 * GB, 0.7 * GB),
                       5 * MB);
    scene_add_evidence(&scene, HR_EVIDENCE_RESIDENT, hours, 60, SCENE_SHAPE(0.9 * GB, 0.9 * GB),
                       5 * MB);
    scene_add_evidence(&scene, HR_EVIDENCE_RETAINED, hours, 60, SCENE_SHAPE(3.7 * GB, 3.7 * GB),
                       5 * MB);
    scene_add_evidence(&scene, HR_EVIDENCE_ANONYMOUS, hours, 60, SCENE_SHAPE(1.0 * GB, 4.4 * GB),
                       5 * MB);
    const struct hr_verdict *verdict = scene_judge(&scene);
    g_assert_cmpint(verdict->class, ==, HR_CLASS_OUTSIDE_HEAP);
    g_assert_cmpstr(find_slot(&verdict->sentence, "where")->text_id, ==, "where-huge_pages");
    // Without that much retained, nothing hints at huge pages.
    scene_remove_evidence(&scene, HR_EVIDENCE_RETAINED);
    verdict = scene_judge(&scene);
    g_assert_cmpint(verdict->class, ==, HR_CLASS_OUTSIDE_HEAP);
    g_assert_cmpstr(find_slot(&verdict->sentence, "where")->text_id, ==, "where-unknown");
    scene_clear(&scene);
}

// The profile shows 1.0 MB where 22.1 are in use: no verdict on stacks.
static void test_coverage_of_a_twentieth(void)
{
    struct scene scene;
    scene_init(&scene);
    double live[30];
    line_of_dumps(live, 30, 1.0 * MB, 1.0 * MB);
    scene_add_dumps(&scene, HOUR_S, live, 30, 0.5 * MB);
    scene_add_evidence(&scene, HR_EVIDENCE_ALLOCATED, HOUR_S, 60, SCENE_SHAPE(22.1 * MB, 22.1 * MB),
                       0.1 * MB);
    const struct hr_verdict *verdict = scene_judge(&scene);
    g_assert_cmpint(verdict->class, ==, HR_CLASS_INCONCLUSIVE);
    g_assert_cmpstr(verdict->sentence.id, ==, "verdict-inconclusive-coverage");
    g_assert_cmpfloat_with_epsilon(scene.findings.totals.coverage_ratio, 0.045, 0.001);
    g_assert_cmpint(verdict->confidence, ==, HR_CONFIDENCE_LOW);
    g_assert_true(has_reason(verdict, "confidence-coverage-poor"));
    scene_clear(&scene);
}

// A count in another unit, or one that was never refreshed, is no count of this heap.
static void test_count_that_contradicts_the_dumps(void)
{
    struct scene scene;
    scene_init(&scene);
    double live[40];
    line_of_dumps(live, 40, 100 * MB, 200 * MB);
    scene_add_dumps(&scene, HOUR_S, live, 40, 10 * MB);
    scene.findings.totals.significant = true;
    scene_add_evidence(&scene, HR_EVIDENCE_ANONYMOUS, HOUR_S, 60, SCENE_SHAPE(130 * MB, 230 * MB),
                       0.3 * MB);
    scene_add_evidence(&scene, HR_EVIDENCE_RESIDENT, HOUR_S, 60, SCENE_SHAPE(115, 215), 0.1);
    scene_add_evidence(&scene, HR_EVIDENCE_ALLOCATED, HOUR_S, 60, SCENE_SHAPE(100, 200), 0.1);
    const struct hr_verdict *verdict = scene_judge(&scene);
    g_assert_cmpint(verdict->class, ==, HR_CLASS_INCONCLUSIVE);
    g_assert_cmpstr(verdict->sentence.id, ==, "verdict-inconclusive-contradiction");
    g_assert_cmpuint(verdict->contributions_count, ==, 0);
    scene_add_evidence(&scene, HR_EVIDENCE_ALLOCATED, HOUR_S, 60, SCENE_SHAPE(104 * MB, 104 * MB),
                       0);
    scene_add_evidence(&scene, HR_EVIDENCE_RESIDENT, HOUR_S, 60, SCENE_SHAPE(120 * MB, 120 * MB),
                       0);
    verdict = scene_judge(&scene);
    g_assert_cmpstr(verdict->sentence.id, ==, "verdict-inconclusive-contradiction");
    scene_add_evidence(&scene, HR_EVIDENCE_ALLOCATED, HOUR_S, 60, SCENE_SHAPE(104 * MB, 204 * MB),
                       0.1 * MB);
    scene_add_evidence(&scene, HR_EVIDENCE_RESIDENT, HOUR_S, 60, SCENE_SHAPE(120 * MB, 221 * MB),
                       0.1 * MB);
    g_assert_cmpint(scene_judge(&scene)->class, ==, HR_CLASS_HEAP_GROWTH);
    scene_clear(&scene);
}

// 3,013 MB early and 250 MB late.
static void test_base_above_final(void)
{
    struct scene scene;
    scene_init(&scene);
    double live[20];
    for (size_t i = 0; i < 20; i++) {
        live[i] = (i < 4 ? 3013 : 250) * MB;
    }
    scene_add_dumps(&scene, HOUR_S, live, 20, 8 * MB);
    const struct hr_verdict *verdict = scene_judge(&scene);
    g_assert_cmpint(verdict->class, ==, HR_CLASS_NO_GROWTH);
    g_assert_cmpint(verdict->scope, ==, HR_SCOPE_HEAP);
    g_assert_cmpint(verdict->parts[HR_PART_HEAP].state, ==, HR_PART_FALLS);
    scene_clear(&scene);
}

// The process flat, a gigabyte of file pages more.
static void test_file_pages(void)
{
    struct scene scene;
    scene_init(&scene);
    scene_add_evidence(&scene, HR_EVIDENCE_ANONYMOUS, HOUR_S, 60, SCENE_SHAPE(300 * MB, 300 * MB),
                       0.3 * MB);
    scene_add_evidence(&scene, HR_EVIDENCE_FILE, HOUR_S, 60, SCENE_SHAPE(0.1 * GB, 1.3 * GB),
                       1 * MB);
    const struct hr_verdict *verdict = scene_judge(&scene);
    g_assert_cmpint(verdict->class, ==, HR_CLASS_FILE_BACKED);
    scene_clear(&scene);
}

// The same told by RSS alone: what is neither the process's own nor shared mirrors files. Without
// the shared part it could be that.
static void test_file_pages_as_the_rest_of_rss(void)
{
    struct scene scene;
    scene_init(&scene);
    scene_add_evidence(&scene, HR_EVIDENCE_ANONYMOUS, HOUR_S, 60, SCENE_SHAPE(300 * MB, 300 * MB),
                       0.3 * MB);
    scene_add_evidence(&scene, HR_EVIDENCE_RSS, HOUR_S, 60, SCENE_SHAPE(0.4 * GB, 1.6 * GB),
                       1 * MB);
    g_assert_cmpint(scene_judge(&scene)->class, ==, HR_CLASS_NO_GROWTH);
    scene_add_evidence(&scene, HR_EVIDENCE_SHMEM, HOUR_S, 60, SCENE_SHAPE(2 * MB, 2 * MB), 0);
    g_assert_cmpint(scene_judge(&scene)->class, ==, HR_CLASS_FILE_BACKED);
    scene_clear(&scene);
}

// The process flat, gigabytes more of cached files in its control group.
static void test_file_cache_of_the_control_group(void)
{
    struct scene scene;
    scene_init(&scene);
    scene_add_evidence(&scene, HR_EVIDENCE_ANONYMOUS, HOUR_S, 60, SCENE_SHAPE(300 * MB, 300 * MB),
                       0.3 * MB);
    scene_add_evidence(&scene, HR_EVIDENCE_CGROUP_CURRENT, HOUR_S, 60,
                       SCENE_SHAPE(0.4 * GB, 3.4 * GB), 1 * MB);
    // What the group takes is nobody's in particular.
    g_assert_cmpint(scene_judge(&scene)->class, ==, HR_CLASS_NO_GROWTH);
    scene_add_evidence(&scene, HR_EVIDENCE_CGROUP_FILE, HOUR_S, 60, SCENE_SHAPE(0.1 * GB, 3.1 * GB),
                       1 * MB);
    const struct hr_verdict *verdict = scene_judge(&scene);
    g_assert_cmpint(verdict->class, ==, HR_CLASS_FILE_BACKED);
    g_assert_cmpstr(verdict->sentence.id, ==, "verdict-file_backed-cgroup");
    scene_clear(&scene);
}

// Six sampled objects at R = 2^30: too coarse to name anything.
static void test_too_coarse(void)
{
    struct scene scene;
    scene_init(&scene);
    double live[10];
    line_of_dumps(live, 10, 6 * 1073741824.0, 6 * 1073741824.0);
    scene_add_dumps(&scene, HOUR_S, live, 10, 5 * GB);
    scene.findings.sample_interval_bytes = 1073741824;
    const struct hr_verdict *verdict = scene_judge(&scene);
    g_assert_cmpint(verdict->class, ==, HR_CLASS_INCONCLUSIVE);
    g_assert_cmpstr(verdict->sentence.id, ==, "verdict-inconclusive-coarse");
    g_assert_true(has_step(verdict, "next-sampling"));
    scene_clear(&scene);
}

// What leaked was swapped out: resident anonymous memory falls, the process still grows.
static void test_swapped_leak(void)
{
    struct scene scene;
    scene_init(&scene);
    double live[40];
    line_of_dumps(live, 40, 100 * MB, 300 * MB);
    scene_add_dumps(&scene, HOUR_S, live, 40, 10 * MB);
    scene_add_evidence(&scene, HR_EVIDENCE_ANONYMOUS, HOUR_S, 60, SCENE_SHAPE(130 * MB, 110 * MB),
                       0.3 * MB);
    scene_add_evidence(&scene, HR_EVIDENCE_SWAP, HOUR_S, 60, SCENE_SHAPE(0, 220 * MB), 0.1 * MB);
    const struct hr_verdict *verdict = scene_judge(&scene);
    g_assert_cmpint(verdict->class, ==, HR_CLASS_HEAP_GROWTH);
    g_assert_cmpint(verdict->parts[HR_PART_PROCESS].state, ==, HR_PART_GROWS);
    g_assert_cmpfloat(verdict->parts[HR_PART_PROCESS].growth.value, >, 150 * MB);
    scene_clear(&scene);
}

// Two causes at once are both told, with their shares.
static void test_two_causes(void)
{
    struct scene scene;
    scene_init(&scene);
    scene_add_evidence(&scene, HR_EVIDENCE_ALLOCATED, HOUR_S, 60, SCENE_SHAPE(20 * MB, 50 * MB),
                       0.2 * MB);
    scene_add_evidence(&scene, HR_EVIDENCE_RESIDENT, HOUR_S, 60, SCENE_SHAPE(30 * MB, 60 * MB),
                       0.2 * MB);
    scene_add_evidence(&scene, HR_EVIDENCE_ANONYMOUS, HOUR_S, 60, SCENE_SHAPE(35 * MB, 155 * MB),
                       0.2 * MB);
    const struct hr_verdict *verdict = scene_judge(&scene);
    g_assert_cmpint(verdict->class, ==, HR_CLASS_OUTSIDE_HEAP);
    g_assert_cmpuint(verdict->contributions_count, ==, 2);
    g_assert_cmpint(verdict->contributions[0].part, ==, HR_PART_HEAP);
    g_assert_cmpfloat_with_epsilon(verdict->contributions[0].share_ratio, 0.25, 0.02);
    g_assert_cmpfloat_with_epsilon(verdict->contributions[1].share_ratio, 0.75, 0.02);
    g_assert_cmpint(find_rule(verdict, HR_CLASS_HEAP_GROWTH)->outcome, ==, HR_RULE_FIRED);
    scene_clear(&scene);
}

// No dumps: flat evidence needs no profiling, growth does.
static void test_evidence_without_dumps(void)
{
    struct scene scene;
    scene_init(&scene);
    scene_add_evidence(&scene, HR_EVIDENCE_ANONYMOUS, HOUR_S, 60, SCENE_SHAPE(80 * MB, 80 * MB),
                       0.2 * MB);
    const struct hr_verdict *verdict = scene_judge(&scene);
    g_assert_cmpint(verdict->class, ==, HR_CLASS_NO_GROWTH);
    g_assert_cmpint(verdict->scope, ==, HR_SCOPE_PROCESS);
    g_assert_cmpstr(verdict->sentence.id, ==, "verdict-no_growth-process");
    g_assert_true(has_step(verdict, "next-profiling-not-needed"));

    scene_add_evidence(&scene, HR_EVIDENCE_ANONYMOUS, HOUR_S, 60, SCENE_SHAPE(80 * MB, 180 * MB),
                       0.2 * MB);
    verdict = scene_judge(&scene);
    g_assert_cmpint(verdict->class, ==, HR_CLASS_INCONCLUSIVE);
    g_assert_cmpstr(verdict->sentence.id, ==, "verdict-inconclusive-no_heap");
    g_assert_true(has_step(verdict, "next-profiling"));

    const double live = 60 * MB; // profiling is on: one dump is what is too little
    scene_add_dumps(&scene, HOUR_S, &live, 1, 2 * MB);
    verdict = scene_judge(&scene);
    g_assert_cmpint(verdict->class, ==, HR_CLASS_INCONCLUSIVE);
    g_assert_cmpstr(verdict->sentence.id, ==, "verdict-inconclusive-few_dumps");
    g_assert_false(has_step(verdict, "next-profiling"));
    scene_clear(&scene);
}

// Without dumps nothing tells when the service was ready: what it took while it started is no
// growth, what it took later is.
static void test_start_without_dumps(void)
{
    struct scene scene;
    scene_init(&scene);
    scene_add_evidence(&scene, HR_EVIDENCE_ANONYMOUS, HOUR_S, 101,
                       SCENE_SHAPE(1 * MB, 80 * MB, 80 * MB, 80 * MB, 80 * MB, 80 * MB, 80 * MB,
                                   80 * MB, 80 * MB, 80 * MB, 80 * MB, 80 * MB),
                       0.2 * MB);
    const struct hr_verdict *verdict = scene_judge(&scene);
    g_assert_cmpint(verdict->class, ==, HR_CLASS_NO_GROWTH);
    g_assert_true(has_reason(verdict, "confidence-startup"));

    // A service that was at work already and took more at once.
    scene_add_evidence(&scene, HR_EVIDENCE_ANONYMOUS, HOUR_S, 101,
                       SCENE_SHAPE(20 * MB, 80 * MB, 80 * MB, 80 * MB, 80 * MB, 80 * MB, 80 * MB,
                                   80 * MB, 80 * MB, 80 * MB, 80 * MB, 80 * MB),
                       0.2 * MB);
    verdict = scene_judge(&scene);
    g_assert_cmpint(verdict->class, ==, HR_CLASS_BOUNDED_GROWTH);
    g_assert_false(has_reason(verdict, "confidence-startup"));

    // A leak from nothing on is no start.
    scene_add_evidence(&scene, HR_EVIDENCE_ANONYMOUS, HOUR_S, 101, SCENE_SHAPE(1 * MB, 80 * MB),
                       0.2 * MB);
    scene_add_evidence(&scene, HR_EVIDENCE_ALLOCATED, HOUR_S, 101, SCENE_SHAPE(1 * MB, 80 * MB),
                       0.2 * MB);
    g_assert_cmpint(scene_judge(&scene)->class, ==, HR_CLASS_HEAP_GROWTH);
    scene_clear(&scene);
}

static void test_nothing_at_all(void)
{
    struct scene scene;
    scene_init(&scene);
    const struct hr_verdict *verdict = scene_judge(&scene);
    g_assert_cmpint(verdict->class, ==, HR_CLASS_INCONCLUSIVE);
    g_assert_cmpstr(verdict->sentence.id, ==, "verdict-inconclusive-no_figures");
    g_assert_cmpuint(verdict->rules_count, ==, HR_CLASSES_COUNT);
    scene_clear(&scene);
}

// Profiling switched on late: the dumps fill up with a heap that was there before.
static void test_late_profiling_is_no_growth(void)
{
    struct scene scene;
    scene_init(&scene);
    double live[30];
    line_of_dumps(live, 30, 2 * MB, 90 * MB);
    scene_add_dumps(&scene, HOUR_S, live, 30, 4 * MB);
    scene_add_evidence(&scene, HR_EVIDENCE_ALLOCATED, HOUR_S, 60, SCENE_SHAPE(100 * MB, 100 * MB),
                       0.2 * MB);
    const struct hr_verdict *verdict = scene_judge(&scene);
    g_assert_cmpint(verdict->class, ==, HR_CLASS_NO_GROWTH);
    scene_clear(&scene);
}

// RSS alone is weak, and says nothing when it rose with the allocator.
static void test_rss_alone(void)
{
    struct scene scene;
    scene_init(&scene);
    scene_add_evidence(&scene, HR_EVIDENCE_RESIDENT, HOUR_S, 60, SCENE_SHAPE(40 * MB, 42 * MB),
                       0.1 * MB);
    scene_add_evidence(&scene, HR_EVIDENCE_ALLOCATED, HOUR_S, 60, SCENE_SHAPE(30 * MB, 30 * MB),
                       0.1 * MB);
    scene_add_evidence(&scene, HR_EVIDENCE_RSS, HOUR_S, 60, SCENE_SHAPE(50 * MB, 150 * MB),
                       0.1 * MB);
    const struct hr_verdict *verdict = scene_judge(&scene);
    g_assert_cmpint(verdict->class, ==, HR_CLASS_OUTSIDE_HEAP);
    g_assert_cmpint(verdict->confidence, ==, HR_CONFIDENCE_LOW);
    g_assert_cmpint(verdict->scope, ==, HR_SCOPE_HEAP);
    // All of it is file pages.
    scene_add_evidence(&scene, HR_EVIDENCE_FILE, HOUR_S, 60, SCENE_SHAPE(5 * MB, 104 * MB),
                       0.1 * MB);
    g_assert_cmpint(scene_judge(&scene)->class, !=, HR_CLASS_OUTSIDE_HEAP);
    scene_clear(&scene);
}

// Freed after a peak, and the process has not given it back for longer than a minute.
static void test_kept_after_peak(void)
{
    struct scene scene;
    scene_init(&scene);
    scene_add_evidence(&scene, HR_EVIDENCE_ALLOCATED, 300, 301,
                       SCENE_SHAPE(50 * MB, 50 * MB, 200 * MB, 50 * MB, 50 * MB, 50 * MB), 0);
    scene_add_evidence(&scene, HR_EVIDENCE_ANONYMOUS, 300, 301,
                       SCENE_SHAPE(200 * MB, 200 * MB, 210 * MB, 205 * MB, 205 * MB, 205 * MB), 0);
    const struct hr_verdict *verdict = scene_judge(&scene);
    g_assert_cmpint(verdict->class, ==, HR_CLASS_ALLOCATOR_RETENTION);
    g_assert_cmpstr(verdict->sentence.id, ==, "verdict-allocator_retention-kept");
    g_assert_cmpfloat_with_epsilon(find_slot(&verdict->sentence, "kept_bytes")->number, 150 * MB,
                                   1 * MB);
    scene_clear(&scene);
}

// Without the resident count, kept pages and memory from elsewhere are one: said as such, at low
// confidence, whether it still grows or not.
static void test_without_resident(void)
{
    struct scene scene;
    scene_init(&scene);
    scene_add_evidence(&scene, HR_EVIDENCE_ALLOCATED, HOUR_S, 60, SCENE_SHAPE(20 * MB, 20 * MB),
                       0.1 * MB);
    scene_add_evidence(&scene, HR_EVIDENCE_ANONYMOUS, HOUR_S, 60,
                       SCENE_SHAPE(30 * MB, 130 * MB, 130 * MB, 130 * MB), 0.1 * MB);
    const struct hr_verdict *verdict = scene_judge(&scene);
    g_assert_cmpint(verdict->class, ==, HR_CLASS_OUTSIDE_HEAP);
    g_assert_cmpint(verdict->confidence, ==, HR_CONFIDENCE_LOW);
    g_assert_true(has_reason(verdict, "confidence-merged"));
    g_assert_cmpstr(find_slot(&verdict->sentence, "pace")->text_id, ==, "pace-ended");
    scene_clear(&scene);
}

// Dumps alone: the trend decides whether a growth goes on.
static void test_trend_of_dumps_alone(void)
{
    static const struct {
        bool counts;
        enum hr_shape shape;
        double last_third;
        enum hr_part_state state;
    } cases[] = {
        {true, HR_SHAPE_LINEAR, 30 * MB, HR_PART_GROWS},
        {false, HR_SHAPE_PLATEAU, 3 * MB, HR_PART_GREW},
        {false, HR_SHAPE_STEP, 3 * MB, HR_PART_GREW},
        {false, HR_SHAPE_STEP, 90 * MB, HR_PART_UNDECIDED}, // a step just now
        {false, HR_SHAPE_UNKNOWN, 3 * MB, HR_PART_UNDECIDED},
        {false, HR_SHAPE_FLAT, 60 * MB, HR_PART_FLAT},         // only base is low
        {false, HR_SHAPE_UNKNOWN, 60 * MB, HR_PART_UNDECIDED}, // churn can do that
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        struct scene scene;
        scene_init(&scene);
        double live[30];
        line_of_dumps(live, 30, 50 * MB, 150 * MB);
        scene_add_dumps(&scene, HOUR_S, live, 30, 20 * MB);
        const double third = cases[i].last_third;
        struct hr_trend *trend = &scene.findings.totals.trend;
        trend->counts = cases[i].counts;
        trend->shape = cases[i].shape;
        trend->growth = (struct hr_estimate){100 * MB, 70 * MB, 130 * MB};
        trend->last_third = (struct hr_estimate){third, third - 25 * MB, third + 25 * MB};
        g_assert_cmpint(scene_judge(&scene)->parts[HR_PART_HEAP].state, ==, cases[i].state);
        scene_clear(&scene);
    }
}

// A trend over many dumps finds what two dumps cannot show.
static void test_trend_finds_smaller_growth(void)
{
    struct scene scene;
    scene_init(&scene);
    double live[40];
    line_of_dumps(live, 40, 60 * MB, 71.8 * MB);
    scene_add_dumps(&scene, 24 * HOUR_S, live, 40, 10 * MB);
    g_assert_cmpint(scene_judge(&scene)->parts[HR_PART_HEAP].state, ==, HR_PART_FLAT);
    struct hr_trend *trend = &scene.findings.totals.trend;
    trend->counts = true;
    trend->shape = HR_SHAPE_LINEAR;
    trend->growth = (struct hr_estimate){11.8 * MB, 5 * MB, 18 * MB};
    trend->last_third = (struct hr_estimate){3.9 * MB, -1 * MB, 9 * MB};
    g_assert_cmpint(scene_judge(&scene)->class, ==, HR_CLASS_HEAP_GROWTH);
    scene_clear(&scene);
}

// A limit is reached in what is left over the rate, and only when the growth is straight.
static void test_forecast(void)
{
    struct scene scene;
    scene_init(&scene);
    scene.options.limit_bytes = 400 * MB;
    scene_add_evidence(&scene, HR_EVIDENCE_ANONYMOUS, HOUR_S, 61, SCENE_SHAPE(100 * MB, 200 * MB),
                       0.2 * MB);
    scene_judge(&scene);
    g_assert_true(scene.findings.forecast.known);
    const struct hr_forecast *forecast = &scene.findings.forecast;
    g_assert_cmpfloat(forecast->low_s, <, forecast->high_s);
    g_assert_cmpfloat_with_epsilon(forecast->low_s, 2 * HOUR_S, 0.02 * HOUR_S);
    g_assert_cmpfloat_with_epsilon(forecast->high_s, 2 * HOUR_S, 0.02 * HOUR_S);
    // A step is no rate.
    scene_add_evidence(&scene, HR_EVIDENCE_ANONYMOUS, HOUR_S, 61,
                       SCENE_SHAPE(100 * MB, 100 * MB, 100 * MB, 100 * MB, 200 * MB), 0.2 * MB);
    scene_judge(&scene);
    g_assert_false(scene.findings.forecast.known);
    scene_clear(&scene);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/verdict/slow-straight-leak", test_slow_straight_leak);
    g_test_add_func("/verdict/filled-cache", test_filled_cache);
    g_test_add_func("/verdict/retention-in-eight-samples", test_retention_in_eight_samples);
    g_test_add_func("/verdict/huge-pages", test_huge_pages);
    g_test_add_func("/verdict/coverage-of-a-twentieth", test_coverage_of_a_twentieth);
    g_test_add_func("/verdict/base-above-final", test_base_above_final);
    g_test_add_func("/verdict/file-pages", test_file_pages);
    g_test_add_func("/verdict/file-pages-as-the-rest-of-rss", test_file_pages_as_the_rest_of_rss);
    g_test_add_func("/verdict/file-cache-of-the-control-group",
                    test_file_cache_of_the_control_group);
    g_test_add_func("/verdict/too-coarse", test_too_coarse);
    g_test_add_func("/verdict/swapped-leak", test_swapped_leak);
    g_test_add_func("/verdict/two-causes", test_two_causes);
    g_test_add_func("/verdict/evidence-without-dumps", test_evidence_without_dumps);
    g_test_add_func("/verdict/start-without-dumps", test_start_without_dumps);
    g_test_add_func("/verdict/nothing-at-all", test_nothing_at_all);
    g_test_add_func("/verdict/late-profiling", test_late_profiling_is_no_growth);
    g_test_add_func("/verdict/rss-alone", test_rss_alone);
    g_test_add_func("/verdict/kept-after-peak", test_kept_after_peak);
    g_test_add_func("/verdict/without-resident", test_without_resident);
    g_test_add_func("/verdict/trend-of-dumps-alone", test_trend_of_dumps_alone);
    g_test_add_func("/verdict/trend-finds-smaller-growth", test_trend_finds_smaller_growth);
    g_test_add_func("/verdict/count-contradicts-dumps", test_count_that_contradicts_the_dumps);
    g_test_add_func("/verdict/forecast", test_forecast);
    return g_test_run();
}
