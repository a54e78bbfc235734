// SPDX-License-Identifier: MIT
#include "model/sample.h"

#include <glib.h>
#include <math.h>

// One row by hand: x = 68,930.5, p = 1 - exp(-x / 2^19) = 0.1231983.
static void test_one_row(void)
{
    const struct hr_scaled scaled = hr_sample_scale(162, 11166737, 524288);
    g_assert_cmpfloat_with_epsilon(scaled.bytes, 90640334.3, 0.5);
    g_assert_cmpfloat_with_epsilon(scaled.objects, 1314.953, 0.001);
}

static void test_nothing_to_scale(void)
{
    static const struct {
        uint64_t objects, bytes, interval;
    } cases[] = {
        {0, 4096, 524288},             // n = 0: bytes as they are
        {10, 640, 1},                  // every allocation
        {10, 640, 0},                  // no interval
        {1, 81920, (uint64_t)1 << 63}, // effectively off
        {3, 0, 524288},                // objects of no size
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        const struct hr_scaled scaled =
            hr_sample_scale(cases[i].objects, cases[i].bytes, cases[i].interval);
        g_assert_cmpfloat(scaled.bytes, ==, (double)cases[i].bytes);
        g_assert_cmpfloat(scaled.objects, ==, (double)cases[i].objects);
        g_assert_cmpfloat(scaled.probability, ==, 1);
    }
    g_assert_true(hr_sample_is_off((uint64_t)1 << 63));
    g_assert_false(hr_sample_is_off((uint64_t)1 << 30));
}

static void test_small_and_large_objects(void)
{
    // far below R: each sample stands for about R bytes
    const struct hr_scaled small = hr_sample_scale(10, 640, 524288);
    g_assert_cmpfloat_with_epsilon(small.bytes / (10 * 524288.0), 1, 0.001);
    // far above R: counted as it is
    const struct hr_scaled large = hr_sample_scale(2, 2 * 16777216, 524288);
    g_assert_cmpfloat_with_epsilon(large.bytes, 2 * 16777216.0, 1e-3);
}

// 8 MiB of small objects at R = 512 KiB has a standard error of about sqrt(R x bytes) = 2.0 MiB.
static void test_variance_of_a_sum(void)
{
    struct hr_sample_sum sum = {0};
    double bytes = 0;
    for (int row = 0; row < 16; row++) {
        const struct hr_scaled scaled = hr_sample_scale(1, 64, 524288);
        hr_sample_sum_add(&sum, &scaled, 1);
        bytes += scaled.bytes;
    }
    g_assert_cmpfloat_with_epsilon(bytes / 1048576, 8, 0.01);
    g_assert_cmpfloat_with_epsilon(sqrt(hr_sample_sum_variance(&sum)) / 1048576, 2.12, 0.01);

    // what is exact adds nothing
    const struct hr_scaled exact = hr_sample_scale(1000, 64000, 1);
    const double before = hr_sample_sum_variance(&sum);
    hr_sample_sum_add(&sum, &exact, 1000);
    g_assert_cmpfloat(hr_sample_sum_variance(&sum), ==, before);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/sample/one-row", test_one_row);
    g_test_add_func("/sample/nothing-to-scale", test_nothing_to_scale);
    g_test_add_func("/sample/small-and-large-objects", test_small_and_large_objects);
    g_test_add_func("/sample/variance-of-a-sum", test_variance_of_a_sum);
    return g_test_run();
}
