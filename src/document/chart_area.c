// SPDX-License-Identifier: MIT
// The stacked area: the suspects that have a colour of their own, the one that holds most at the
// end at the bottom, and one layer for all else, so that the upper edge is the whole heap.
#include "document/chart_series.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double last_value(const struct hr_chart_series *series)
{
    for (unsigned i = series->count; i > 0; i--) {
        if (!isnan(series->y[i - 1])) {
            return series->y[i - 1];
        }
    }
    return 0;
}

static int compare_layers(const void *left, const void *right)
{
    const struct hr_chart_series *a = left, *b = right;
    double difference = last_value(b) - last_value(a);
    return difference > 0 ? 1 : difference < 0 ? -1 : g_strcmp0(a->id, b->id);
}

static const char *label_of(const struct hr_chart_source *source, const char *id)
{
    const json_t *suspect = hr_chart_find_suspect(json_object_get(source->result, "suspects"), id);
    const char *function = json_string_value(json_object_get(suspect, "function"));
    return function ? hr_arena_printf(source->arena, "%s %s", id, function) : id;
}

static unsigned add_suspects(const struct hr_chart_source *source, const json_t *list,
                             struct hr_chart_series *series)
{
    unsigned count = 0;
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *entry = json_array_get(list, i);
        const char *id = json_string_value(json_object_get(entry, "id"));
        if (hr_chart_suspect_colour(id) != HR_COLOUR_REST &&
            hr_chart_live_series(source, entry, &series[count])) {
            series[count].id = hr_arena_strdup(source->arena, id);
            series[count].label = label_of(source, series[count].id);
            series[count].colour = hr_chart_suspect_colour(id);
            count++;
        }
    }
    return count;
}

// The whole minus the layers shown; a sum of estimates may exceed the total by its error, never
// shown as a negative layer.
static void add_rest(const struct hr_chart_source *source, struct hr_chart *chart,
                     struct hr_chart_series *series, const struct hr_chart_series *total)
{
    double *rest = hr_arena_copy(source->arena, total->y, total->count, sizeof *rest);
    for (unsigned layer = 0; layer < chart->series_count; layer++) {
        for (unsigned i = 0; i < MIN(total->count, series[layer].count); i++) {
            rest[i] -= isnan(series[layer].y[i]) ? 0 : series[layer].y[i];
        }
    }
    for (unsigned i = 0; i < total->count; i++) {
        rest[i] = rest[i] < 0 ? 0 : rest[i];
    }
    series[chart->series_count++] = (struct hr_chart_series){.id = "rest",
                                                             .label = hr_chart_word(source, "rest"),
                                                             .colour = HR_COLOUR_REST,
                                                             .count = total->count,
                                                             .x = total->x,
                                                             .y = rest};
}

bool hr_chart_area_compose(const struct hr_chart_source *source, struct hr_chart *chart)
{
    const json_t *whole = json_object_get(source->result, "series");
    const json_t *list = json_object_get(whole, "suspects");
    struct hr_chart_series *series =
        HR_ARENA_ARRAY(source->arena, struct hr_chart_series, json_array_size(list) + 1);
    struct hr_chart_series total = {0};
    chart->kind = HR_CHART_AREA;
    chart->name = "area";
    unsigned count = add_suspects(source, list, series);
    qsort(series, count, sizeof *series, compare_layers);
    chart->series = series;
    chart->series_count = count;
    if (chart->series_count == 0 || !hr_chart_live_series(source, whole, &total)) {
        return false;
    }
    add_rest(source, chart, series, &total);
    hr_chart_add_marks(source, chart, false);
    return true;
}
