// SPDX-License-Identifier: MIT
// Suspects stacked over time from zero, the first series at the bottom, each named at its end. Uses
// series, which share one x; a moment at which any of them is unknown is a gap.
#include "render/chart/plot.h"
#include "render/shorten.h"

#include <math.h>

#define DENSE_ROOM 3.0 // between two points
#define KEY_ASPECT 0.5
#define KEY_MARGIN 12.0
#define ASPECT 0.32
#define LAYERS_MAX 9
#define LABEL_SHARE_MAX 0.34

// Cumulated values: levels[layer * count + i] is the upper edge of `layer` at point i, NAN in a
// gap.
struct stack {
    unsigned layers;
    unsigned count;
    double *levels;
    double high;
};

static struct stack stack_new(const struct hr_chart *chart)
{
    struct stack stack = {.layers = MIN(chart->series_count, LAYERS_MAX)};
    stack.count = stack.layers ? chart->series[0].count : 0;
    for (unsigned layer = 0; layer < stack.layers; layer++) {
        stack.count = MIN(stack.count, chart->series[layer].count);
    }
    stack.levels = g_new0(double, (gsize)stack.layers *stack.count + 1);
    for (unsigned i = 0; i < stack.count; i++) {
        double level = 0;
        for (unsigned layer = 0; layer < stack.layers; layer++) {
            level += fmax(chart->series[layer].y[i], isnan(chart->series[layer].y[i]) ? NAN : 0);
            level = isnan(chart->series[layer].y[i]) ? NAN : level;
            stack.levels[layer * stack.count + i] = level;
        }
        for (unsigned layer = 0; isnan(level) && layer < stack.layers; layer++) {
            stack.levels[layer * stack.count + i] = NAN;
        }
        stack.high = isfinite(level) ? fmax(stack.high, level) : stack.high;
    }
    return stack;
}

static double level_y(const struct hr_plot *plot, const struct stack *stack, int layer, unsigned i)
{
    return hr_scale_apply(&plot->y,
                          layer < 0 ? 0 : stack->levels[(unsigned)layer * stack->count + i]);
}

// One polygon a run of known points, from `first` to before `end`.
static void draw_run(struct hr_plot *plot, const struct stack *stack, unsigned layer,
                     unsigned first, unsigned end)
{
    const struct hr_chart_series *series = &plot->chart->series[layer];
    const unsigned count = end - first;
    g_autofree struct hr_point *points = g_new(struct hr_point, 2 * (gsize)count);
    for (unsigned i = 0; i < count; i++) {
        const double x = hr_scale_apply(&plot->x, series->x[first + i]);
        points[i] = (struct hr_point){x, level_y(plot, stack, (int)layer, first + i)};
        points[2 * count - 1 - i] =
            (struct hr_point){x, level_y(plot, stack, (int)layer - 1, first + i)};
    }
    struct hr_scene_item *item =
        hr_scene_path(plot->scene, points, 2 * count, true,
                      (struct hr_style){.fill = hr_theme_paint(series->colour)});
    item->title = series->label ? hr_arena_strdup(plot->scene->arena, series->label) : NULL;
    item->index = (int)layer;
    // parts the layers where colours do not; not above the last, whose peaks it would cut
    if (layer + 1 < stack->layers) {
        const double room = (plot->right - plot->left) / fmax(1, stack->count);
        hr_scene_path(plot->scene, points, count, false,
                      (struct hr_style){.stroke = HR_PAINT_PAPER,
                                        .line_width = room > DENSE_ROOM ? 0.75 : 0.4});
    }
}

static void draw_layer(struct hr_plot *plot, const struct stack *stack, unsigned layer)
{
    unsigned first = 0;
    while (first < stack->count) {
        unsigned end = first;
        while (end < stack->count && isfinite(stack->levels[layer * stack->count + end])) {
            end++;
        }
        if (end > first) {
            draw_run(plot, stack, layer, first, end);
        }
        first = end + 1;
    }
}

static bool find_last(const struct stack *stack, unsigned *last)
{
    for (unsigned i = stack->count; i > 0; i--) {
        if (isfinite(stack->levels[i - 1])) {
            *last = i - 1;
            return true;
        }
    }
    return false;
}

static void name_layer(struct hr_plot *plot, unsigned layer, double bytes,
                       struct hr_plot_label *label)
{
    const struct hr_chart_series *series = &plot->chart->series[layer];
    hr_plot_name(plot, series->label, bytes, label);
    const double room = plot->space.width * (hr_plot_is_narrow(plot) ? 1 : LABEL_SHARE_MAX) -
                        hr_plot_measure(plot, label->value) - 30;
    g_autofree char *name =
        hr_shorten(plot->fonts, HR_FONT_SANS, plot->space.text_size, label->name, room);
    label->name = hr_arena_strdup(plot->scene->arena, name ? name : "");
}

static unsigned make_labels(struct hr_plot *plot, const struct stack *stack,
                            struct hr_plot_label labels[LAYERS_MAX], double *width)
{
    unsigned last = 0;
    if (!find_last(stack, &last)) {
        return 0;
    }
    for (unsigned layer = 0; layer < stack->layers; layer++) {
        const struct hr_chart_series *series = &plot->chart->series[layer];
        name_layer(plot, layer, series->y[last], &labels[layer]);
        labels[layer].paint = hr_theme_paint(series->colour);
        *width = fmax(*width, hr_plot_label_width(plot, &labels[layer]));
    }
    return stack->layers;
}

static void place_ends(struct hr_plot *plot, const struct stack *stack,
                       struct hr_plot_label *labels)
{
    unsigned last = 0;
    if (!find_last(stack, &last)) {
        return;
    }
    for (unsigned layer = 0; layer < stack->layers; layer++) {
        const double upper = level_y(plot, stack, (int)layer, last);
        const double lower = level_y(plot, stack, (int)layer - 1, last);
        labels[layer].from.x = hr_scale_apply(&plot->x, plot->chart->series[layer].x[last]);
        labels[layer].from.y = (upper + lower) / 2;
    }
}

void hr_chart_layout_area(struct hr_plot *plot)
{
    struct stack stack = stack_new(plot->chart);
    struct hr_plot_label labels[LAYERS_MAX] = {0};
    double width = 0;
    const unsigned count = make_labels(plot, &stack, labels, &width);
    const double line = hr_plot_line_height(plot);
    const bool has_key = hr_plot_is_narrow(plot);
    const double height = round(plot->space.width * (has_key ? KEY_ASPECT : ASPECT));
    plot->scene->height = height + (has_key ? line * count : 0);
    plot->top = 6;
    plot->bottom = height - line - 9;
    plot->right = plot->space.width - (has_key ? KEY_MARGIN : width + 22);
    struct hr_ticks ticks;
    hr_plot_fit_y(plot, stack.high, &ticks);
    double low = 0;
    double high = 1;
    hr_plot_find_x(plot->chart, &low, &high);
    plot->x = (struct hr_scale){low, high, plot->left, plot->right};
    hr_plot_draw_y(plot, &ticks);
    for (unsigned layer = 0; layer < stack.layers; layer++) {
        draw_layer(plot, &stack, layer);
    }
    hr_plot_draw_x(plot);
    place_ends(plot, &stack, labels);
    if (has_key) {
        hr_plot_draw_key(plot, labels, count, height);
    } else {
        hr_plot_draw_labels(plot, labels, count);
    }
    g_free(stack.levels);
}
