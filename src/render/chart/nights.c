// SPDX-License-Identifier: MIT
// What each night added: a column up or down from zero with the interval of the estimate as a
// whisker. A column whose interval holds zero is hollow. Uses bars.
#include "render/chart/plot.h"

#include "base/format.h"

#include <math.h>
#include <string.h>

#define ASPECT 0.2
#define COLUMN_SHARE 0.62
#define COLUMN_WIDTH_MAX 26.0
#define HEADROOM 1.04

static void widen(double *low, double *high, double value)
{
    if (isfinite(value)) {
        *low = fmin(*low, value);
        *high = fmax(*high, value);
    }
}

static void find_extent(const struct hr_chart *chart, double *low, double *high)
{
    *low = *high = 0;
    for (unsigned i = 0; i < chart->bars_count; i++) {
        const struct hr_estimate growth = chart->bars[i].growth;
        widen(low, high, growth.value);
        widen(low, high, growth.low);
        widen(low, high, growth.high);
    }
    *high = *low == *high ? *high + 1 : *high;
}

static void add_tick(struct hr_ticks *ticks, double at, const char *sign, const char *label)
{
    if (ticks->count < HR_TICKS_MAX) {
        ticks->at[ticks->count] = at;
        g_snprintf(ticks->label[ticks->count], sizeof ticks->label[0], "%s%s", sign, label);
        ticks->count++;
    }
}

// Zero, then what lies above it, then what lies below: all signed.
static void find_ticks(double low, double high, unsigned wanted, struct hr_ticks *ticks)
{
    struct hr_ticks one_side;
    hr_ticks_bytes(fmax(high, -low), wanted, &one_side);
    ticks->count = 0;
    add_tick(ticks, 0, "", one_side.label[0]);
    for (unsigned i = 1; i < one_side.count; i++) {
        if (one_side.at[i] <= high) {
            add_tick(ticks, one_side.at[i], "+", one_side.label[i]);
        }
        if (one_side.at[i] <= -low) {
            add_tick(ticks, -one_side.at[i], "\u2212", one_side.label[i]);
        }
    }
}

static void fit_y(struct hr_plot *plot, struct hr_ticks *ticks)
{
    double low = 0;
    double high = 0;
    find_extent(plot->chart, &low, &high);
    const double wanted = floor((plot->bottom - plot->top) / (1.8 * hr_plot_line_height(plot)));
    find_ticks(low, high, (unsigned)fmax(2, fmin(5, wanted * fmax(high, -low) / (high - low))),
               ticks);
    double width = 0;
    for (unsigned i = 0; i < ticks->count; i++) {
        width = fmax(width, hr_plot_measure(plot, ticks->label[i]));
    }
    plot->left = ceil(width) + 6;
    plot->y = (struct hr_scale){low * HEADROOM, high * HEADROOM, plot->bottom, plot->top};
}

static void draw_whisker(struct hr_plot *plot, const struct hr_estimate *growth, double x,
                         double width)
{
    const struct hr_style style = {.stroke = HR_PAINT_INK, .line_width = 0.75};
    if (!isfinite(growth->low) || !isfinite(growth->high) || growth->low == growth->high) {
        return;
    }
    const double ends[] = {hr_scale_apply(&plot->y, growth->low),
                           hr_scale_apply(&plot->y, growth->high)};
    const double half = fmin(3, width / 2);
    hr_scene_line(plot->scene, (struct hr_point){x, ends[0]}, (struct hr_point){x, ends[1]}, style);
    for (size_t i = 0; i < G_N_ELEMENTS(ends); i++) {
        hr_scene_line(plot->scene, (struct hr_point){x - half, ends[i]},
                      (struct hr_point){x + half, ends[i]}, style);
    }
}

static void draw_night(struct hr_plot *plot, const struct hr_chart_bar *bar, double x, double width)
{
    const struct hr_estimate growth = bar->growth;
    if (!isfinite(growth.value)) {
        return; // a night that was not measured is a gap
    }
    g_autoptr(GString) title = g_string_new(bar->label);
    g_string_append(title, ": ");
    hr_format_append_estimate(title, "growth_bytes", growth, true);
    hr_scene_begin(plot->scene, "hr-night")->title =
        hr_arena_strdup(plot->scene->arena, title->str);
    const double zero = hr_scale_apply(&plot->y, 0);
    const double end = hr_scale_apply(&plot->y, growth.value);
    const enum hr_paint paint = growth.value < 0 ? HR_PAINT_SHRANK_2 : HR_PAINT_GREW_2;
    const bool is_sure = !(growth.low <= 0 && growth.high >= 0 && growth.low < growth.high);
    const struct hr_style style = {
        .fill = is_sure ? paint : HR_PAINT_PAPER, .stroke = paint, .line_width = is_sure ? 0 : 1};
    hr_scene_rectangle(plot->scene, x - width / 2, fmin(zero, end), width,
                       fmax(fabs(end - zero), 0.5), style);
    draw_whisker(plot, &growth, x, width);
    hr_scene_end(plot->scene);
}

// Days beneath, as many as have room; the month and the day alone where one year holds all.
static void draw_days(struct hr_plot *plot, double step)
{
    const struct hr_chart *chart = plot->chart;
    const char *first = chart->bars_count > 0 ? chart->bars[0].label : "";
    const char *last = chart->bars_count > 0 ? chart->bars[chart->bars_count - 1].label : "";
    const bool one_year = strlen(first) == 10 && strncmp(first, last, 5) == 0;
    double label_end = -INFINITY;
    hr_scene_begin(plot->scene, "hr-axis");
    for (unsigned i = 0; i < chart->bars_count; i++) {
        const char *label = chart->bars[i].label + (one_year ? 5 : 0);
        const double width = hr_plot_measure(plot, label);
        const double x = plot->left + step * (i + 0.5);
        if (x - width / 2 > label_end + 8 && x + width / 2 <= plot->space.width) {
            hr_plot_text(plot, x, plot->bottom + plot->space.text_size * 1.1 + 6, label,
                         HR_ANCHOR_MIDDLE, HR_PAINT_MUTED);
            label_end = x + width / 2;
        }
    }
    hr_scene_end(plot->scene);
}

void hr_chart_layout_nights(struct hr_plot *plot)
{
    const struct hr_chart *chart = plot->chart;
    plot->scene->height = round(plot->space.width * ASPECT);
    plot->top = 6;
    plot->bottom = plot->scene->height - hr_plot_line_height(plot) - 8;
    plot->right = plot->space.width;
    struct hr_ticks ticks;
    fit_y(plot, &ticks);
    hr_plot_draw_y(plot, &ticks);
    const double step = (plot->right - plot->left) / fmax(1, chart->bars_count);
    const double width = fmin(step * COLUMN_SHARE, COLUMN_WIDTH_MAX);
    for (unsigned i = 0; i < chart->bars_count; i++) {
        draw_night(plot, &chart->bars[i], plot->left + step * (i + 0.5), width);
    }
    draw_days(plot, step);
}
