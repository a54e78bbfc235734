// SPDX-License-Identifier: MIT
// The nights in a row: how much the heap grew in each. Of the subject (a service of a trend), else
// of the result's history.
#include "document/chart_series.h"

#include <math.h>

static double number_of(const json_t *night, const char *key)
{
    const json_t *number = json_object_get(night, key);
    return json_is_number(number) ? json_number_value(number) : NAN;
}

// The day alone; a night without a time has none.
static const char *day_of(struct hr_arena *arena, const json_t *night)
{
    const char *time = json_string_value(json_object_get(night, "final_time"));
    return time ? hr_arena_printf(arena, "%.10s", time) : "";
}

static struct hr_chart_bar bar_of(struct hr_arena *arena, const json_t *night)
{
    const struct hr_estimate growth = {number_of(night, "growth_bytes"),
                                       number_of(night, "growth_bytes_low"),
                                       number_of(night, "growth_bytes_high")};
    const double final = number_of(night, "final_bytes");
    return (struct hr_chart_bar){
        .label = day_of(arena, night),
        .colour = HR_COLOUR_HEAP,
        .base = final - growth.value,
        .final = final,
        .growth = growth,
    };
}

bool hr_chart_nights_compose(const struct hr_chart_source *source, struct hr_chart *chart)
{
    const json_t *nights = source->subject ? json_object_get(source->subject, "nights")
                                           : json_object_get(source->result, "history");
    const char *id = json_string_value(json_object_get(source->subject, "id"));
    bool any = false;
    chart->kind = HR_CHART_NIGHTS;
    chart->name = id ? hr_arena_printf(source->arena, "nights-%s", id) : "nights";
    chart->bars_count = (unsigned)json_array_size(nights);
    struct hr_chart_bar *bars =
        HR_ARENA_ARRAY(source->arena, struct hr_chart_bar, chart->bars_count);
    for (unsigned i = 0; i < chart->bars_count; i++) {
        bars[i] = bar_of(source->arena, json_array_get(nights, i));
        any |= !isnan(bars[i].growth.value);
    }
    chart->bars = bars;
    return any && chart->bars_count >= 2;
}
