// SPDX-License-Identifier: MIT
#include "render/chart/csv.h"

#include <math.h>

static void assert_csv(const struct hr_chart *chart, const char *expected)
{
    g_autoptr(GString) csv = g_string_new(NULL);
    hr_chart_append_csv(chart, csv);
    g_assert_cmpstr(csv->str, ==, expected);
}

static void test_series(void)
{
    static const double x[] = {0, 60.5}, y[] = {1048576, NAN}, low[] = {1, 2}, high[] = {3, 4};
    const struct hr_chart_series series[] = {
        {.id = "S1", .label = "a::b", .count = 2, .x = x, .y = y, .low = low, .high = high},
        {.label = "=say \"b\", c", .count = 1, .x = x, .y = y},
    };
    const struct hr_chart chart = {
        .kind = HR_CHART_TIMELINE, .x_is_time = true, .series = series, .series_count = 2};
    assert_csv(&chart, "series,elapsed_s,live_bytes,live_bytes_low,live_bytes_high\r\n"
                       "S1,0,1048576,1,3\r\n"
                       "S1,60.5,,2,4\r\n"
                       "\"'=say \"\"b\"\", c\",0,1048576,,\r\n");
}

static void test_bars(void)
{
    const struct hr_chart_bar bars[] = {
        {.label = "heap", .base = 1, .final = 3, .growth = {2, NAN, NAN}, .from = 16, .to = 32}};
    struct hr_chart chart = {.kind = HR_CHART_BALANCE, .bars = bars, .bars_count = 1};
    assert_csv(&chart, "part,base_bytes,final_bytes,growth_bytes,growth_bytes_low,"
                       "growth_bytes_high\r\nheap,1,3,2,,\r\n");
    chart.kind = HR_CHART_NIGHTS;
    assert_csv(&chart, "night,base_bytes,final_bytes,growth_bytes,growth_bytes_low,"
                       "growth_bytes_high\r\nheap,1,3,2,,\r\n");
    chart.kind = HR_CHART_HISTOGRAM;
    assert_csv(&chart, "from_bytes,to_bytes,base_bytes,final_bytes\r\n16,32,1,3\r\n");
}

static void test_frames(void)
{
    const struct hr_chart_frame frames[] = {{-1, "all\x1b", 1, 2, 1, NULL},
                                            {0, "a::b", 0, 2, 2, "S1"}};
    const struct hr_chart chart = {.kind = HR_CHART_FLAME, .frames = frames, .frames_count = 2};
    assert_csv(&chart, "index,parent_index,function,suspect,base_bytes,final_bytes,"
                       "growth_bytes\r\n0,-1,all\\u{1b},,1,2,1\r\n"
                       "1,0,a::b,S1,0,2,2\r\n");
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/chart-csv/series", test_series);
    g_test_add_func("/chart-csv/bars", test_bars);
    g_test_add_func("/chart-csv/frames", test_frames);
    return g_test_run();
}
