// SPDX-License-Identifier: MIT
#include "analysis/alignment.h"

#include <glib.h>
#include <math.h>

#define COUNT_MAX 256

struct built {
    double time_s[COUNT_MAX];
    double value[COUNT_MAX];
};

static struct hr_gauge gauge_of(const struct built *built, size_t count)
{
    return (struct hr_gauge){count, built->time_s, built->value};
}

// A line of one value a second from time 1000 on.
static struct hr_gauge build_line(struct built *built, size_t count, double start, double slope)
{
    for (size_t i = 0; i < count; i++) {
        built->time_s[i] = 1000 + (double)i;
        built->value[i] = start + slope * (double)i;
    }
    return gauge_of(built, count);
}

static const struct hr_window ALL = {0, 1e9};

static struct hr_window span_of(struct hr_gauge gauge)
{
    return (struct hr_window){gauge.time_s[0], gauge.time_s[gauge.count - 1]};
}

// 31 values 0..30: the tenths hold 0..3 and 27..30, medians 1.5 and 28.5; the last third is 20..30,
// its groups the three (at least) at each end: 21 and 29.
static void test_line_by_hand(void)
{
    struct built built;
    const struct hr_gauge gauge = build_line(&built, 31, 0, 1);
    const struct hr_movement movement = hr_movement_compute(gauge, span_of(gauge));
    g_assert_cmpfloat(movement.base, ==, 1.5);
    g_assert_cmpfloat(movement.final, ==, 28.5);
    g_assert_cmpfloat(movement.growth.value, ==, 27);
    g_assert_cmpfloat(movement.last_third.value, ==, 8);
    // A slope is no noise: every window of seven has its own middle as median.
    g_assert_cmpfloat(movement.noise, ==, 0);
    g_assert_cmpfloat(movement.growth.low, ==, 27);
}

// Alternating +1, -1 around 10: the running median of seven is 11 or 9 with the middle's own sign
// three to four, so each value lies 0 or 2 from it.
static void test_noise_and_error(void)
{
    struct built built;
    struct hr_gauge gauge = build_line(&built, 40, 10, 0);
    for (size_t i = 0; i < 40; i++) {
        built.value[i] = 10 + (i % 2 ? 1 : -1);
    }
    const struct hr_movement movement = hr_movement_compute(gauge, span_of(gauge));
    g_assert_cmpfloat_with_epsilon(movement.noise, 1.48 * 2, 1e-9);
    // Tenths of 39 s: 0..3 and 36..39, four values each.
    const double error = 1.96 * movement.noise * sqrt(6.0 / 4);
    g_assert_cmpfloat_with_epsilon(movement.growth.high - movement.growth.value, error, 1e-9);
}

// One wild value in the first tenth and one in the last move nothing.
static void test_outliers_move_nothing(void)
{
    struct built built;
    const struct hr_gauge gauge = build_line(&built, 30, 5, 0);
    built.value[1] = 1e12;
    built.value[29] = -1e12;
    const struct hr_movement movement = hr_movement_compute(gauge, span_of(gauge));
    g_assert_cmpfloat(movement.growth.value, ==, 0);
}

// 0..9 in ten seconds, nothing for forty, 50..59 in ten: a straight line of one a second. Its last
// third begins in the hole: between 7 (seen after it) and 48 (since before it) came then.
static void test_third_begins_in_a_hole(void)
{
    struct built built;
    struct hr_gauge gauge = build_line(&built, 20, 0, 1);
    for (size_t i = 10; i < 20; i++) {
        built.time_s[i] += 40;
        built.value[i] += 40;
    }
    struct hr_movement movement = hr_movement_compute(gauge, span_of(gauge));
    g_assert_cmpfloat(movement.last_third.low, ==, 7);
    g_assert_cmpfloat(movement.last_third.high, ==, 58 - 8);
    g_assert_cmpfloat_with_epsilon(movement.last_third.value, 59.0 / 3, 2);

    // The same step with level ends: whether it came in the last third nobody saw.
    for (size_t i = 0; i < 20; i++) {
        built.value[i] = i < 10 ? 0 : 40;
    }
    movement = hr_movement_compute(gauge, span_of(gauge));
    g_assert_cmpfloat(movement.last_third.low, ==, 0);
    g_assert_cmpfloat(movement.last_third.high, ==, 40);

    // Level across the hole, and a hole elsewhere: the end was seen.
    for (size_t i = 0; i < 20; i++) {
        built.value[i] = i < 5 ? 0 : 40;
    }
    movement = hr_movement_compute(gauge, span_of(gauge));
    g_assert_cmpfloat(movement.last_third.high, ==, 0);
    struct hr_estimate third;
    gauge = build_line(&built, 40, 0, 1);
    for (size_t i = 5; i < 40; i++) {
        built.time_s[i] += 10;
    }
    g_assert_false(hr_gauge_unseen_third(gauge, 0, &third));
    g_assert_false(hr_gauge_unseen_third((struct hr_gauge){0}, 0, &third));
}

