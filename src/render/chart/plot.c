// SPDX-License-Identifier: MIT
#include "render/chart/plot.h"

#include "base/format.h"
#include "render/chart/trace.h"
#include "render/printable.h"

#include <math.h>
#include <stdlib.h>

#define LINE_HEIGHT 1.35
#define SWATCH_WIDTH 9.0
#define LEADER_WIDTH 7.0
#define HEADROOM 1.04
#define NARROW_LETTERS 42 // times the size of the text
#define LABEL_GAP 4.0

double hr_plot_line_height(const struct hr_plot *plot)
{
    return plot->space.text_size * LINE_HEIGHT;
}

double hr_plot_measure(const struct hr_plot *plot, const char *text)
{
    return hr_fonts_measure(plot->fonts, HR_FONT_SANS, plot->space.text_size, text);
}

struct hr_scene_item *hr_plot_text(struct hr_plot *plot, double x, double y, const char *text,
                                   enum hr_anchor anchor, enum hr_paint paint)
{
    struct hr_scene_item *item =
        hr_scene_text(plot->scene, x, y, text, plot->space.text_size, anchor);
    item->style.fill = paint;
    return item;
}

char *hr_plot_printable(const struct hr_plot *plot, const char *text)
{
    return plot->space.paper ? hr_fonts_printable(plot->fonts, text ? text : "")
                             : hr_printable(text ? text : "");
}

void hr_plot_name(struct hr_plot *plot, const char *name, double bytes, struct hr_plot_label *label)
{
    g_autofree char *printable = hr_plot_printable(plot, name);
    label->name = hr_arena_strdup(plot->scene->arena, printable);
    label->value = hr_plot_value(plot, "live_bytes", bytes);
}

double hr_plot_label_width(const struct hr_plot *plot, const struct hr_plot_label *label)
{
    const double name = hr_plot_measure(plot, label->name);
    return (name > 0 ? name + LABEL_GAP : 0) + hr_plot_measure(plot, label->value);
}

char *hr_plot_value(struct hr_plot *plot, const char *key, double value)
{
    g_autoptr(GString) text = g_string_new(NULL);
    hr_format_append(text, key, value);
    return hr_arena_strdup(plot->scene->arena, text->str);
}

void hr_plot_find_x(const struct hr_chart *chart, double *low, double *high)
{
    *low = INFINITY;
    *high = -INFINITY;
    for (unsigned i = 0; i < chart->series_count; i++) {
        const struct hr_chart_series *series = &chart->series[i];
        for (unsigned k = 0; k < series->count; k++) {
            *low = isfinite(series->x[k]) ? fmin(*low, series->x[k]) : *low;
            *high = isfinite(series->x[k]) ? fmax(*high, series->x[k]) : *high;
        }
    }
    for (unsigned i = 0; i < chart->marks_count; i++) {
        const double x = chart->marks[i].x;
        *low = isfinite(x) ? fmin(*low, x) : *low;
        *high = isfinite(x) ? fmax(*high, x) : *high;
    }
    if (*low > *high) {
        *low = 0;
        *high = 1;
    }
}

double hr_plot_find_high(const struct hr_chart *chart)
{
    double high = 0;
    for (unsigned i = 0; i < chart->series_count; i++) {
        const struct hr_chart_series *series = &chart->series[i];
        for (unsigned k = 0; k < series->count; k++) {
            high = isfinite(series->y[k]) ? fmax(high, series->y[k]) : high;
            const bool band = series->sampled && series->high && isfinite(series->high[k]);
            high = band ? fmax(high, series->high[k]) : high;
        }
    }
    return high;
}

void hr_plot_fit_y(struct hr_plot *plot, double high, struct hr_ticks *ticks)
{
    const double height = plot->bottom - plot->top;
    const double wanted = floor(height / (1.8 * hr_plot_line_height(plot)));
    hr_ticks_bytes(high, (unsigned)fmax(3, fmin(5, wanted)), ticks);
    double width = 0;
    for (unsigned i = 0; i < ticks->count; i++) {
        width = fmax(width, hr_plot_measure(plot, ticks->label[i]));
    }
    plot->left = ceil(width) + 6;
    plot->y = (struct hr_scale){0, (high > 0 ? high : ticks->at[ticks->count - 1]) * HEADROOM,
                                plot->bottom, plot->top};
}

