// SPDX-License-Identifier: MIT
#include "sample_charts.h"

#include <math.h>

#define MIB (1024.0 * 1024)
#define HOUR_S 3600.0
#define DURATION_S (13 * HOUR_S + 40 * 60)
#define POINTS 82

// Noise that is the same everywhere, in -1 to 1.
static double wobble(unsigned i)
{
    return (double)(i * 2654435761u >> 8 & 0xffff) / 32768 - 1;
}

static struct hr_chart_series series_new(struct hr_arena *arena, const char *id, const char *label,
                                         int colour, double start, double growth, double noise)
{
    double *x = HR_ARENA_ARRAY(arena, double, POINTS);
    double *y = HR_ARENA_ARRAY(arena, double, POINTS);
    for (unsigned i = 0; i < POINTS; i++) {
        x[i] = DURATION_S * i / (POINTS - 1);
        y[i] = (start + growth * i / (POINTS - 1) + noise * wobble(i + (unsigned)colour)) * MIB;
    }
    return (struct hr_chart_series){
        .id = id, .label = label, .colour = colour, .count = POINTS, .x = x, .y = y};
}

static void add_band(struct hr_arena *arena, struct hr_chart_series *series)
{
    double *low = HR_ARENA_ARRAY(arena, double, POINTS);
    double *high = HR_ARENA_ARRAY(arena, double, POINTS);
    for (unsigned i = 0; i < POINTS; i++) {
        const double error = 1.4 * sqrt(series->y[i] * MIB / 2);
        low[i] = series->y[i] - error;
        high[i] = series->y[i] + error;
    }
    series->sampled = true;
    series->low = low;
    series->high = high;
}

static void add_gap(struct hr_arena *arena, struct hr_chart_series *series, unsigned first,
                    unsigned end)
{
    double *y = hr_arena_copy(arena, series->y, series->count, sizeof *y);
    for (unsigned i = first; i < end; i++) {
        y[i] = NAN;
    }
    series->y = y;
}

static const struct hr_chart_mark *marks_new(struct hr_arena *arena, unsigned *count)
{
    static const struct hr_chart_mark fixed[] = {
        {"base", "base", 0},
        {"third", NULL, DURATION_S / 3},
        {"third", NULL, 2 * DURATION_S / 3},
        {"break", "sampling rate changed", 5.2 * HOUR_S},
        {"peak", "peak", DURATION_S * 0.93},
        {"final", "final", DURATION_S},
    };
    *count = G_N_ELEMENTS(fixed) + 40;
    struct hr_chart_mark *marks = HR_ARENA_ARRAY(arena, struct hr_chart_mark, *count);
    for (unsigned i = 0; i < G_N_ELEMENTS(fixed); i++) {
        marks[i] = fixed[i];
    }
    for (unsigned i = 0; i < 40; i++) {
        marks[G_N_ELEMENTS(fixed) + i] =
            (struct hr_chart_mark){"dump", NULL, DURATION_S * (i + 0.3 * wobble(i)) / 40};
    }
    return marks;
}

const struct hr_chart *hr_sample_timeline(struct hr_arena *arena)
{
    struct hr_chart_series *series = HR_ARENA_ARRAY(arena, struct hr_chart_series, 4);
    series[0] = series_new(arena, "anonymous", "anonymous", HR_COLOUR_ANONYMOUS, 180, 118, 2);
    series[1] = series_new(arena, "resident", "resident", HR_COLOUR_RESIDENT, 172, 112, 1.5);
    series[2] = series_new(arena, "allocated", "allocated", HR_COLOUR_ALLOCATED, 88, 97, 0.4);
    series[3] = series_new(arena, "heap_profile", "heap profile", HR_COLOUR_HEAP, 85, 96, 3);
    add_band(arena, &series[3]);
    add_gap(arena, &series[0], 20, 25);
    struct hr_chart *chart = HR_ARENA_NEW(arena, struct hr_chart);
    chart->kind = HR_CHART_TIMELINE;
    chart->name = "timeline";
    chart->title = "Memory over time";
    chart->caption = "All four rise together from the first hour to the last.";
    chart->alt = "Anonymous memory rises from 180 to 298 MiB, the heap from 85 to 181 MiB.";
    chart->x_is_time = true;
    chart->series = series;
    chart->series_count = 4;
    chart->marks = marks_new(arena, &chart->marks_count);
    return chart;
}
