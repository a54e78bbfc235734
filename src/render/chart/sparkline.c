// SPDX-License-Identifier: MIT
// One series the size of a word: a line over its zero-based area with a dot at the end. Uses the
// first series.
#include "render/chart/plot.h"
#include "render/chart/trace.h"

#include <math.h>

#define ASPECT 0.2

static void draw_area(struct hr_plot *plot, const struct hr_chart_series *series)
{
    g_autoptr(GArray) points = g_array_new(FALSE, FALSE, sizeof(struct hr_point));
    unsigned next = 0;
    while (hr_trace_line(series, &plot->x, &plot->y, &next, points)) {
        const struct hr_point first = g_array_index(points, struct hr_point, 0);
        const struct hr_point last = g_array_index(points, struct hr_point, points->len - 1);
        const struct hr_point feet[] = {{last.x, plot->bottom}, {first.x, plot->bottom}};
        g_array_append_vals(points, feet, 2);
        hr_scene_path(
            plot->scene, (const struct hr_point *)(const void *)points->data, points->len, true,
            (struct hr_style){.fill = hr_theme_paint(series->colour), .fill_opacity = 0.2});
        g_array_set_size(points, 0);
    }
}

void hr_chart_layout_sparkline(struct hr_plot *plot)
{
    const struct hr_chart *chart = plot->chart;
    plot->scene->height = round(plot->space.width * ASPECT);
    plot->top = 2;
    plot->bottom = plot->scene->height - 1;
    double low = 0;
    double high = 1;
    if (chart->series_count == 0) {
        return;
    }
    hr_plot_find_x(chart, &low, &high);
    const struct hr_chart_series *series = &chart->series[0];
    double top = 0;
    for (unsigned i = 0; i < series->count; i++) {
        top = isfinite(series->y[i]) ? fmax(top, series->y[i]) : top;
    }
    plot->x = (struct hr_scale){low, high, 2, plot->space.width - 3};
    plot->y = (struct hr_scale){0, top > 0 ? top : 1, plot->bottom, plot->top};
    hr_scene_line(plot->scene, (struct hr_point){0, plot->bottom},
                  (struct hr_point){plot->space.width, plot->bottom},
                  (struct hr_style){.stroke = HR_PAINT_GRID, .line_width = 0.5});
    draw_area(plot, series);
    hr_plot_draw_line(plot, series, hr_theme_paint(series->colour), 1.1);
    unsigned last = 0;
    struct hr_point end;
    if (hr_plot_find_end(plot, series, &last, &end)) {
        hr_scene_rectangle(plot->scene, end.x - 1.5, end.y - 1.5, 3, 3,
                           (struct hr_style){.fill = hr_theme_paint(series->colour)});
    }
}
