// SPDX-License-Identifier: MIT
#include "render/chart/scale.h"

#include <glib.h>
#include <math.h>

#define MIB (1024.0 * 1024)

static char *join(const struct hr_ticks *ticks)
{
    GString *text = g_string_new(NULL);
    for (unsigned i = 0; i < ticks->count; i++) {
        g_string_append(text, i ? "|" : "");
        g_string_append(text, ticks->label[i]);
    }
    return g_string_free(text, FALSE);
}

static void test_bytes(void)
{
    static const struct {
        double high;
        unsigned wanted;
        const char *labels;
    } cases[] = {
        {118 * MIB, 4, "0|50 MiB|100 MiB"},    {1.7 * 1024 * MIB, 4, "0|0.5 GiB|1.0 GiB|1.5 GiB"},
        {300, 4, "0|100 B|200 B|300 B"},       {3, 4, "0|1 B|2 B|3 B"},
        {0, 2, "0|0.5 MiB|1.0 MiB"},           {-5, 2, "0|0.5 MiB|1.0 MiB"},
        {NAN, 2, "0|0.5 MiB|1.0 MiB"},         {INFINITY, 2, "0|0.5 MiB|1.0 MiB"},
        {1000 * MIB, 4, "0|500 MiB|1000 MiB"}, {9e18, 4, "0|2 EiB|4 EiB|6 EiB"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        struct hr_ticks ticks;
        hr_ticks_bytes(cases[i].high, cases[i].wanted, &ticks);
        g_autofree char *labels = join(&ticks);
        g_assert_cmpstr(labels, ==, cases[i].labels);
        if (cases[i].high > 0 && isfinite(cases[i].high)) {
            g_assert_cmpfloat(ticks.at[ticks.count - 1], <=, cases[i].high);
        }
    }
}

static void test_elapsed(void)
{
    static const struct {
        double low_s, high_s;
        const char *labels;
    } cases[] = {
        {0, 13.67 * 3600, "0|2 h|4 h|6 h|8 h|10 h|12 h"},
        {0, 59, "0|10 s|20 s|30 s|40 s|50 s"},
        {-1800, 3600, "\u221230 min|\u221215 min|0|15 min|30 min|45 min|60 min"},
        {0, 9.5 * 86400, "0|2 d|4 d|6 d|8 d"},
        {5, 5, "5 s"},
        {0, 0.4, "0|0.1 s|0.2 s|0.3 s|0.4 s"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        struct hr_ticks ticks;
        hr_ticks_elapsed(cases[i].low_s, cases[i].high_s, 7, &ticks);
        g_autofree char *labels = join(&ticks);
        g_assert_cmpstr(labels, ==, cases[i].labels);
    }
}

static void test_sequence(void)
{
    struct hr_ticks ticks;
    hr_ticks_sequence(0, 3, 8, &ticks);
    g_autofree char *few = join(&ticks);
    g_assert_cmpstr(few, ==, "0|1|2|3");
    hr_ticks_sequence(7, 10000, 5, &ticks);
    g_autofree char *many = join(&ticks);
    g_assert_cmpstr(many, ==, "2000|4000|6000|8000|10000");
}

static void test_apply(void)
{
    const struct hr_scale scale = {0, 10, 100, 0};
    g_assert_cmpfloat(hr_scale_apply(&scale, 2.5), ==, 75);
    const struct hr_scale point = {3, 3, 0, 100};
    g_assert_cmpfloat(hr_scale_apply(&point, 3), ==, 50);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/scale/bytes", test_bytes);
    g_test_add_func("/scale/elapsed", test_elapsed);
    g_test_add_func("/scale/sequence", test_sequence);
    g_test_add_func("/scale/apply", test_apply);
    return g_test_run();
}
