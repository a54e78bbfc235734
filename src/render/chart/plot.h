// SPDX-License-Identifier: MIT
// What the kinds of charts have in common: the area inside the axes, ticks and grid, series as
// lines with their bands, and direct labels at the lines' ends that never lie on each other.
#pragma once

#include "render/chart/layout.h"
#include "render/chart/scale.h"

struct hr_plot {
    struct hr_fonts *fonts;
    const struct hr_chart *chart;
    struct hr_chart_space space;
    struct hr_scene *scene;
    double left, top, right, bottom; // inside the axes
    struct hr_scale x, y;
};

struct hr_plot_label {
    struct hr_point from; // the end of the line that it names
    double y;             // where it is put
    enum hr_paint paint;
    char *name, *value; // in the scene's arena; apart, so that neither turns the other around
};

double hr_plot_line_height(const struct hr_plot *plot);
double hr_plot_measure(const struct hr_plot *plot, const char *text);

// The same with the text shortened to `width`; NULL draws nothing.
struct hr_scene_item *hr_plot_text(struct hr_plot *plot, double x, double y, const char *text,
                                   enum hr_anchor anchor, enum hr_paint paint);

// hr_printable(), on paper hr_fonts_printable(); NULL is read as "". The caller frees it.
char *hr_plot_printable(const struct hr_plot *plot, const char *text);

// Sets a label's name and value: "heap", "96.4 MiB".
void hr_plot_name(struct hr_plot *plot, const char *name, double bytes,
                  struct hr_plot_label *label);
double hr_plot_label_width(const struct hr_plot *plot, const struct hr_plot_label *label);

// The extent of x over all series and marks; 0 to 1 when there is none.
void hr_plot_find_x(const struct hr_chart *chart, double *low, double *high);
// The largest known value, bands included; 0 when there is none.
double hr_plot_find_high(const struct hr_chart *chart);

// Zero-based y axis in bytes up to `high`: sets .left by the widest label, then .y.
void hr_plot_fit_y(struct hr_plot *plot, double high, struct hr_ticks *ticks);
void hr_plot_draw_y(struct hr_plot *plot, const struct hr_ticks *ticks);
// Elapsed time or sequence below the plot; .x is set already.
void hr_plot_draw_x(struct hr_plot *plot);

void hr_plot_draw_band(struct hr_plot *plot, const struct hr_chart_series *series,
                       enum hr_paint paint);
void hr_plot_draw_line(struct hr_plot *plot, const struct hr_chart_series *series,
                       enum hr_paint paint, double line_width);

// The last known point of a series; false when all are gaps.
bool hr_plot_find_end(const struct hr_plot *plot, const struct hr_chart_series *series,
                      unsigned *index, struct hr_point *point);

// Moves labels apart (at least a line height between them, inside low to high), then draws them
// right of the plot with leaders. Sorts `labels`.
void hr_plot_place_labels(struct hr_plot_label *labels, unsigned count, double gap, double low,
                          double high);
void hr_plot_draw_labels(struct hr_plot *plot, struct hr_plot_label *labels, unsigned count);

// A telephone's width: words have no room beside what they name and stand above or below it.
bool hr_plot_is_narrow(const struct hr_plot *plot);
// Draws the labels beneath the plot from `top` down, in the order in which the lines end. Sorts
// `labels`.
void hr_plot_draw_key(struct hr_plot *plot, struct hr_plot_label *labels, unsigned count,
                      double top);

// Rows of labels above the plot; .x, .left are set already.
#define HR_MARK_ROWS_MAX 2
unsigned hr_plot_count_mark_rows(struct hr_plot *plot);
// Verticals with their labels above the plot: base, final, thirds, breaks, teardown, peak.
void hr_plot_draw_marks(struct hr_plot *plot);
// One tick on the axis a dump, as far as they can be told apart.
void hr_plot_draw_dumps(struct hr_plot *plot);

// Base or final of a bar, and its growth, as text in the scene's arena.
char *hr_plot_value(struct hr_plot *plot, const char *key, double value);

// The kinds.
void hr_chart_layout_timeline(struct hr_plot *plot);
void hr_chart_layout_balance(struct hr_plot *plot);
void hr_chart_layout_area(struct hr_plot *plot);
void hr_chart_layout_sparkline(struct hr_plot *plot);
void hr_chart_layout_suspect(struct hr_plot *plot);
void hr_chart_layout_flame(struct hr_plot *plot);
void hr_chart_layout_histogram(struct hr_plot *plot);
void hr_chart_layout_nights(struct hr_plot *plot);
