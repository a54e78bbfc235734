// SPDX-License-Identifier: MIT
// Charts in HTML: the SVG for the page's column and one for a telephone's, of which the style sheet
// shows one, and the numbers for the script that reads them out under a pointer.
#include "render/chart/csv.h"
#include "render/chart/svg.h"
#include "render/html.h"
#include "render/printable.h"
#include "render/renderer.h"

#include <math.h>
#include <string.h>

#define CSV_MAX_BYTES ((size_t)192 * 1024)
#define WIDE 860.0
#define NARROW 400.0
#define SPARKLINE 120.0
#define TEXT_SIZE 12.0

static bool has_narrow(const struct hr_chart *chart)
{
    // A flame graph's frames need the room: it scrolls.
    return chart->kind != HR_CHART_FLAME;
}

static bool is_read_out(const struct hr_chart *chart)
{
    return chart->kind == HR_CHART_TIMELINE || chart->kind == HR_CHART_SUSPECT ||
           chart->kind == HR_CHART_AREA;
}

static void append_number(GString *out, double number)
{
    char buffer[G_ASCII_DTOSTR_BUF_SIZE];
    g_string_append(out, isnan(number) ? "null"
                                       : g_ascii_formatd(buffer, sizeof buffer, "%.10g", number));
}

static void append_numbers(GString *out, const char *name, const double *numbers, unsigned count)
{
    g_string_append_printf(out, ",\"%s\":[", name);
    for (unsigned i = 0; i < count; i++) {
        g_string_append(out, i ? "," : "");
        append_number(out, numbers[i]);
    }
    g_string_append_c(out, ']');
}

// A JSON string inside a script element: what could end either is written as its code.
static void append_string(GString *out, const char *text)
{
    g_autofree char *printable = hr_printable(text);
    g_string_append_c(out, '"');
    for (const char *p = printable; *p; p++) {
        if (strchr("<>&\"\\", *p)) {
            g_string_append_printf(out, "\\u%04x", (unsigned)*p);
        } else {
            g_string_append_c(out, *p);
        }
    }
    g_string_append_c(out, '"');
}

static void append_series(GString *out, const struct hr_chart_series *series)
{
    g_string_append(out, "{\"label\":");
    append_string(out, series->label ? series->label : series->id);
    append_numbers(out, "x", series->x, series->count);
    append_numbers(out, "y", series->y, series->count);
    g_string_append_c(out, '}');
}

static void append_chart_numbers(struct hr_html *html, const struct hr_chart *chart)
{
    GString *out = html->charts;
    g_string_append(out, out->len > 1 ? ",\n" : "");
    append_string(out, chart->name);
    g_string_append_printf(out, ":{\"time\":%s,\"series\":[", chart->x_is_time ? "true" : "false");
    for (unsigned i = 0; i < chart->series_count; i++) {
        g_string_append(out, i ? "," : "");
        append_series(out, &chart->series[i]);
    }
    g_string_append(out, "]}");
}

// One drawing with the scale by which a pointer's place becomes a time.
static bool append_drawing(struct hr_html *html, const struct hr_chart *chart, double width,
                           const char *class_name, GError **error)
{
    const struct hr_chart_space space = {.width = width, .text_size = TEXT_SIZE};
    HR_AUTO(hr_scene) scene = hr_chart_layout(html->renderer->fonts, chart, space);
    g_string_append_printf(html->out, "<div class=\"drawing %s\"", class_name);
    if (is_read_out(chart) && scene->x.domain_high > scene->x.domain_low) {
        g_string_append(html->out, " data-scale=\"");
        const double numbers[] = {scene->x.domain_low, scene->x.domain_high, scene->x.range_low,
                                  scene->x.range_high, scene->width};
        for (size_t i = 0; i < G_N_ELEMENTS(numbers); i++) {
            g_string_append(html->out, i ? " " : "");
            append_number(html->out, numbers[i]);
        }
        g_string_append_c(html->out, '"');
    }
    // What may scroll must be within the keyboard's reach.
    if (strcmp(class_name, "only") == 0) {
        g_string_append(html->out, " tabindex=\"0\" role=\"region\"");
        hr_html_append_attribute(html->out, "aria-label", chart->title);
    }
    g_string_append_c(html->out, '>');
    bool written = hr_svg_append_scene(scene, chart, NULL, html->out, error);
    g_string_append(html->out, "</div>\n");
    return written;
}

static bool append_drawings(struct hr_html *html, const struct hr_chart *chart, GError **error)
{
    if (chart->kind == HR_CHART_SPARKLINE) {
        return append_drawing(html, chart, SPARKLINE, "small", error);
    }
    if (!append_drawing(html, chart, WIDE, has_narrow(chart) ? "wide" : "only", error)) {
        return false;
    }
    if (!has_narrow(chart)) {
        return true;
    }
    // Names inside an SVG (patterns) are the page's, so the second drawing has another.
    g_autofree char *name = g_strconcat(chart->name, "-narrow", NULL);
    struct hr_chart narrow = *chart;
    narrow.name = name;
    return append_drawing(html, &narrow, NARROW, "narrow", error);
}

// The numbers behind the drawing, folded away. A call tree of long names would fill the page: what
// is cut is said.
static void append_csv(struct hr_html *html, const struct hr_chart *chart)
{
    g_autoptr(GString) csv = g_string_new(NULL);
    hr_chart_append_csv(chart, csv);
    g_auto(GStrv) lines = g_strsplit(csv->str, "\r\n", 0);
    g_string_append(html->out, "<details><summary>");
    hr_html_append_text(html->out, hr_document_word(html->document, "numbers"));
    g_string_append(html->out, "</summary><pre tabindex=\"0\">");
    const size_t end = html->out->len + CSV_MAX_BYTES;
    char **line = lines;
    for (; *line && html->out->len < end; line++) {
        hr_html_append_text(html->out, *line);
        g_string_append_c(html->out, '\n');
    }
    if (*line) {
        g_string_append_printf(html->out, "… %u ", g_strv_length(line) - 1);
        hr_html_append_text(html->out, hr_document_word(html->document, "more-rows"));
    }
    g_string_append(html->out, "</pre></details>\n");
}

bool hr_html_write_chart(struct hr_html *html, const struct hr_node *node, GError **error)
{
    const struct hr_chart *chart = node->chart;
    bool is_small = chart->kind == HR_CHART_SPARKLINE;
    g_string_append(html->out, is_small ? "<div class=\"sparkline\"" : "<figure class=\"chart\"");
    hr_html_append_attribute(html->out, "data-chart", chart->name);
    g_string_append(html->out, ">\n");
    if (!is_small) {
        g_string_append(html->out, "<figcaption><strong>");
        hr_html_append_text(html->out, chart->title ? chart->title : "");
        g_string_append(html->out, ".</strong> ");
        hr_html_append_text(html->out, chart->caption ? chart->caption : "");
        g_string_append(html->out, "</figcaption>\n");
    }
    if (!append_drawings(html, chart, error)) {
        return false;
    }
    if (!is_small) {
        append_csv(html, chart);
    }
    g_string_append(html->out, is_small ? "</div>\n" : "</figure>\n");
    if (is_read_out(chart)) {
        append_chart_numbers(html, chart);
    }
    return true;
}
