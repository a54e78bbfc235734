// SPDX-License-Identifier: MIT
#include "render/chart/plot.h"

#include <math.h>
#include <string.h>

#define TICK_WIDTH 0.5
#define TICK_HEIGHT 4.0
#define TICK_GAP_MIN 1.2 // closer ones look like a bar with holes

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
    return (struct hr_style){.stroke = HR_PAINT_MUTED, .line_width = 0.75};
}

// The ends of what stands in the rows above the plot.
struct mark_rows {
    double ends[HR_MARK_ROWS_MAX];
    unsigned used;
};

// The row in which a label finds room at `left`; a label that finds none is left to its title.
static bool find_row(struct mark_rows *rows, double left, double width, unsigned *row)
{
    for (*row = 0; *row < HR_MARK_ROWS_MAX; (*row)++) {
        if (*row >= rows->used || left >= rows->ends[*row] + 5) {
            rows->used = MAX(rows->used, *row + 1);
            rows->ends[*row] = left + width;
            return true;
        }
    }
    return false;
}

static bool has_label(const struct hr_chart_mark *mark)
{
    return mark->label && isfinite(mark->x) && !is_kind(mark, "dump");
}

static double label_left(struct hr_plot *plot, const struct hr_chart_mark *mark, double width)
{
    const double x = hr_scale_apply(&plot->x, mark->x);
    return fmin(fmax(x - width / 2, plot->left), plot->space.width - width);
}

unsigned hr_plot_count_mark_rows(struct hr_plot *plot)
{
    struct mark_rows rows = {0};
    for (unsigned i = 0; i < plot->chart->marks_count; i++) {
        const struct hr_chart_mark *mark = &plot->chart->marks[i];
        if (has_label(mark)) {
            const double width = hr_plot_measure(plot, mark->label);
            unsigned row = 0;
            find_row(&rows, label_left(plot, mark, width), width, &row);
        }
    }
    return rows.used;
}

static void draw_mark_label(struct hr_plot *plot, const struct hr_chart_mark *mark,
                            struct mark_rows *rows)
{
    const double width = hr_plot_measure(plot, mark->label);
    const double left = label_left(plot, mark, width);
    unsigned row = 0;
    if (find_row(rows, left, width, &row)) {
        const bool loud = is_kind(mark, "break") || is_kind(mark, "teardown");
        hr_plot_text(plot, left, plot->top - 4 - row * hr_plot_line_height(plot), mark->label,
                     HR_ANCHOR_START, loud ? HR_PAINT_WARNING : HR_PAINT_MUTED);
    }
}

void hr_plot_draw_marks(struct hr_plot *plot)
{
    const struct hr_chart *chart = plot->chart;
    struct mark_rows rows = {0};
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
        if (has_label(mark)) {
            item->title = hr_arena_strdup(plot->scene->arena, mark->label);
            draw_mark_label(plot, mark, &rows);
        }
    }
    hr_scene_end(plot->scene);
}

// One dump is a tick; dumps that leave no gap between their ticks are a bar from the first to the
// last of them.
static void draw_tick(struct hr_plot *plot, double first, double last)
{
    const double width = last - first + TICK_WIDTH;
    hr_scene_rectangle(plot->scene, first - TICK_WIDTH / 2, plot->bottom - TICK_HEIGHT, width,
                       TICK_HEIGHT, (struct hr_style){.fill = HR_PAINT_MUTED});
}

void hr_plot_draw_dumps(struct hr_plot *plot)
{
    const struct hr_chart *chart = plot->chart;
    double first = NAN;
    double last = NAN;
    hr_scene_begin(plot->scene, "hr-dumps");
    for (unsigned i = 0; i < chart->marks_count; i++) {
        if (!is_kind(&chart->marks[i], "dump") || !isfinite(chart->marks[i].x)) {
            continue;
        }
        const double x = hr_scale_apply(&plot->x, chart->marks[i].x);
        if (isfinite(last) && fabs(x - last) >= TICK_GAP_MIN) {
            draw_tick(plot, first, last);
            first = x;
        }
        first = isnan(first) ? x : first;
        last = x;
    }
    if (isfinite(last)) {
        draw_tick(plot, first, last);
    }
    hr_scene_end(plot->scene);
}
