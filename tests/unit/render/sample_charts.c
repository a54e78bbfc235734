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

static struct hr_chart *chart_new(struct hr_arena *arena, enum hr_chart_kind kind, const char *name,
                                  const char *title, const char *alt)
{
    struct hr_chart *chart = HR_ARENA_NEW(arena, struct hr_chart);
    chart->kind = kind;
    chart->name = name;
    chart->title = title;
    chart->alt = alt;
    chart->x_is_time = true;
    return chart;
}

const struct hr_chart *hr_sample_balance(struct hr_arena *arena)
{
    static const struct hr_chart_bar bars[] = {
        {.id = "heap_profile",
         .label = "heap profile",
         .colour = HR_COLOUR_HEAP,
         .base = 85 * MIB,
         .final = 181 * MIB,
         .growth = {96 * MIB, 85 * MIB, 107 * MIB}},
        {.id = "allocated",
         .label = "allocated",
         .colour = HR_COLOUR_ALLOCATED,
         .base = 88 * MIB,
         .final = 185 * MIB,
         .growth = {97 * MIB, NAN, NAN}},
        {.id = "resident",
         .label = "resident in the allocator",
         .colour = HR_COLOUR_RESIDENT,
         .base = 172 * MIB,
         .final = 285 * MIB,
         .growth = {113 * MIB, NAN, NAN}},
        {.id = "anonymous",
         .label = "anonymous",
         .colour = HR_COLOUR_ANONYMOUS,
         .base = 180 * MIB,
         .final = 298 * MIB,
         .growth = {118 * MIB, NAN, NAN}},
        {.id = "file",
         .label = "file pages of this process",
         .colour = HR_COLOUR_FILE,
         .base = 41 * MIB,
         .final = 39.5 * MIB,
         .growth = {-1.5 * MIB, NAN, NAN}},
        {.id = "unexplained",
         .label = "unexplained",
         .colour = HR_COLOUR_OTHER,
         .base = NAN,
         .final = NAN,
         .growth = {NAN, NAN, NAN}},
    };
    struct hr_chart *chart = chart_new(arena, HR_CHART_BALANCE, "balance", "Balance",
                                       "Heap +96 MiB, anonymous +118 MiB.");
    chart->bars = bars;
    chart->bars_count = G_N_ELEMENTS(bars);
    return chart;
}

const struct hr_chart *hr_sample_area(struct hr_arena *arena)
{
    static const char *const labels[] = {
        "S1 cache::insert",
        "S2 filedrive::session::SessionStore<S, H>::open_with_options",
        "S3 queue::push",
        "S4 sqlx_core::pool::inner::PoolInner<DB>::acquire",
        "S5 serde_json::value::to_value",
        "S6 bytes::BytesMut::reserve",
        "S7 regex::Regex::new",
        "rest",
    };
    static const double starts[] = {20, 14, 9, 8, 6, 4, 3, 21};
    static const double growths[] = {62, 18, 6, 4, 3, 1.5, 1, -2};
    struct hr_chart_series *series = HR_ARENA_ARRAY(arena, struct hr_chart_series, 8);
    for (int i = 0; i < 8; i++) {
        const int colour = i < 7 ? HR_COLOUR_SUSPECT_FIRST + i : HR_COLOUR_REST;
        series[i] = series_new(arena, labels[i], labels[i], colour, starts[i], growths[i], 0.6);
    }
    struct hr_chart *chart = chart_new(arena, HR_CHART_AREA, "suspects", "Suspects over time",
                                       "S1 rises from 20 to 82 MiB.");
    chart->series = series;
    chart->series_count = 8;
    return chart;
}

const struct hr_chart *hr_sample_sparkline(struct hr_arena *arena)
{
    struct hr_chart_series *series = HR_ARENA_ARRAY(arena, struct hr_chart_series, 1);
    series[0] = series_new(arena, "S1", "S1", HR_COLOUR_SUSPECT_FIRST, 20, 62, 2);
    struct hr_chart *chart =
        chart_new(arena, HR_CHART_SPARKLINE, "spark-S1", "S1 over time", "20 to 82 MiB, linear");
    chart->series = series;
    chart->series_count = 1;
    return chart;
}

const struct hr_chart *hr_sample_suspect(struct hr_arena *arena)
{
    struct hr_chart_series *series = HR_ARENA_ARRAY(arena, struct hr_chart_series, 1);
    series[0] = series_new(arena, "S1", "S1", HR_COLOUR_SUSPECT_FIRST, 20, 62, 2);
    add_band(arena, &series[0]);
    add_gap(arena, &series[0], 50, 56);
    struct hr_chart *chart =
        chart_new(arena, HR_CHART_SUSPECT, "suspect-S1", "S1 over time", "20 to 82 MiB, linear");
    chart->series = series;
    chart->series_count = 1;
    chart->marks = marks_new(arena, &chart->marks_count);
    return chart;
}

