// SPDX-License-Identifier: MIT
// What the timeline draws on one axis, where the dumps have a clock, have none, or are too few.
#include "document/charts.h"

#include <glib/gstdio.h>
#include <math.h>

#define EVIDENCE                                                                                   \
    "\"evidence\": [{\"id\": \"rss\", \"time_s\": [1000, 1060, 1120], \"value_bytes\": [1, 2, "    \
    "3]}]"

static const struct {
    const char *name;
    const char *series;
    const char *ids[2]; // of the series drawn
    bool is_time;
    unsigned marks_count;
} cases[] = {
    {"clock",
     "\"time_s\": [1000, 1120], \"sequence\": [0, 23], \"live_bytes\": [5, 6],"
     "\"live_bytes_low\": [4, 5], \"live_bytes_high\": [6, 7], " EVIDENCE,
     {"heap_profile", "rss"},
     true,
     6}, // base, final, two thirds, two dumps
    {"no-clock",
     "\"time_s\": null, \"sequence\": [0, 23], \"live_bytes\": [5, 6],"
     "\"live_bytes_low\": [4, 5], \"live_bytes_high\": [6, 7], " EVIDENCE,
     {"heap_profile"},
     false,
     6},
    // Its sequence is no time, and its band is nobody else's.
    {"one-dump-without-clock",
     "\"time_s\": null, \"sequence\": [23], \"live_bytes\": [5],"
     "\"live_bytes_low\": [4], \"live_bytes_high\": [6], " EVIDENCE,
     {"rss"},
     true,
     0},
    {"no-dump",
     "\"time_s\": [], \"sequence\": [], \"live_bytes\": [], \"live_bytes_low\": [],"
     "\"live_bytes_high\": [], " EVIDENCE,
     {"rss"},
     true,
     0},
};

static struct hr_template *empty_template(void)
{
    g_autofree char *folder = g_dir_make_tmp("timeline-XXXXXX", NULL);
    g_autofree char *path = g_build_filename(folder, "t.xml", NULL);
    g_assert_true(g_file_set_contents(path, "<report/>", -1, NULL));
    struct hr_template *template = hr_template_parse(path, NULL);
    g_assert_nonnull(template);
    g_remove(path);
    g_rmdir(folder);
    return template;
}

static void check(const struct hr_chart *chart, size_t at)
{
    unsigned expected = 0;
    for (size_t i = 0; i < G_N_ELEMENTS(cases[at].ids) && cases[at].ids[i]; i++) {
        expected++;
        g_assert_cmpuint(chart->series_count, >=, expected);
        const struct hr_chart_series *series = &chart->series[i];
        g_assert_cmpstr(series->id, ==, cases[at].ids[i]);
        g_assert_cmpint(series->sampled, ==, g_str_equal(series->id, "heap_profile"));
        g_assert_cmpint(series->low != NULL, ==, series->sampled);
        g_assert_cmpint(series->high != NULL, ==, series->sampled);
    }
    g_assert_cmpuint(chart->series_count, ==, expected);
    g_assert_cmpint(chart->x_is_time, ==, cases[at].is_time);
    g_assert_cmpuint(chart->marks_count, ==, cases[at].marks_count);
}

static void test_axis(void)
{
    HR_AUTO(hr_template) template = empty_template();
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *text =
            g_strdup_printf("{\"run\": {\"base\": {\"sequence\": 0}, \"final\": {\"sequence\": 23, "
                            "\"live_bytes_high\": 7}},"
                            "\"series\": {%s}}",
                            cases[i].series);
        g_test_message("%s", cases[i].name);
        json_t *result = json_loads(text, 0, NULL);
        g_assert_nonnull(result);
        HR_AUTO(hr_arena) arena = hr_arena_new();
        const struct hr_chart_source source = {
            .arena = arena, .template = template, .result = result};
        struct hr_chart chart = {0};
        g_assert_true(hr_chart_timeline_compose(&source, &chart));
        check(&chart, i);
        json_decref(result);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/timeline/axis", test_axis);
    return g_test_run();
}
