// SPDX-License-Identifier: MIT
// Live bytes by object size: base and final side by side in each bucket, from zero. Uses bars with
// their bounds.
#include "render/chart/plot.h"

#include "base/format.h"

#include <math.h>

#define ASPECT 0.26

static double highest(const struct hr_chart *chart)
{
    double high = 0;
    for (unsigned i = 0; i < chart->bars_count; i++) {
        high = isfinite(chart->bars[i].base) ? fmax(high, chart->bars[i].base) : high;
        high = isfinite(chart->bars[i].final) ? fmax(high, chart->bars[i].final) : high;
    }
    return high;
}

static void draw_bar(struct hr_plot *plot, double x, double width, double value,
                     struct hr_style style)
{
    if (isfinite(value) && value > 0) {
        const double y = hr_scale_apply(&plot->y, value);
        hr_scene_rectangle(plot->scene, x, y, width, plot->bottom - y, style);
    }
}

// Labels stand under the bucket's lower edge as often as they have room.
static void draw_bucket(struct hr_plot *plot, const struct hr_chart_bar *bar, double x, double step,
                        double *label_end)
{
    const double width = fmin(step * 0.4, 18);
    struct hr_scene_item *group = hr_scene_begin(plot->scene, "hr-bucket");
    g_autoptr(GString) title = g_string_new(NULL);
    hr_format_append(title, "from_bytes", bar->from);
    g_string_append(title, " – ");
    hr_format_append(title, "to_bytes", bar->to);
    g_string_append(title, ": ");
    hr_format_append(title, "base_bytes", bar->base);
    g_string_append(title, " → ");
    hr_format_append(title, "final_bytes", bar->final);
    group->title = hr_arena_strdup(plot->scene->arena, title->str);
    const enum hr_paint paint = hr_theme_paint(HR_COLOUR_HEAP);
    draw_bar(plot, x + step / 2 - width, width - 0.5, bar->base,
             (struct hr_style){.fill = paint, .fill_opacity = 0.35});
    draw_bar(plot, x + step / 2, width, bar->final, (struct hr_style){.fill = paint});
    hr_scene_end(plot->scene);
    const char *label = hr_plot_value(plot, "from_bytes", bar->from);
    const double left = x + step / 2 - hr_plot_measure(plot, label) / 2;
    if (left > *label_end + 6) {
        hr_plot_text(plot, left, plot->bottom + plot->space.text_size * 1.1 + 4, label,
                     HR_ANCHOR_START, HR_PAINT_MUTED);
        *label_end = left + hr_plot_measure(plot, label);
    }
}

void hr_chart_layout_histogram(struct hr_plot *plot)
{
    const struct hr_chart *chart = plot->chart;
    plot->scene->height = round(plot->space.width * ASPECT);
    plot->top = 6;
    plot->bottom = plot->scene->height - hr_plot_line_height(plot) - 6;
    plot->right = plot->space.width;
    struct hr_ticks ticks;
    hr_plot_fit_y(plot, highest(chart), &ticks);
    hr_plot_draw_y(plot, &ticks);
    const double step = (plot->right - plot->left) / fmax(1, chart->bars_count);
    double label_end = -10;
    for (unsigned i = 0; i < chart->bars_count; i++) {
        draw_bucket(plot, &chart->bars[i], plot->left + step * i, step, &label_end);
    }
}
