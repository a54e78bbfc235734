// SPDX-License-Identifier: MIT
#include "render/chart/trace.h"

#include <math.h>

static const struct hr_scale unit_x = {0, 100, 0, 100};
static const struct hr_scale unit_y = {0, 100, 100, 0};

static void test_gaps_stay(void)
{
    static const double x[] = {0, 10, 20, 30, 40, 50};
    static const double y[] = {NAN, 1, 2, NAN, 4, NAN};
    const struct hr_chart_series series = {.count = 6, .x = x, .y = y};
    g_autoptr(GArray) points = g_array_new(FALSE, FALSE, sizeof(struct hr_point));
    unsigned next = 0;
    g_assert_true(hr_trace_line(&series, &unit_x, &unit_y, &next, points));
    g_assert_cmpuint(points->len, ==, 2);
    g_array_set_size(points, 0);
    g_assert_true(hr_trace_line(&series, &unit_x, &unit_y, &next, points));
    g_assert_cmpuint(points->len, ==, 1);
    g_assert_cmpfloat(g_array_index(points, struct hr_point, 0).x, ==, 40);
    g_array_set_size(points, 0);
    g_assert_false(hr_trace_line(&series, &unit_x, &unit_y, &next, points));
}

// 10,000 values on 100 pixels, one of them a peak and one a dip.
static void test_peaks_stay(void)
{
    enum { COUNT = 10000 };
    g_autofree double *x = g_new(double, COUNT);
    g_autofree double *y = g_new(double, COUNT);
    for (unsigned i = 0; i < COUNT; i++) {
        x[i] = i * 100.0 / COUNT;
        y[i] = 50;
    }
    y[4321] = 99;
    y[7777] = 1;
    const struct hr_chart_series series = {.count = COUNT, .x = x, .y = y};
    g_autoptr(GArray) points = g_array_new(FALSE, FALSE, sizeof(struct hr_point));
    unsigned next = 0;
    g_assert_true(hr_trace_line(&series, &unit_x, &unit_y, &next, points));
    g_assert_cmpuint(points->len, <=, 400);
    double lowest = 0;
    double highest = 100;
    for (guint i = 0; i < points->len; i++) {
        const struct hr_point *point = &g_array_index(points, struct hr_point, i);
        lowest = fmax(lowest, point->y);
        highest = fmin(highest, point->y);
        if (i > 0) {
            g_assert_cmpfloat(point->x, >=, g_array_index(points, struct hr_point, i - 1).x);
        }
    }
    g_assert_cmpfloat(highest, ==, 1);
    g_assert_cmpfloat(lowest, ==, 99);
}

static void test_band(void)
{
    static const double x[] = {0, 10, 20};
    static const double y[] = {5, 6, 7};
    static const double low[] = {4, 5, NAN};
    static const double high[] = {6, 7, 8};
    const struct hr_chart_series series = {.count = 3, .x = x, .y = y, .low = low, .high = high};
    g_autoptr(GArray) points = g_array_new(FALSE, FALSE, sizeof(struct hr_point));
    unsigned next = 0;
    g_assert_true(hr_trace_band(&series, &unit_x, &unit_y, &next, points));
    g_assert_cmpuint(points->len, ==, 4);
    g_assert_cmpfloat(g_array_index(points, struct hr_point, 0).y, ==, 94);
    g_assert_cmpfloat(g_array_index(points, struct hr_point, 3).y, ==, 96);
    g_assert_false(hr_trace_band(&series, &unit_x, &unit_y, &next, points));
    const struct hr_chart_series exact = {.count = 3, .x = x, .y = y};
    next = 0;
    g_assert_false(hr_trace_band(&exact, &unit_x, &unit_y, &next, points));
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/trace/gaps-stay", test_gaps_stay);
    g_test_add_func("/trace/peaks-stay", test_peaks_stay);
    g_test_add_func("/trace/band", test_band);
    return g_test_run();
}
