// SPDX-License-Identifier: MIT
#include "render/chart/trace.h"

#include <math.h>

static bool is_known(double value)
{
    return isfinite(value);
}

struct column {
    double pixel;
    unsigned count;
    struct hr_point first, last, lowest, highest;
};

static void flush_column(struct column *column, GArray *points)
{
    if (column->count == 0) {
        return;
    }
    g_array_append_val(points, column->first);
    // in the order of x, so that the line never runs backwards
    const struct hr_point *earlier = &column->lowest;
    const struct hr_point *later = &column->highest;
    if (earlier->x > later->x) {
        earlier = &column->highest;
        later = &column->lowest;
    }
    if (column->count > 2) {
        g_array_append_val(points, *earlier);
        g_array_append_val(points, *later);
    }
    if (column->count > 1) {
        g_array_append_val(points, column->last);
    }
    column->count = 0;
}

static void add_to_column(struct column *column, struct hr_point point, GArray *points)
{
    const double pixel = floor(point.x);
    if (column->count > 0 && pixel != column->pixel) {
        flush_column(column, points);
    }
    if (column->count == 0) {
        *column = (struct column){pixel, 0, point, point, point, point};
    }
    column->count++;
    column->last = point;
    if (point.y < column->highest.y) {
        column->highest = point;
    }
    if (point.y > column->lowest.y) {
        column->lowest = point;
    }
}

bool hr_trace_line(const struct hr_chart_series *series, const struct hr_scale *x,
                   const struct hr_scale *y, unsigned *next, GArray *points)
{
    while (*next < series->count && !(is_known(series->y[*next]) && is_known(series->x[*next]))) {
        (*next)++;
    }
    struct column column = {0};
    const unsigned first = *next;
    for (; *next < series->count; (*next)++) {
        if (!is_known(series->y[*next]) || !is_known(series->x[*next])) {
            break;
        }
        const struct hr_point point = {hr_scale_apply(x, series->x[*next]),
                                       hr_scale_apply(y, series->y[*next])};
        add_to_column(&column, point, points);
    }
    flush_column(&column, points);
    return *next > first;
}

static bool has_band(const struct hr_chart_series *series, unsigned i)
{
    return is_known(series->x[i]) && is_known(series->y[i]) && is_known(series->low[i]) &&
           is_known(series->high[i]);
}

// One edge of the band: of each pixel column the outermost value.
static void trace_edge(const struct hr_chart_series *series, const struct hr_scale *x,
                       const struct hr_scale *y, unsigned first, unsigned end, bool upper,
                       GArray *edge)
{
    for (unsigned i = first; i < end; i++) {
        const double value = upper ? series->high[i] : series->low[i];
        const struct hr_point point = {hr_scale_apply(x, series->x[i]), hr_scale_apply(y, value)};
        struct hr_point *last =
            edge->len ? &g_array_index(edge, struct hr_point, edge->len - 1) : NULL;
        if (last && i + 1 < end && floor(last->x) == floor(point.x) && edge->len > 1) {
            last->y = upper ? fmin(last->y, point.y) : fmax(last->y, point.y);
        } else {
            g_array_append_val(edge, point);
        }
    }
}

bool hr_trace_band(const struct hr_chart_series *series, const struct hr_scale *x,
                   const struct hr_scale *y, unsigned *next, GArray *points)
{
    if (!series->low || !series->high) {
        return false;
    }
    while (*next < series->count && !has_band(series, *next)) {
        (*next)++;
    }
    const unsigned first = *next;
    while (*next < series->count && has_band(series, *next)) {
        (*next)++;
    }
    trace_edge(series, x, y, first, *next, true, points);
    g_autoptr(GArray) lower = g_array_new(FALSE, FALSE, sizeof(struct hr_point));
    trace_edge(series, x, y, first, *next, false, lower);
    for (guint i = lower->len; i > 0; i--) {
        g_array_append_val(points, g_array_index(lower, struct hr_point, i - 1));
    }
    return *next > first;
}
