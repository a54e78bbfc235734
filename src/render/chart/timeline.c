// SPDX-License-Identifier: MIT
// Memory over time on one zero-based axis: what was measured as plain lines, what was sampled with
// its band, the dumps as a rug beneath, and what happened as verticals. Uses series and marks.
#include "render/chart/plot.h"

#include <math.h>

#define ASPECT 0.34
#define CLOSER 0.04
#define KEY_ASPECT 0.5
#define MARGIN 12.0
#define SERIES_MAX 12

static double label_width(struct hr_plot *plot)
{
    double width = 0;
    for (unsigned i = 0; i < plot->chart->series_count; i++) {
        const struct hr_chart_series *series = &plot->chart->series[i];
        unsigned last = 0;
        struct hr_point point;
        if (hr_plot_find_end(plot, series, &last, &point)) {
            struct hr_plot_label label = {0};
            hr_plot_name(plot, series->label, series->y[last], &label);
            width = fmax(width, hr_plot_label_width(plot, &label));
        }
    }
    return width;
}

// `key_top` is where the lines' names start beneath the plot; 0: they stand at the lines' ends.
static void draw_series(struct hr_plot *plot, double key_top)
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
            hr_plot_name(plot, series->label, series->y[last], &label);
            labels[labels_count++] = label;
        }
    }
    if (key_top > 0) {
        hr_plot_draw_key(plot, labels, labels_count, key_top);
    } else {
        hr_plot_draw_labels(plot, labels, labels_count);
    }
}

void hr_chart_layout_timeline(struct hr_plot *plot)
{
    const double line = hr_plot_line_height(plot);
    const double labels_width = label_width(plot);
    const bool has_key = hr_plot_is_narrow(plot);
    const double height =
        round(plot->space.width * (has_key ? KEY_ASPECT : ASPECT - CLOSER * plot->space.closeness));
    plot->scene->height = height + (has_key ? line * plot->chart->series_count : 0);
    plot->top = 2 * line + 6;
    plot->bottom = height - line - 9;
    plot->right = plot->space.width - (has_key ? MARGIN : labels_width + 22);
    struct hr_ticks ticks;
    hr_plot_fit_y(plot, hr_plot_find_high(plot->chart), &ticks);
    double low = 0;
    double high = 1;
    hr_plot_find_x(plot->chart, &low, &high);
    plot->x = (struct hr_scale){low, high, plot->left, plot->right};
    plot->top = hr_plot_count_mark_rows(plot) * line + 6;
    plot->y.range_high = plot->top;
    hr_plot_draw_y(plot, &ticks);
    hr_plot_draw_x(plot);
    hr_plot_draw_marks(plot);
    hr_plot_draw_dumps(plot);
    draw_series(plot, has_key ? height : 0);
}
