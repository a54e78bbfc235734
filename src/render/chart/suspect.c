// SPDX-License-Identifier: MIT
// One suspect over time with its band, on axes of its own. Uses the series (the first is the
// suspect) and the marks.
#include "render/chart/plot.h"

#include <math.h>

#define ASPECT 0.17
#define LINES_MIN 8 // a telephone's chart keeps its shape and its labels apart

void hr_chart_layout_suspect(struct hr_plot *plot)
{
    const struct hr_chart *chart = plot->chart;
    const double line = hr_plot_line_height(plot);
    plot->scene->height = round(fmax(plot->space.width * ASPECT, LINES_MIN * line));
    plot->top = line + 4;
    plot->bottom = plot->scene->height - line - 9;
    struct hr_ticks ticks;
    hr_plot_fit_y(plot, hr_plot_find_high(chart), &ticks);
    struct hr_plot_label label = {0};
    unsigned last = 0;
    const bool any =
        chart->series_count > 0 && hr_plot_find_end(plot, &chart->series[0], &last, &label.from);
    if (any) {
        hr_plot_name(plot, NULL, chart->series[0].y[last], &label);
    }
    plot->right = plot->space.width - (any ? hr_plot_label_width(plot, &label) + 24 : 4);
    double low = 0;
    double high = 1;
    hr_plot_find_x(chart, &low, &high);
    plot->x = (struct hr_scale){low, high, plot->left, plot->right};
    plot->top = hr_plot_count_mark_rows(plot) * line + 6;
    plot->y.range_high = plot->top;
    hr_plot_draw_y(plot, &ticks);
    hr_plot_draw_x(plot);
    hr_plot_draw_marks(plot);
    hr_plot_draw_dumps(plot);
    for (unsigned i = chart->series_count; i > 0; i--) {
        const struct hr_chart_series *series = &chart->series[i - 1];
        const enum hr_paint paint = hr_theme_paint(series->colour);
        if (series->sampled) {
            hr_plot_draw_band(plot, series, paint);
        }
        hr_plot_draw_line(plot, series, paint, 1.6);
    }
    if (any) {
        hr_plot_find_end(plot, &chart->series[0], &last, &label.from);
        label.paint = hr_theme_paint(chart->series[0].colour);
        hr_plot_draw_labels(plot, &label, 1);
    }
}
