// SPDX-License-Identifier: MIT
#include "analysis/significance.h"

#include <glib.h>

static void test_p_values(void)
{
    static const struct {
        double base, final, q, p;
    } cases[] = {
        {0, 0, 0.5, 1},           {5, 5, 0.5, 1},           // not above the mean
        {0, 1, 0.5, 0.5},         {0, 10, 0.5, 1.0 / 1024}, // ten heads
        {2, 8, 0.5, 56.0 / 1024},                           // 45 + 10 + 1
        {1, 3, 0.25, 13.0 / 256},                           // 4 x 3 / 256 + 1 / 256
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_assert_cmpfloat_with_epsilon(
            hr_significance_p_value(cases[i].base, cases[i].final, cases[i].q), cases[i].p, 1e-12);
    }
    // 2,100 against 2,000: z = 1.56, one-sided 0.0597 (with continuity correction)
    g_assert_cmpfloat_with_epsilon(hr_significance_p_value(2000, 2100, 0.5), 0.0611, 0.0005);
    g_assert_cmpfloat(hr_significance_p_value(10, 1000000, 0.5), ==, 0);
}

static void test_false_discoveries(void)
{
    const double p_values[] = {0.001, 0.2, 0.012, 0.009, 0.9};
    bool passed[5];
    // limits at 5 %: 0.01, 0.02, 0.03, 0.04, 0.05
    hr_significance_select(p_values, 5, 5, 0.05, passed);
    const bool expected[] = {true, false, true, true, false};
    for (int i = 0; i < 5; i++) {
        g_assert_cmpint(passed[i], ==, expected[i]);
    }
    // the same among a hundred: only 0.001 would be below 0.0005, and it is not
    hr_significance_select(p_values, 5, 100, 0.05, passed);
    g_assert_false(passed[0]);
    hr_significance_select(NULL, 0, 1, 0.05, NULL);
}

// Among more places each has to stand out more.
static void test_z_among(void)
{
    g_assert_cmpfloat_with_epsilon(hr_significance_z(0.025), 1.959964, 1e-6);
    g_assert_cmpfloat(hr_significance_z_among(3.3, 1), ==, 3.3);
    g_assert_cmpfloat(hr_significance_z_among(3.3, 500), ==, 3.3);
    g_assert_cmpfloat_with_epsilon(hr_significance_z_among(3.3, 2000), 3.6709, 0.0005);
    g_assert_cmpfloat_with_epsilon(hr_significance_z_among(3.3, 50000), 4.4245, 0.0005);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/significance/p-values", test_p_values);
    g_test_add_func("/significance/false-discoveries", test_false_discoveries);
    g_test_add_func("/significance/z-among", test_z_among);
    return g_test_run();
}
