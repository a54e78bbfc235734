// SPDX-License-Identifier: MIT
#include "render/chart/plot.h"

#include <math.h>
#include <string.h>

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

void hr_plot_draw_marks(struct hr_plot *plot)
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

void hr_plot_draw_dumps(struct hr_plot *plot)
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
