// SPDX-License-Identifier: MIT
#include "render/chart/csv.h"

#include "render/printable.h"

#include <math.h>
#include <string.h>

static void append_number(GString *out, double number)
{
    char buffer[G_ASCII_DTOSTR_BUF_SIZE];
    g_string_append(out,
                    isnan(number) ? "" : g_ascii_formatd(buffer, sizeof buffer, "%.15g", number));
}

static void append_text(GString *out, const char *text)
{
    g_autofree char *printable = hr_printable(text ? text : "");
    g_string_append_c(out, '"');
    if (*printable && strchr("=+-@", *printable)) {
        g_string_append_c(out, '\'');
    }
    for (const char *p = printable; *p; p++) {
        g_string_append_c(out, *p);
        if (*p == '"') {
            g_string_append_c(out, '"');
        }
    }
    g_string_append_c(out, '"');
}

static void append_numbers(GString *out, const double *numbers, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        g_string_append_c(out, ',');
        append_number(out, numbers[i]);
    }
    g_string_append(out, "\r\n");
}

static void append_series(GString *out, const struct hr_chart_series *series)
{
    for (unsigned i = 0; i < series->count; i++) {
        const double numbers[] = {series->x[i], series->y[i], series->low ? series->low[i] : NAN,
                                  series->high ? series->high[i] : NAN};
        append_text(out, series->id ? series->id : series->label);
        append_numbers(out, numbers, G_N_ELEMENTS(numbers));
    }
}

static void append_bar(GString *out, const struct hr_chart_bar *bar, bool is_part)
{
    if (is_part) {
        const double numbers[] = {bar->base, bar->final, bar->growth.value, bar->growth.low,
                                  bar->growth.high};
        append_text(out, bar->label);
        append_numbers(out, numbers, G_N_ELEMENTS(numbers));
        return;
    }
    const double numbers[] = {bar->to, bar->base, bar->final};
    append_number(out, bar->from);
    append_numbers(out, numbers, G_N_ELEMENTS(numbers));
}

static void append_frame(GString *out, const struct hr_chart_frame *frame, unsigned index)
{
    const double numbers[] = {frame->base, frame->final, frame->growth};
    g_string_append_printf(out, "%u,%d,", index, frame->parent_index);
    append_text(out, frame->function);
    g_string_append_c(out, ',');
    append_text(out, frame->suspect);
    append_numbers(out, numbers, G_N_ELEMENTS(numbers));
}

void hr_chart_append_csv(const struct hr_chart *chart, GString *out)
{
    if (chart->frames_count > 0) {
        g_string_append(out, "index,parent_index,function,suspect,base_bytes,final_bytes,"
                             "growth_bytes\r\n");
    } else if (chart->kind == HR_CHART_BALANCE) {
        g_string_append(out, "part,base_bytes,final_bytes,growth_bytes,growth_bytes_low,"
                             "growth_bytes_high\r\n");
    } else if (chart->kind == HR_CHART_NIGHTS) {
        g_string_append(out, "night,base_bytes,final_bytes,growth_bytes,growth_bytes_low,"
                             "growth_bytes_high\r\n");
    } else if (chart->bars_count > 0) {
        g_string_append(out, "from_bytes,to_bytes,base_bytes,final_bytes\r\n");
    } else {
        g_string_append_printf(out, "series,%s,live_bytes,live_bytes_low,live_bytes_high\r\n",
                               chart->x_is_time ? "elapsed_s" : "sequence");
    }
    for (unsigned i = 0; i < chart->series_count; i++) {
        append_series(out, &chart->series[i]);
    }
    for (unsigned i = 0; i < chart->bars_count; i++) {
        append_bar(out, &chart->bars[i], chart->kind != HR_CHART_HISTOGRAM);
    }
    for (unsigned i = 0; i < chart->frames_count; i++) {
        append_frame(out, &chart->frames[i], i);
    }
}
