// SPDX-License-Identifier: MIT
// Memory over time on one zero-based axis: what was measured as plain lines, what was sampled with
// its band, the dumps as a rug beneath, and what happened as verticals. Uses series and marks.
#include "render/chart/plot.h"

#include <math.h>
#include <string.h>

#define ASPECT 0.36
#define SERIES_MAX 12

static bool is_kind(const struct hr_chart_mark *mark, const char *kind)
{
    return strcmp(mark->kind, kind) == 0;
}

static struct hr_style mark_style(const struct hr_chart_mark *mark)
{
    if (is_kind(mark, "third")) {
        return (struct hr_style){
            .stroke = HR_PAINT_GRID, .line_width = 0.75, .dash = HR_DASH_DASHED};
    }
    if (is_kind(mark, "break") || is_kind(mark, "teardown")) {
        return (struct hr_style){
            .stroke = HR_PAINT_WARNING, .line_width = 0.9, .dash = HR_DASH_DASHED};
    }
    if (is_kind(mark, "peak")) {
        return (struct hr_style){
            .stroke = HR_PAINT_MUTED, .line_width = 0.6, .dash = HR_DASH_DOTTED};
    }
    return (struct hr_style){.stroke = HR_PAINT_INK, .line_width = 0.75};
}

// Labels above the plot, in two rows; one that finds no room in either is left to its title.
static void draw_mark_label(struct hr_plot *plot, const struct hr_chart_mark *mark, double x,
                            double row_ends[2])
{
    const double width = hr_plot_measure(plot, mark->label);
    double left = fmin(fmax(x - width / 2, plot->left), plot->space.width - width);
    for (int row = 0; row < 2; row++) {
        if (left < row_ends[row] + 5) {
            continue;
        }
        const double y = plot->top - 4 - row * hr_plot_line_height(plot);
        const bool loud = is_kind(mark, "break") || is_kind(mark, "teardown");
        hr_plot_text(plot, left, y, mark->label, HR_ANCHOR_START,
                     loud ? HR_PAINT_WARNING : HR_PAINT_MUTED);
        row_ends[row] = left + width;
        return;
    }
}

static void draw_marks(struct hr_plot *plot)
{
    const struct hr_chart *chart = plot->chart;
    double row_ends[2] = {-10, -10};
    hr_scene_begin(plot->scene, "hr-marks");
    for (unsigned i = 0; i < chart->marks_count; i++) {
        const struct hr_chart_mark *mark = &chart->marks[i];
        if (is_kind(mark, "dump") || !isfinite(mark->x)) {
            continue;
        }
        const double x = hr_scale_apply(&plot->x, mark->x);
        struct hr_scene_item *item =
            hr_scene_line(plot->scene, (struct hr_point){x, plot->top - 2},
                          (struct hr_point){x, plot->bottom}, mark_style(mark));
        if (mark->label) {
            item->title = hr_arena_strdup(plot->scene->arena, mark->label);
            draw_mark_label(plot, mark, x, row_ends);
        }
    }
    hr_scene_end(plot->scene);
}

// One tick a dump, as far as they can be told apart.
static void draw_dumps(struct hr_plot *plot)
{
    const struct hr_chart *chart = plot->chart;
    double last = -INFINITY;
    hr_scene_begin(plot->scene, "hr-dumps");
    for (unsigned i = 0; i < chart->marks_count; i++) {
        if (!is_kind(&chart->marks[i], "dump") || !isfinite(chart->marks[i].x)) {
            continue;
        }
        const double x = hr_scale_apply(&plot->x, chart->marks[i].x);
        if (fabs(x - last) < 0.6) {
            continue;
        }
        hr_scene_line(plot->scene, (struct hr_point){x, plot->bottom - 4},
                      (struct hr_point){x, plot->bottom},
                      (struct hr_style){.stroke = HR_PAINT_MUTED, .line_width = 0.5});
        last = x;
    }
    hr_scene_end(plot->scene);
}

static double label_width(struct hr_plot *plot)
{
    double width = 0;
    for (unsigned i = 0; i < plot->chart->series_count; i++) {
        const struct hr_chart_series *series = &plot->chart->series[i];
        unsigned last = 0;
        struct hr_point point;
        if (hr_plot_find_end(plot, series, &last, &point)) {
            const char *text = hr_plot_name_value(plot, series->label, series->y[last]);
            width = fmax(width, hr_plot_measure(plot, text));
        }
    }
    return width;
}

static void draw_series(struct hr_plot *plot)
{
    const struct hr_chart *chart = plot->chart;
    struct hr_plot_label labels[SERIES_MAX];
    unsigned labels_count = 0;
    for (unsigned i = 0; i < chart->series_count; i++) {
        const struct hr_chart_series *series = &chart->series[i];
        const enum hr_paint paint = hr_theme_paint(series->colour);
        struct hr_scene_item *group = hr_scene_begin(plot->scene, "hr-series");
        group->index = (int)i;
        group->title = series->label ? hr_arena_strdup(plot->scene->arena, series->label) : NULL;
        if (series->sampled) {
            hr_plot_draw_band(plot, series, paint);
        }
        hr_plot_draw_line(plot, series, paint, series->sampled ? 1.6 : 1.2);
        hr_scene_end(plot->scene);
        struct hr_plot_label label = {.paint = paint};
        unsigned last = 0;
        if (labels_count < SERIES_MAX && hr_plot_find_end(plot, series, &last, &label.from)) {
            label.text = hr_plot_name_value(plot, series->label, series->y[last]);
            labels[labels_count++] = label;
        }
    }
    hr_plot_draw_labels(plot, labels, labels_count);
}

void hr_chart_layout_timeline(struct hr_plot *plot)
{
    const double line = hr_plot_line_height(plot);
    plot->scene->height = round(plot->space.width * ASPECT);
    plot->top = 2 * line + 6;
    plot->bottom = plot->scene->height - line - 9;
    plot->right = plot->space.width - label_width(plot) - 22;
    struct hr_ticks ticks;
    hr_plot_fit_y(plot, hr_plot_find_high(plot->chart), &ticks);
    double low = 0;
    double high = 1;
    hr_plot_find_x(plot->chart, &low, &high);
    plot->x = (struct hr_scale){low, high, plot->left, plot->right};
    hr_plot_draw_y(plot, &ticks);
    hr_plot_draw_x(plot);
    draw_marks(plot);
    draw_dumps(plot);
    draw_series(plot);
}
