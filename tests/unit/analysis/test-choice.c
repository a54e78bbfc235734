// SPDX-License-Identifier: MIT
#include "analysis/choice.h"
#include "analysis/choice_points.h"
#include "analysis/warmup.h"
#include "world.h"

#include <math.h>

#define RATE 524288
#define MIB 1048576.0

// Adds dumps of one stack with these live MiB, a minute apart.
static struct test_world *world_of(const double *live_mib, size_t count)
{
    struct test_world *world = test_world_new();
    const uint32_t stack = test_world_stack(world, "malloc<app");
    for (size_t i = 0; i < count; i++) {
        const uint64_t samples = (uint64_t)(live_mib[i] * 2);
        const struct test_row row = {stack, samples, samples * 64};
        test_world_dump(world, 1000 + 60.0 * (double)i, RATE, &row, 1);
    }
    return world;
}

static const struct hr_choice_options DEFAULT_OPTIONS = {.warmup_s = NAN};

static struct hr_choice choose(struct test_world *world, const struct hr_choice_options *options)
{
    struct hr_choice choice;
    g_autoptr(GError) error = NULL;
    struct hr_run *run = test_world_run(world);
    g_assert_true(
        hr_choice_compute(run->arena, run, test_world_rules(world), options, &choice, &error));
    g_assert_no_error(error);
    return choice;
}

static void test_first_and_last(void)
{
    const double live[] = {100, 110, 180, 120, 130, 140, 150};
    HR_AUTO(test_world) world = world_of(live, G_N_ELEMENTS(live));
    const struct hr_choice choice = choose(world, &DEFAULT_OPTIONS);
    g_assert_cmpuint(choice.base, ==, 0);
    g_assert_cmpuint(choice.final, ==, 6);
    g_assert_cmpuint(choice.peak, ==, 2);
    g_assert_cmpuint(choice.teardown, ==, HR_CHOICE_NONE);
    g_assert_cmpuint(choice.points_count, ==, 7);
    g_assert_cmpstr(choice.base_reason.id, ==, "choice-base-first-under-load");
    g_assert_cmpstr(choice.final_reason.id, ==, "choice-final-last");
}

static void test_teardown(void)
{
    const double live[] = {100, 200, 300, 400, 30};
    HR_AUTO(test_world) world = world_of(live, G_N_ELEMENTS(live));
    test_world_run(world)->dumps[4].kind = HR_DUMP_FINAL;
    const struct hr_choice choice = choose(world, &DEFAULT_OPTIONS);
    g_assert_cmpuint(choice.final, ==, 3);
    g_assert_cmpuint(choice.teardown, ==, 4);
    g_assert_true(choice.wanted[4]);
    g_assert_cmpstr(choice.final_reason.id, ==, "choice-final-before-teardown");

    // the same fall in an interval dump is the heap's own doing
    test_world_run(world)->dumps[4].kind = HR_DUMP_INTERVAL;
    g_assert_cmpuint(choose(world, &DEFAULT_OPTIONS).final, ==, 4);
}

static void test_cut_and_empty_dumps_are_passed_over(void)
{
    const double live[] = {0, 100, 110, 120, 130};
    HR_AUTO(test_world) world = world_of(live, G_N_ELEMENTS(live));
    test_world_run(world)->dumps[1].note = HR_DUMP_NOTE_CUT;
    test_world_run(world)->dumps[4].note = HR_DUMP_NOTE_CUT;
    const struct hr_choice choice = choose(world, &DEFAULT_OPTIONS);
    g_assert_cmpuint(choice.base, ==, 2);
    g_assert_cmpuint(choice.final, ==, 3);
}

static void test_outliers(void)
{
    const double live[] = {400, 100, 104, 102, 106, 108, 110, 112, 109, 111, 900};
    HR_AUTO(test_world) world = world_of(live, G_N_ELEMENTS(live));
    const struct hr_choice choice = choose(world, &DEFAULT_OPTIONS);
    g_assert_cmpuint(choice.base, ==, 2);  // 104: the median of the next five
    g_assert_cmpuint(choice.final, ==, 6); // 110: the median of the last five
    g_assert_cmpstr(choice.base_reason.id, ==, "choice-base-outlier");
    g_assert_cmpstr(choice.final_reason.id, ==, "choice-final-outlier");
    g_assert_cmpuint(choice.outlier, ==, 10);

    // of equal ones those at the ends of the run
    const double level[] = {400, 100, 100, 100, 100, 100, 100, 100, 100, 100, 900};
    HR_AUTO(test_world) other = world_of(level, G_N_ELEMENTS(level));
    g_assert_cmpuint(choose(other, &DEFAULT_OPTIONS).base, ==, 1);
    g_assert_cmpuint(choose(other, &DEFAULT_OPTIONS).final, ==, 9);

    // the exact total says that the height is real
    const double time_s = 1000 + 60 * 11;
    const double allocated = 900 * MIB;
    test_world_run(world)->evidence.series[HR_EVIDENCE_ALLOCATED] =
        (struct hr_evidence_series){"test", 1, &time_s, &allocated};
    g_assert_cmpuint(choose(world, &DEFAULT_OPTIONS).final, ==, 10);
    g_assert_cmpuint(choose(world, &DEFAULT_OPTIONS).outlier, ==, HR_CHOICE_NONE);
}