const struct hr_chart *hr_sample_flame(struct hr_arena *arena)
{
    static const struct hr_chart_frame frames[] = {
        {-1, "(all)", 85 * MIB, 181 * MIB, 96 * MIB, NULL},
        {0, "std::rt::lang_start", 84 * MIB, 180 * MIB, 96 * MIB, NULL},
        {1, "tokio::runtime::Runtime::block_on", 84 * MIB, 180 * MIB, 96 * MIB, NULL},
        {2, "tokio::runtime::task::raw::poll", 84 * MIB, 180 * MIB, 96 * MIB, NULL},
        {3, "<hyper::proto::h1::Dispatcher<D, B, I, T> as Future>::poll", 60 * MIB, 140 * MIB,
         80 * MIB, NULL},
        {4, "filedrive::http::route", 58 * MIB, 136 * MIB, 78 * MIB, NULL},
        {5, "filedrive::session::SessionStore<S, H>::open", 20 * MIB, 82 * MIB, 62 * MIB, "S1"},
        {6, "hashbrown::raw::RawTable<T>::reserve_rehash", 20 * MIB, 82 * MIB, 62 * MIB, NULL},
        {5, "filedrive::upload::read_body", 30 * MIB, 22 * MIB, -8 * MIB, NULL},
        {8, "bytes::BytesMut::reserve", 30 * MIB, 22 * MIB, -8 * MIB, NULL},
        {5, "filedrive::thumbnail::render", 0, 18 * MIB, 18 * MIB, "S2"},
        {5, "filedrive::legacy::handler", 6 * MIB, 0, -6 * MIB, NULL},
        {3, "filedrive::index::Index::load", 20 * MIB, 20.2 * MIB, 0.2 * MIB, NULL},
        {12, "rusqlite::Connection::open", 12 * MIB, 12.1 * MIB, 0.1 * MIB, NULL},
        {12, "(other)", 8 * MIB, 8.1 * MIB, 0.1 * MIB, NULL},
        {3, "filedrive::audit::append", 1 * MIB, 3 * MIB, 2 * MIB, NULL},
        {0, "[no stack recorded]", 1 * MIB, 1 * MIB, 0, NULL},
    };
    struct hr_chart *chart = chart_new(arena, HR_CHART_FLAME, "flame", "Where the growth lies",
                                       "Of +96 MiB, 62 MiB lie under SessionStore::open.");
    chart->frames = frames;
    chart->frames_count = G_N_ELEMENTS(frames);
    return chart;
}

const struct hr_chart *hr_sample_histogram(struct hr_arena *arena)
{
    enum { BUCKETS = 14 };
    struct hr_chart_bar *bars = HR_ARENA_ARRAY(arena, struct hr_chart_bar, BUCKETS);
    for (unsigned i = 0; i < BUCKETS; i++) {
        bars[i].from = pow(2, i + 3);
        bars[i].to = pow(2, i + 4);
        bars[i].base = (12 + 10 * wobble(i)) * MIB;
        bars[i].final = bars[i].base + (i == 6 ? 62 * MIB : i * MIB / 4);
    }
    struct hr_chart *chart = chart_new(arena, HR_CHART_HISTOGRAM, "sizes", "Sizes of live objects",
                                       "Most growth lies in objects of 512 B to 1 KiB.");
    chart->bars = bars;
    chart->bars_count = BUCKETS;
    return chart;
}

// A night that was not measured, some within their error, one that shrank.
const struct hr_chart *hr_sample_nights(struct hr_arena *arena)
{
    static const char *const days[] = {"2026-11-25", "2026-11-26", "2026-11-27", "2026-11-28",
                                       "2026-11-29", "2026-11-30", "2026-12-01"};
    static const double growth[] = {2, 3, -4, NAN, 1, 6, 96};
    struct hr_chart_bar *bars = HR_ARENA_ARRAY(arena, struct hr_chart_bar, G_N_ELEMENTS(days));
    for (unsigned i = 0; i < G_N_ELEMENTS(days); i++) {
        bars[i].label = days[i];
        bars[i].final = 180 * MIB;
        bars[i].base = (180 - growth[i]) * MIB;
        bars[i].growth =
            (struct hr_estimate){growth[i] * MIB, (growth[i] - 5) * MIB, (growth[i] + 5) * MIB};
    }
    struct hr_chart *chart = chart_new(arena, HR_CHART_NIGHTS, "nights", "Growth of each night",
                                       "The last night grew by 96 MiB.");
    chart->bars = bars;
    chart->bars_count = G_N_ELEMENTS(days);
    return chart;
}

const struct hr_chart *const *hr_sample_charts(struct hr_arena *arena)
{
    const struct hr_chart **charts = HR_ARENA_ARRAY(arena, const struct hr_chart *, 9);
    charts[0] = hr_sample_timeline(arena);
    charts[1] = hr_sample_balance(arena);
    charts[2] = hr_sample_area(arena);
    charts[3] = hr_sample_sparkline(arena);
    charts[4] = hr_sample_suspect(arena);
    charts[5] = hr_sample_flame(arena);
    charts[6] = hr_sample_histogram(arena);
    charts[7] = hr_sample_nights(arena);
    return charts;
}
