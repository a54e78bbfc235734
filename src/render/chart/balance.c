// SPDX-License-Identifier: MIT
// The balance sheet as bars: a row a part, base above final, both from zero, with the values at the
// longer bar's end and the growth in a column of its own. Uses bars.
#include "render/chart/plot.h"

#include "base/format.h"
#include "render/shorten.h"

#include <math.h>

#define ROW_LINES 2.2
#define CLOSER 0.1
#define LABEL_SHARE_MAX 0.4
#define WORDS_LINES 1.4
#define WORDS_INDENT 4.0
#define BOLDER 1.06

static char *growth_text(struct hr_plot *plot, const struct hr_chart_bar *bar)
{
    g_autoptr(GString) text = g_string_new(NULL);
    hr_format_append_estimate(text, "growth_bytes", bar->growth, true);
    return hr_arena_strdup(plot->scene->arena, text->str);
}

static double widest_growth(struct hr_plot *plot)
{
    double width = 0;
    for (unsigned i = 0; i < plot->chart->bars_count; i++) {
        width = fmax(width, hr_plot_measure(plot, growth_text(plot, &plot->chart->bars[i])));
    }
    return width;
}

// "85 MiB → 181 MiB".
static char *change_text(struct hr_plot *plot, const struct hr_chart_bar *bar)
{
    return hr_arena_printf(plot->scene->arena, "%s → %s", hr_plot_value(plot, "bytes", bar->base),
                           hr_plot_value(plot, "bytes", bar->final));
}

static double widest_label(struct hr_plot *plot)
{
    double width = 0;
    for (unsigned i = 0; i < plot->chart->bars_count; i++) {
        g_autofree char *label = hr_plot_printable(plot, plot->chart->bars[i].label);
        width = fmax(width, hr_plot_measure(plot, label));
    }
    return fmin(width, plot->space.width * LABEL_SHARE_MAX);
}

static double widest_value(struct hr_plot *plot, double *high)
{
    double width = 0;
    for (unsigned i = 0; i < plot->chart->bars_count; i++) {
        const struct hr_chart_bar *bar = &plot->chart->bars[i];
        width = fmax(width, hr_plot_measure(plot, change_text(plot, bar)));
        *high = isfinite(bar->base) ? fmax(*high, bar->base) : *high;
        *high = isfinite(bar->final) ? fmax(*high, bar->final) : *high;
    }
    return width;
}

static void draw_bar(struct hr_plot *plot, double value, double y, double height,
                     struct hr_style style)
{
    if (isfinite(value) && value > 0) {
        hr_scene_rectangle(plot->scene, plot->left, y, hr_scale_apply(&plot->x, value) - plot->left,
                           height, style);
    }
}

// Where there is no room beside them, the bars stand under their words.
static double bars_offset(const struct hr_plot *plot)
{
    return hr_plot_is_narrow(plot) ? plot->space.text_size * WORDS_LINES : 0;
}

static void draw_label(struct hr_plot *plot, const struct hr_chart_bar *bar, double baseline)
{
    const double growth = hr_plot_measure(plot, growth_text(plot, bar)) * BOLDER;
    const double x = hr_plot_is_narrow(plot) ? plot->left + WORDS_INDENT : 0; // off the axis
    const double room = (hr_plot_is_narrow(plot) ? plot->space.width - growth : plot->left) - x;
    g_autofree char *label = hr_plot_printable(plot, bar->label);
    g_autofree char *fitting =
        hr_shorten(plot->fonts, HR_FONT_SANS, plot->space.text_size, label, room - 8);
    hr_plot_text(plot, x, baseline, fitting ? fitting : "", HR_ANCHOR_START, HR_PAINT_INK);
}

static void draw_growth(struct hr_plot *plot, const struct hr_chart_bar *bar, double baseline)
{
    struct hr_scene_item *growth = hr_plot_text(
        plot, plot->space.width, baseline, growth_text(plot, bar), HR_ANCHOR_END, HR_PAINT_INK);
    growth->font = HR_FONT_SANS_BOLD;
}

static void draw_row(struct hr_plot *plot, const struct hr_chart_bar *bar, double y)
{
    const double size = plot->space.text_size;
    const enum hr_paint paint = hr_theme_paint(bar->colour);
    const double height = size * 0.62;
    const double words_baseline = y + size * 1.15;
    draw_label(plot, bar, words_baseline);
    y += bars_offset(plot);
    draw_bar(plot, bar->base, y + size * 0.2, height,
             (struct hr_style){.fill = paint, .fill_opacity = 0.35});
    draw_bar(plot, bar->final, y + size * 0.2 + height + 1, height,
             (struct hr_style){.fill = paint});
    const double final = isfinite(bar->final) ? bar->final : 0;
    const double longest = fmax(isfinite(bar->base) ? fmax(bar->base, final) : final, 0);
    hr_plot_text(plot, hr_scale_apply(&plot->x, longest) + 4, y + size * 1.15,
                 change_text(plot, bar), HR_ANCHOR_START, HR_PAINT_MUTED);
    draw_growth(plot, bar, words_baseline);
}

void hr_chart_layout_balance(struct hr_plot *plot)
{
    const double row =
        plot->space.text_size * (ROW_LINES - CLOSER * plot->space.closeness) + bars_offset(plot);
    double high = 0;
    const double values = widest_value(plot, &high);
    plot->left = hr_plot_is_narrow(plot) ? 1 : ceil(widest_label(plot)) + 8;
    plot->right = plot->space.width - values -
                  (hr_plot_is_narrow(plot) ? 6 : widest_growth(plot) * BOLDER + 18);
    plot->x = (struct hr_scale){0, high > 0 ? high : 1, plot->left, plot->right};
    plot->scene->height = ceil(row * plot->chart->bars_count);
    for (unsigned i = 0; i < plot->chart->bars_count; i++) {
        struct hr_scene_item *group = hr_scene_begin(plot->scene, "hr-bar");
        group->index = (int)i;
        if (i > 0) {
            hr_scene_line(plot->scene, (struct hr_point){0, row * i},
                          (struct hr_point){plot->space.width, row * i},
                          (struct hr_style){.stroke = HR_PAINT_GRID, .line_width = 0.5});
        }
        draw_row(plot, &plot->chart->bars[i], row * i);
        hr_scene_end(plot->scene);
    }
    if (plot->chart->bars_count > 0) {
        hr_scene_line(plot->scene, (struct hr_point){plot->left, 0},
                      (struct hr_point){plot->left, plot->scene->height},
                      (struct hr_style){.stroke = HR_PAINT_RULE, .line_width = 0.75});
    }
}