static void test_too_few_is_unknown(void)
{
    struct built built;
    for (size_t count = 0; count < 6; count++) {
        const struct hr_gauge gauge = build_line(&built, count, 0, 1);
        g_assert_true(isnan(hr_movement_compute(gauge, ALL).growth.value));
    }
    const struct hr_gauge six = build_line(&built, 6, 0, 1);
    g_assert_cmpfloat(hr_movement_compute(six, span_of(six)).growth.value, ==, 3);
    // Six values in a corner of the window say nothing of the window.
    g_assert_true(isnan(hr_movement_compute(six, ALL).growth.value));
    // Values at one moment have no first and last.
    for (size_t i = 0; i < 6; i++) {
        built.time_s[i] = 1000;
    }
    g_assert_true(isnan(hr_movement_compute(six, span_of(six)).growth.value));
}

static void test_nothing_from_before_the_window(void)
{
    struct built built;
    const struct hr_gauge gauge = build_line(&built, 60, 0, 1);
    const struct hr_movement movement = hr_movement_compute(gauge, (struct hr_window){1020, 1050});
    g_assert_cmpuint(movement.count, ==, 31);
    g_assert_cmpfloat(movement.base, ==, 21.5);
    g_assert_cmpfloat(movement.final, ==, 48.5);
}

// Both rise by the same warm-up, sampled at other moments: the difference is flat.
static void test_difference_cancels_warm_up(void)
{
    struct built first_built;
    struct built second_built;
    HR_AUTO(hr_arena) arena = hr_arena_new();
    const struct hr_gauge first = build_line(&first_built, 50, 100, 3);
    const struct hr_gauge second = build_line(&second_built, 50, 40, 3);
    for (size_t i = 0; i < 50; i++) {
        second_built.time_s[i] += 0.4;
    }
    const struct hr_gauge both = hr_gauge_combine(arena, first, -1, second);
    g_assert_cmpuint(both.count, ==, 50); // 0.4 s before the first is near enough
    for (size_t i = 1; i < both.count; i++) {
        g_assert_cmpfloat_with_epsilon(both.value[i], 60 + 3 * 0.4, 1e-9);
    }
    g_assert_cmpfloat_with_epsilon(hr_movement_compute(both, span_of(both)).growth.value, 0, 1e-9);
}

static void test_no_value_is_made_up(void)
{
    struct built first_built;
    struct built second_built;
    HR_AUTO(hr_arena) arena = hr_arena_new();
    const struct hr_gauge first = build_line(&first_built, 100, 0, 1);
    struct hr_gauge second = build_line(&second_built, 40, 0, 1);
    // Beyond the end of the second, and in a hole of it, there is no pair.
    g_assert_cmpuint(hr_gauge_combine(arena, first, 1, second).count, ==, 41);
    for (size_t i = 20; i < 40; i++) {
        second_built.time_s[i] += 30;
    }
    const struct hr_gauge both = hr_gauge_combine(arena, first, 1, second);
    for (size_t i = 0; i < both.count; i++) {
        g_assert_false(both.time_s[i] > 1019 && both.time_s[i] < 1050);
    }
    g_assert_cmpuint(hr_gauge_combine(arena, first, 1, (struct hr_gauge){0}).count, ==, 0);
    g_assert_true(isnan(hr_gauge_at((struct hr_gauge){0}, 1000)));
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/alignment/line-by-hand", test_line_by_hand);
    g_test_add_func("/alignment/noise-and-error", test_noise_and_error);
    g_test_add_func("/alignment/outliers-move-nothing", test_outliers_move_nothing);
    g_test_add_func("/alignment/third-begins-in-a-hole", test_third_begins_in_a_hole);
    g_test_add_func("/alignment/too-few-is-unknown", test_too_few_is_unknown);
    g_test_add_func("/alignment/nothing-from-before", test_nothing_from_before_the_window);
    g_test_add_func("/alignment/difference-cancels-warm-up", test_difference_cancels_warm_up);
    g_test_add_func("/alignment/no-value-is-made-up", test_no_value_is_made_up);
    return g_test_run();
}