static void test_breaks_split(void)
{
    const double live[] = {100, 110, 20, 30, 40, 50};
    HR_AUTO(test_world) world = world_of(live, G_N_ELEMENTS(live));
    struct hr_run *run = test_world_run(world);
    for (size_t i = 0; i < 2; i++) {
        run->dumps[i].sample_interval_bytes = RATE / 2;
    }
    struct hr_choice choice = choose(world, &DEFAULT_OPTIONS);
    g_assert_cmpuint(choice.base, ==, 2);
    g_assert_cmpuint(choice.final, ==, 5);
    g_assert_cmpstr(choice.base_reason.id, ==, "choice-base-after-break");

    // no difference across the break, not even when asked for
    const struct hr_choice_options options = {.base_file = run->dumps[0].file, .warmup_s = NAN};
    g_autoptr(GError) error = NULL;
    g_assert_false(
        hr_choice_compute(run->arena, run, test_world_rules(world), &options, &choice, &error));
    g_assert_error(error, HR_ERROR, HR_ERROR_USAGE);
}

static void test_named(void)
{
    const double live[] = {100, 110, 120, 130};
    HR_AUTO(test_world) world = world_of(live, G_N_ELEMENTS(live));
    struct hr_choice_options options = {
        .base_file = "app.1.1.i1.heap", .final_file = "app.1.2.i2.heap", .warmup_s = NAN};
    struct hr_choice choice = choose(world, &options);
    g_assert_cmpuint(choice.base, ==, 1);
    g_assert_cmpuint(choice.final, ==, 2);
    g_assert_false(choice.wanted[0]);

    options = (struct hr_choice_options){
        .base_file = "app.1.2.i2.heap", .final_file = "app.1.1.i1.heap", .warmup_s = NAN};
    struct hr_run *run = test_world_run(world);
    g_autoptr(GError) error = NULL;
    g_assert_false(
        hr_choice_compute(run->arena, run, test_world_rules(world), &options, &choice, &error));
    g_assert_error(error, HR_ERROR, HR_ERROR_USAGE);
}