void hr_plot_draw_y(struct hr_plot *plot, const struct hr_ticks *ticks)
{
    hr_scene_begin(plot->scene, "hr-axis");
    for (unsigned i = 0; i < ticks->count; i++) {
        const double y = hr_scale_apply(&plot->y, ticks->at[i]);
        const struct hr_style style = {.stroke = i == 0 ? HR_PAINT_RULE : HR_PAINT_GRID,
                                       .line_width = i == 0 ? 0.75 : 0.5};
        hr_scene_line(plot->scene, (struct hr_point){plot->left, y},
                      (struct hr_point){plot->right, y}, style);
        hr_plot_text(plot, plot->left - 5, y + plot->space.text_size * 0.35, ticks->label[i],
                     HR_ANCHOR_END, HR_PAINT_MUTED);
    }
    hr_scene_end(plot->scene);
}

void hr_plot_draw_x(struct hr_plot *plot)
{
    struct hr_ticks ticks;
    const double width = plot->right - plot->left;
    const double wanted = fmax(2, fmin(10, floor(width / (plot->space.text_size * 7))));
    if (plot->chart->x_is_time) {
        hr_ticks_elapsed(plot->x.domain_low, plot->x.domain_high, (unsigned)wanted, &ticks);
    } else {
        hr_ticks_sequence(plot->x.domain_low, plot->x.domain_high, (unsigned)wanted, &ticks);
    }
    hr_scene_begin(plot->scene, "hr-axis");
    const double baseline = plot->bottom + plot->space.text_size * 1.1 + 7;
    for (unsigned i = 0; i < ticks.count; i++) {
        const double x = hr_scale_apply(&plot->x, ticks.at[i]);
        hr_scene_line(plot->scene, (struct hr_point){x, plot->bottom},
                      (struct hr_point){x, plot->bottom + 4},
                      (struct hr_style){.stroke = HR_PAINT_RULE, .line_width = 0.75});
        g_autofree char *label = plot->chart->x_is_time ? g_strdup(ticks.label[i])
                                                        : g_strconcat("#", ticks.label[i], NULL);
        hr_plot_text(plot, x, baseline, label, HR_ANCHOR_MIDDLE, HR_PAINT_MUTED);
    }
    hr_scene_end(plot->scene);
}

void hr_plot_draw_band(struct hr_plot *plot, const struct hr_chart_series *series,
                       enum hr_paint paint)
{
    const struct hr_style style = {.fill = paint, .fill_opacity = 0.18};
    g_autoptr(GArray) points = g_array_new(FALSE, FALSE, sizeof(struct hr_point));
    unsigned next = 0;
    while (hr_trace_band(series, &plot->x, &plot->y, &next, points)) {
        hr_scene_path(plot->scene, (const struct hr_point *)(const void *)points->data, points->len,
                      true, style);
        g_array_set_size(points, 0);
    }
}

void hr_plot_draw_line(struct hr_plot *plot, const struct hr_chart_series *series,
                       enum hr_paint paint, double line_width)
{
    const struct hr_style style = {.stroke = paint, .line_width = line_width};
    g_autoptr(GArray) points = g_array_new(FALSE, FALSE, sizeof(struct hr_point));
    unsigned next = 0;
    while (hr_trace_line(series, &plot->x, &plot->y, &next, points)) {
        const struct hr_point *first = (const struct hr_point *)(const void *)points->data;
        if (points->len == 1) {
            hr_scene_rectangle(plot->scene, first->x - line_width, first->y - line_width,
                               2 * line_width, 2 * line_width, (struct hr_style){.fill = paint});
        } else {
            hr_scene_path(plot->scene, first, points->len, false, style);
        }
        g_array_set_size(points, 0);
    }
}

