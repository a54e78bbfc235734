// SPDX-License-Identifier: MIT
#include "render/chart/csv.h"

#include "base/csv.h"
#include "render/printable.h"

#include <math.h>

static const char *const FRAMES_HEAD[] = {"index",      "parent_index", "function",     "suspect",
                                          "base_bytes", "final_bytes",  "growth_bytes", NULL};
static const char *const PARTS_HEAD[] = {
    "part", "base_bytes", "final_bytes", "growth_bytes", "growth_bytes_low", "growth_bytes_high",
    NULL};
static const char *const NIGHTS_HEAD[] = {
    "night", "base_bytes", "final_bytes", "growth_bytes", "growth_bytes_low", "growth_bytes_high",
    NULL};
static const char *const SIZES_HEAD[] = {"from_bytes", "to_bytes", "base_bytes", "final_bytes",
                                         NULL};
static const char *const TIMES_HEAD[] = {"series",         "elapsed_s",       "live_bytes",
                                         "live_bytes_low", "live_bytes_high", NULL};
static const char *const SEQUENCES_HEAD[] = {"series",         "sequence",        "live_bytes",
                                             "live_bytes_low", "live_bytes_high", NULL};

static const char *const *head_of(const struct hr_chart *chart)
{
    if (chart->frames_count > 0) {
        return FRAMES_HEAD;
    }
    if (chart->kind == HR_CHART_BALANCE) {
        return PARTS_HEAD;
    }
    if (chart->kind == HR_CHART_NIGHTS) {
        return NIGHTS_HEAD;
    }
    if (chart->bars_count > 0) {
        return SIZES_HEAD;
    }
    return chart->x_is_time ? TIMES_HEAD : SEQUENCES_HEAD;
}

static void add_name(struct hr_csv *csv, const char *name)
{
    g_autofree char *printable = hr_printable(name ? name : "");
    hr_csv_add_text(csv, printable);
}

static void end_with(struct hr_csv *csv, const double *numbers, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        hr_csv_add_number(csv, numbers[i]);
    }
    hr_csv_end_row(csv);
}

static void add_series(struct hr_csv *csv, const struct hr_chart_series *series)
{
    for (unsigned i = 0; i < series->count; i++) {
        const double numbers[] = {series->x[i], series->y[i], series->low ? series->low[i] : NAN,
                                  series->high ? series->high[i] : NAN};
        add_name(csv, series->id ? series->id : series->label);
        end_with(csv, numbers, G_N_ELEMENTS(numbers));
    }
}

static void add_size(struct hr_csv *csv, const struct hr_chart_bar *bar)
{
    const double numbers[] = {bar->from, bar->to, bar->base, bar->final};
    end_with(csv, numbers, G_N_ELEMENTS(numbers));
}

static void add_part(struct hr_csv *csv, const struct hr_chart_bar *bar)
{
    const double numbers[] = {bar->base, bar->final, bar->growth.value, bar->growth.low,
                              bar->growth.high};
    add_name(csv, bar->label);
    end_with(csv, numbers, G_N_ELEMENTS(numbers));
}

static void add_frame(struct hr_csv *csv, const struct hr_chart_frame *frame, unsigned index)
{
    const double numbers[] = {frame->base, frame->final, frame->growth};
    hr_csv_add_number(csv, index);
    hr_csv_add_number(csv, frame->parent_index);
    add_name(csv, frame->function);
    add_name(csv, frame->suspect);
    end_with(csv, numbers, G_N_ELEMENTS(numbers));
}

void hr_chart_append_csv(const struct hr_chart *chart, GString *out)
{
    struct hr_csv csv = {.out = out};
    hr_csv_add_head(&csv, head_of(chart));
    for (unsigned i = 0; i < chart->series_count; i++) {
        add_series(&csv, &chart->series[i]);
    }
    for (unsigned i = 0; i < chart->bars_count; i++) {
        if (chart->kind == HR_CHART_HISTOGRAM) {
            add_size(&csv, &chart->bars[i]);
        } else {
            add_part(&csv, &chart->bars[i]);
        }
    }
    for (unsigned i = 0; i < chart->frames_count; i++) {
        add_frame(&csv, &chart->frames[i], i);
    }
}
