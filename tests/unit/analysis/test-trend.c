// SPDX-License-Identifier: MIT
#include "analysis/shape.h"
#include "analysis/trend.h"
#include "world.h"

#include <math.h>

#define POINTS 80
#define RATE 524288.0
#define Z_MIN 3.3

// A track of small objects: so many samples at each point, with a fixed pattern of noise.
static struct hr_track track_of(struct hr_arena *arena, double (*samples)(double place))
{
    static const double NOISE[] = {0.3, -1.1, 0.8, 1.4, -0.6, -0.9, 0.1};
    struct hr_track track = {
        .bytes = HR_ARENA_ARRAY(arena, double, POINTS),
        .variance = HR_ARENA_ARRAY(arena, double, POINTS),
        .weights = HR_ARENA_ARRAY(arena, double, POINTS),
        .births = HR_ARENA_ARRAY(arena, double, POINTS),
        .largest = RATE,
    };
    for (size_t i = 0; i < POINTS; i++) {
        const double count = samples((double)i / (POINTS - 1)) + 3 * NOISE[i % G_N_ELEMENTS(NOISE)];
        track.bytes[i] = count * RATE;
        track.weights[i] = count * RATE * RATE;
    }
    return track;
}

static double flat(double place)
{
    return 200 + 0 * place;
}
static double linear(double place)
{
    return 200 + 400 * place;
}
static double steep(double place)
{
    return 20 + 1000 * place;
}

static double falling(double place)
{
    return 600 - 400 * place;
}
static double step(double place)
{
    return place < 0.45 ? 200 : 600;
}
static double plateau(double place)
{
    return 600 - 400 * exp(-place / 0.12);
}
static double sawtooth(double place)
{
    return 200 + 400 * fmod(place * 5.5, 1);
}
static double burst(double place)
{
    return place > 0.4 && place < 0.55 ? 600 : 200;
}

static void test_shapes(void)
{
    static const struct {
        double (*samples)(double place);
        enum hr_shape shape;
        bool counts;
    } cases[] = {
        {flat, HR_SHAPE_FLAT, false},         {linear, HR_SHAPE_LINEAR, true},
        {falling, HR_SHAPE_SHRINKING, false}, {step, HR_SHAPE_STEP, false},
        {plateau, HR_SHAPE_PLATEAU, false},   {sawtooth, HR_SHAPE_SAWTOOTH, false},
        {burst, HR_SHAPE_BURST, false},
    };
    HR_AUTO(test_world) world = test_world_new();
    struct hr_arena *arena = test_world_run(world)->arena;
    const struct hr_trend_plan *plan = hr_trend_plan_new(arena, NULL, POINTS);
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        const struct hr_track track = track_of(arena, cases[i].samples);
        const struct hr_trend trend = hr_trend_compute(plan, &track, false, Z_MIN);
        g_test_message("case %zu", i);
        g_assert_cmpint(trend.shape, ==, cases[i].shape);
        g_assert_cmpint(trend.counts, ==, cases[i].counts);
    }
}

static void test_growth_and_rate(void)
{
    HR_AUTO(test_world) world = test_world_new();
    struct hr_arena *arena = test_world_run(world)->arena;
    double time_s[POINTS];
    for (size_t i = 0; i < POINTS; i++) {
        time_s[i] = 5e8 + (double)i * 3600 * 2 / (POINTS - 1);
    }
    const struct hr_trend_plan *plan = hr_trend_plan_new(arena, time_s, POINTS);
    const struct hr_track track = track_of(arena, linear);
    const struct hr_trend trend = hr_trend_compute(plan, &track, false, Z_MIN);
    g_assert_cmpfloat_with_epsilon(trend.growth.value / RATE, 400, 10);
    g_assert_cmpfloat(trend.growth.low / RATE, <, 400);
    g_assert_cmpfloat(trend.growth.high / RATE, >, 400);
    g_assert_cmpfloat_with_epsilon(trend.rate_bytes_per_hour.value, trend.growth.value / 2, 1);
    for (int third = 0; third < 3; third++) {
        g_assert_cmpfloat_with_epsilon(trend.thirds_growth_bytes[third] / RATE, 400.0 / 3, 25);
    }
}

// A thousand samples that a leak left have an error of their own, some sqrt(1000), however straight
// they line up: the drift itself must not pass for noise between neighbours, which would narrow it.
static void test_steep_growth_keeps_its_error(void)
{
    HR_AUTO(test_world) world = test_world_new();
    struct hr_arena *arena = test_world_run(world)->arena;
    const struct hr_trend_plan *plan = hr_trend_plan_new(arena, NULL, POINTS);
    const struct hr_track track = track_of(arena, steep);
    const struct hr_trend trend = hr_trend_compute(plan, &track, false, Z_MIN);
    g_assert_true(trend.counts);
    g_assert_cmpfloat((trend.growth.high - trend.growth.value) / RATE, >, 1.96 * sqrt(1000));
    g_assert_cmpfloat((trend.growth.high - trend.growth.value) / RATE, <, 1.96 * sqrt(3000));
}

static void test_too_few_points(void)
{
    HR_AUTO(test_world) world = test_world_new();
    struct hr_arena *arena = test_world_run(world)->arena;
    for (size_t count = 0; count < HR_TREND_POINTS_MIN; count++) {
        const struct hr_trend_plan *plan = hr_trend_plan_new(arena, NULL, count);
        const struct hr_track track = track_of(arena, linear);
        const struct hr_trend trend = hr_trend_compute(plan, &track, false, Z_MIN);
        g_assert_cmpint(trend.shape, ==, HR_SHAPE_UNKNOWN);
        g_assert_true(isnan(trend.growth.value));
        g_assert_false(trend.counts);
    }
}

// Dumps that crowd into one moment weigh no more than the time they took.
static void test_crowded_times(void)
{
    HR_AUTO(test_world) world = test_world_new();
    struct hr_arena *arena = test_world_run(world)->arena;
    double time_s[POINTS];
    for (size_t i = 0; i < POINTS; i++) {
        time_s[i] = i < POINTS / 2 ? (double)i * 0.01 : 1 + (double)(i - POINTS / 2);
    }
    const struct hr_trend_plan *plan = hr_trend_plan_new(arena, time_s, POINTS);
    size_t crowded = 0;
    for (size_t i = 0; i < plan->count; i++) {
        crowded += plan->point[i] < POINTS / 2;
    }
    g_assert_cmpuint(crowded, <=, 4);
    g_assert_cmpuint(plan->point[plan->count - 1], ==, POINTS - 1);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/trend/shapes", test_shapes);
    g_test_add_func("/trend/growth-and-rate", test_growth_and_rate);
    g_test_add_func("/trend/steep-growth-keeps-its-error", test_steep_growth_keeps_its_error);
    g_test_add_func("/trend/too-few-points", test_too_few_points);
    g_test_add_func("/trend/crowded-times", test_crowded_times);
    return g_test_run();
}
