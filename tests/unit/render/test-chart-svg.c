// SPDX-License-Identifier: MIT
// Charts as SVG against testdata/charts/; rewrite with HR_UPDATE_GOLDEN=1, and look at what
// changed.
#include "render/chart/svg.h"
#include "render/renderer.h"
#include "sample_charts.h"

#include <libxml/parser.h>
#include <math.h>
#include <string.h>

static void check_golden(const char *name, const GString *svg)
{
    g_autofree char *path =
        g_strdup_printf("%s/testdata/charts/%s.svg", g_getenv("HR_DATA_DIR"), name);
    if (g_getenv("HR_UPDATE_GOLDEN")) {
        g_assert_true(g_file_set_contents(path, svg->str, (gssize)svg->len, NULL));
    }
    g_autofree char *expected = NULL;
    g_assert_true(g_file_get_contents(path, &expected, NULL, NULL));
    g_assert_cmpstr(svg->str, ==, expected);
}

// Well-formed, and with the text that a reader searches for as text.
static void check_markup(const GString *svg)
{
    xmlDoc *document = xmlReadMemory(svg->str, (int)svg->len, NULL, NULL, XML_PARSE_NONET);
    g_assert_nonnull(document);
    g_assert_cmpstr((const char *)xmlDocGetRootElement(document)->name, ==, "svg");
    xmlFreeDoc(document);
}

static void check(const struct hr_chart *chart)
{
    g_autoptr(GError) error = NULL;
    HR_AUTO(hr_renderer) renderer = hr_renderer_new(g_getenv("HR_DATA_DIR"), &error);
    g_assert_no_error(error);
    g_autoptr(GString) svg = g_string_new(NULL);
    g_assert_true(hr_chart_append_svg(renderer, chart, svg, &error));
    g_assert_no_error(error);
    g_string_append_c(svg, '\n');
    check_markup(svg);
    check_golden(chart->name, svg);
}

static void test_golden(void)
{
    HR_AUTO(hr_arena) arena = hr_arena_new();
    for (const struct hr_chart *const *chart = hr_sample_charts(arena); *chart; chart++) {
        check(*chart);
    }
}

static void test_hostile_names(void)
{
    HR_AUTO(hr_arena) arena = hr_arena_new();
    struct hr_chart *chart = hr_arena_copy(arena, hr_sample_timeline(arena), 1, sizeof *chart);
    chart->alt = "\"<script>&\x01\x7f\u202e \xff";
    chart->marks = NULL;
    chart->marks_count = 0;
    g_autoptr(GError) error = NULL;
    HR_AUTO(hr_renderer) renderer = hr_renderer_new(g_getenv("HR_DATA_DIR"), &error);
    g_autoptr(GString) svg = g_string_new(NULL);
    g_assert_true(hr_chart_append_svg(renderer, chart, svg, &error));
    check_markup(svg);
    g_assert_null(strstr(svg->str, "<script"));
    g_assert_nonnull(strstr(svg->str, "\\u{202e}"));
}

// A chart of no data is drawn empty and kills nothing.
static void test_empty(void)
{
    for (int kind = HR_CHART_TIMELINE; kind <= HR_CHART_NIGHTS; kind++) {
        const struct hr_chart chart = {.kind = (enum hr_chart_kind)kind, .name = "empty"};
        g_autoptr(GError) error = NULL;
        HR_AUTO(hr_renderer) renderer = hr_renderer_new(g_getenv("HR_DATA_DIR"), &error);
        g_autoptr(GString) svg = g_string_new(NULL);
        g_assert_true(hr_chart_append_svg(renderer, &chart, svg, &error));
        check_markup(svg);
        g_assert_null(strstr(svg->str, "nan"));
        g_assert_null(strstr(svg->str, "inf"));
    }
}

// On a telephone the words at the axis stand apart: no two of one column within a line.
static void test_narrow_suspect(void)
{
    HR_AUTO(hr_arena) arena = hr_arena_new();
    g_autoptr(GError) error = NULL;
    HR_AUTO(hr_renderer) renderer = hr_renderer_new(g_getenv("HR_DATA_DIR"), &error);
    const struct hr_chart *const *chart = hr_sample_charts(arena);
    while ((*chart)->kind != HR_CHART_SUSPECT) {
        chart++;
    }
    const struct hr_chart_space space = {.width = 400, .text_size = 12};
    HR_AUTO(hr_scene) scene = hr_chart_layout(renderer->fonts, *chart, space);
    double before_y = NAN;
    unsigned labels = 0;
    for (unsigned i = 0; i < scene->items->len; i++) {
        const struct hr_scene_item *item = &g_array_index(scene->items, struct hr_scene_item, i);
        if (item->kind == HR_SCENE_TEXT && item->anchor == HR_ANCHOR_END) {
            g_assert_false(fabs(item->y - before_y) < 1.5 * space.text_size);
            before_y = item->y;
            labels++;
        }
    }
    g_assert_cmpuint(labels, >=, 2);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/chart-svg/golden", test_golden);
    g_test_add_func("/chart-svg/hostile-names", test_hostile_names);
    g_test_add_func("/chart-svg/narrow-suspect", test_narrow_suspect);
    g_test_add_func("/chart-svg/empty", test_empty);
    return g_test_run();
}