static void test_warmup(void)
{
    double live[30];
    for (size_t i = 0; i < G_N_ELEMENTS(live); i++) {
        live[i] = i < 10 ? 20.0 * (double)(i + 1) : 200 + (double)(i - 9);
    }
    HR_AUTO(test_world) world = world_of(live, G_N_ELEMENTS(live));
    const struct hr_choice_options by_time = {.warmup_s = 300};
    g_assert_cmpuint(choose(world, &by_time).base, ==, 5);
    const struct hr_choice_options by_itself = {.warmup_s = NAN, .warmup_auto = true};
    g_assert_cmpuint(choose(world, &by_itself).base, ==, 9); // the bend belongs to both lines

    const double steady[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
    g_assert_cmpuint(hr_warmup_end(steady, G_N_ELEMENTS(steady)), ==, 0);
    g_assert_cmpuint(hr_warmup_end(steady, 2), ==, 0);
    g_assert_cmpuint(hr_warmup_end(steady, 0), ==, 0);
}

static void test_no_dumps(void)
{
    HR_AUTO(test_world) world = test_world_new();
    const struct hr_choice choice = choose(world, &DEFAULT_OPTIONS);
    g_assert_cmpuint(choice.base, ==, HR_CHOICE_NONE);
    g_assert_cmpuint(choice.final, ==, HR_CHOICE_NONE);
    g_assert_cmpuint(choice.points_count, ==, 0);
}

// 900 dumps in one minute and 100 in the hour after it: few points are left of the crowd.
// A heap that grows fast ends far above the dumps before: that is its growth, not an outlier.
static void test_growth_is_no_outlier(void)
{
    const double straight[] = {10, 20, 30, 40, 50, 60, 70, 80, 90, 100};
    HR_AUTO(test_world) world = world_of(straight, G_N_ELEMENTS(straight));
    const struct hr_choice choice = choose(world, &DEFAULT_OPTIONS);
    g_assert_cmpuint(choice.final, ==, 9);
    g_assert_cmpstr(choice.final_reason.id, ==, "choice-final-last");
    const double doubling[] = {4, 8, 16, 32, 64, 128, 256};
    HR_AUTO(test_world) other = world_of(doubling, G_N_ELEMENTS(doubling));
    g_assert_cmpuint(choose(other, &DEFAULT_OPTIONS).final, ==, 6);
}

// prof.reset: births are counted anew, and what lived before is no longer known.
static void test_reset_splits(void)
{
    const double live[] = {100, 110, 120, 10, 20, 30, 40};
    HR_AUTO(test_world) world = world_of(live, G_N_ELEMENTS(live));
    struct hr_run *run = test_world_run(world);
    for (size_t i = 0; i < run->dumps_count; i++) {
        run->dumps[i].born_bytes = i < 3 ? 1e8 + 1e6 * (double)i : 1.4e7 * (double)i;
    }
    const struct hr_choice choice = choose(world, &DEFAULT_OPTIONS);
    g_assert_cmpuint(choice.base, ==, 3);
    g_assert_cmpuint(choice.final, ==, 6);
    g_assert_cmpstr(choice.base_reason.id, ==, "choice-base-after-break");
}

// Whole numbers are printed: a sum may seem to fall by an interval or so.
static void test_rounding_is_no_reset(void)
{
    const double live[] = {100, 110, 120, 130, 140};
    HR_AUTO(test_world) world = world_of(live, G_N_ELEMENTS(live));
    struct hr_run *run = test_world_run(world);
    for (size_t i = 0; i < run->dumps_count; i++) {
        run->dumps[i].born_bytes = 4.0 * RATE - (i == 2 ? 1.5 * RATE : 0);
    }
    g_assert_cmpuint(choose(world, &DEFAULT_OPTIONS).base, ==, 0);
    for (size_t i = 0; i < run->dumps_count; i++) {
        run->dumps[i].born_bytes = 1000.0 * RATE - (i >= 2 ? 9.0 * RATE : 0);
    }
    g_assert_cmpuint(choose(world, &DEFAULT_OPTIONS).base, ==, 0);
    run->dumps[3].born_bytes = run->dumps[4].born_bytes = 900.0 * RATE;
    g_assert_cmpuint(choose(world, &DEFAULT_OPTIONS).final, ==, 2);
}

static void test_points_follow_time(void)
{
    HR_AUTO(test_world) world = test_world_new();
    const uint32_t stack = test_world_stack(world, "malloc<app");
    for (size_t i = 0; i < 1000; i++) {
        const struct test_row row = {stack, i == 500 ? 900 : 100, 6400};
        test_world_dump(world, i < 900 ? (double)i / 15 : 60 + 36 * (double)(i - 900), RATE, &row,
                        1);
    }
    const struct hr_choice_options options = {.warmup_s = NAN, .points = 50};
    const struct hr_choice choice = choose(world, &options);
    g_assert_cmpuint(choice.points_count, <=, 50);
    g_assert_cmpuint(choice.points_count, >=, 45);
    g_assert_cmpuint(choice.points[0], ==, choice.base);
    g_assert_cmpuint(choice.points[choice.points_count - 1], ==, choice.final);
    size_t crowded = 0;
    bool has_peak = false;
    for (size_t p = 0; p < choice.points_count; p++) {
        crowded += choice.points[p] < 900;
        has_peak = has_peak || choice.points[p] == choice.peak;
        g_assert_true(p == 0 || choice.points[p] > choice.points[p - 1]);
    }
    g_assert_true(has_peak);
    g_assert_cmpuint(crowded, <=, 4);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/choice/first-and-last", test_first_and_last);
    g_test_add_func("/choice/teardown", test_teardown);
    g_test_add_func("/choice/cut-and-empty", test_cut_and_empty_dumps_are_passed_over);
    g_test_add_func("/choice/outliers", test_outliers);
    g_test_add_func("/choice/breaks-split", test_breaks_split);
    g_test_add_func("/choice/growth-is-no-outlier", test_growth_is_no_outlier);
    g_test_add_func("/choice/reset-splits", test_reset_splits);
    g_test_add_func("/choice/named", test_named);
    g_test_add_func("/choice/warmup", test_warmup);
    g_test_add_func("/choice/no-dumps", test_no_dumps);
    g_test_add_func("/choice/rounding-is-no-reset", test_rounding_is_no_reset);
    g_test_add_func("/choice/points-follow-time", test_points_follow_time);
    return g_test_run();
}
