// SPDX-License-Identifier: MIT
#include "document/charts.h"

#include <math.h>
#include <string.h>

const char *const hr_chart_fact_keys[] = {"first_bytes", "last_bytes",   "min_bytes",
                                          "max_bytes",   "series_count", "points_count",
                                          "bars_count",  "frames_count", NULL};

static const struct hr_chart_composer composers[] = {
    {"timeline", hr_chart_timeline_compose},   {"balance", hr_chart_balance_compose},
    {"area", hr_chart_area_compose},           {"suspect", hr_chart_suspect_compose},
    {"sparkline", hr_chart_sparkline_compose}, {"flame", hr_chart_flame_compose},
    {"sizes", hr_chart_sizes_compose},         {"nights", hr_chart_nights_compose},
};

const struct hr_chart_composer *hr_charts_find(const char *kind)
{
    for (size_t i = 0; i < G_N_ELEMENTS(composers); i++) {
        if (strcmp(composers[i].name, kind) == 0) {
            return &composers[i];
        }
    }
    return NULL;
}

struct extremes {
    double first, last, min, max;
};

static void widen(struct extremes *extremes, double value)
{
    if (isnan(value)) {
        return;
    }
    extremes->first = isnan(extremes->first) ? value : extremes->first;
    extremes->last = value;
    extremes->min = fmin(extremes->min, value);
    extremes->max = fmax(extremes->max, value);
}

static void set_number(json_t *facts, const char *key, double number)
{
    json_object_set_new(facts, key, isnan(number) ? json_null() : json_real(number));
}

json_t *hr_chart_facts(const struct hr_chart *chart)
{
    struct extremes extremes = {NAN, NAN, NAN, NAN};
    unsigned points_count = chart->series_count ? chart->series[0].count : 0;
    for (unsigned i = 0; i < points_count; i++) {
        widen(&extremes, chart->series[0].y[i]);
    }
    for (unsigned i = 0; i < chart->bars_count; i++) {
        widen(&extremes, chart->bars[i].final);
    }
    json_t *facts = json_object();
    set_number(facts, "first_bytes", extremes.first);
    set_number(facts, "last_bytes", extremes.last);
    set_number(facts, "min_bytes", extremes.min);
    set_number(facts, "max_bytes", extremes.max);
    set_number(facts, "series_count", chart->series_count);
    set_number(facts, "points_count", points_count);
    set_number(facts, "bars_count", chart->bars_count);
    set_number(facts, "frames_count", chart->frames_count);
    return facts;
}