bool hr_plot_find_end(const struct hr_plot *plot, const struct hr_chart_series *series,
                      unsigned *index, struct hr_point *point)
{
    for (unsigned i = series->count; i > 0; i--) {
        if (isfinite(series->y[i - 1]) && isfinite(series->x[i - 1])) {
            *index = i - 1;
            point->x = hr_scale_apply(&plot->x, series->x[i - 1]);
            point->y = hr_scale_apply(&plot->y, series->y[i - 1]);
            return true;
        }
    }
    return false;
}

static int compare_labels(const void *a, const void *b)
{
    const struct hr_plot_label *first = a;
    const struct hr_plot_label *second = b;
    return (first->from.y > second->from.y) - (first->from.y < second->from.y);
}

void hr_plot_place_labels(struct hr_plot_label *labels, unsigned count, double gap, double low,
                          double high)
{
    if (count == 0) {
        return;
    }
    qsort(labels, count, sizeof *labels, compare_labels);
    for (unsigned i = 0; i < count; i++) {
        labels[i].y = fmax(labels[i].from.y, i == 0 ? low : labels[i - 1].y + gap);
    }
    // what was pushed beyond the end pushes back
    double limit = high;
    for (unsigned i = count; i > 0 && labels[i - 1].y > limit; i--) {
        labels[i - 1].y = limit;
        limit -= gap;
    }
}

static void draw_words(struct hr_plot *plot, const struct hr_plot_label *label, double x)
{
    const double baseline = label->y + plot->space.text_size * 0.35;
    if (*label->name) {
        hr_plot_text(plot, x, baseline, label->name, HR_ANCHOR_START, HR_PAINT_INK);
        x += hr_plot_measure(plot, label->name) + LABEL_GAP;
    }
    hr_plot_text(plot, x, baseline, label->value, HR_ANCHOR_START, HR_PAINT_INK);
}

void hr_plot_draw_labels(struct hr_plot *plot, struct hr_plot_label *labels, unsigned count)
{
    const double gap = hr_plot_line_height(plot);
    hr_plot_place_labels(labels, count, gap, plot->top, plot->bottom - gap * 0.2);
    hr_scene_begin(plot->scene, "hr-labels");
    for (unsigned i = 0; i < count; i++) {
        const struct hr_plot_label *label = &labels[i];
        if (label->from.x < plot->right - 1) {
            hr_scene_line(plot->scene, label->from, (struct hr_point){plot->right, label->from.y},
                          (struct hr_style){
                              .stroke = label->paint, .line_width = 0.5, .dash = HR_DASH_DOTTED});
        }
        const struct hr_point leader[] = {
            {plot->right + 1, label->from.y},
            {plot->right + LEADER_WIDTH, label->y},
            {plot->right + LEADER_WIDTH + SWATCH_WIDTH, label->y},
        };
        hr_scene_path(plot->scene, leader, 2, false,
                      (struct hr_style){.stroke = label->paint, .line_width = 0.6});
        hr_scene_path(plot->scene, leader + 1, 2, false,
                      (struct hr_style){.stroke = label->paint, .line_width = 2});
        draw_words(plot, label, plot->right + LEADER_WIDTH + SWATCH_WIDTH + 4);
    }
    hr_scene_end(plot->scene);
}

bool hr_plot_is_narrow(const struct hr_plot *plot)
{
    return plot->space.width < NARROW_LETTERS * plot->space.text_size;
}

void hr_plot_draw_key(struct hr_plot *plot, struct hr_plot_label *labels, unsigned count,
                      double top)
{
    const double line = hr_plot_line_height(plot);
    qsort(labels, count, sizeof *labels, compare_labels);
    hr_scene_begin(plot->scene, "hr-labels");
    for (unsigned i = 0; i < count; i++) {
        labels[i].y = top + line * (i + 0.5);
        hr_scene_line(plot->scene, (struct hr_point){0, labels[i].y},
                      (struct hr_point){2 * SWATCH_WIDTH, labels[i].y},
                      (struct hr_style){.stroke = labels[i].paint, .line_width = 2.5});
        draw_words(plot, &labels[i], 2 * SWATCH_WIDTH + 6);
    }
    hr_scene_end(plot->scene);
}
