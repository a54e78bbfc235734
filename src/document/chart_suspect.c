// SPDX-License-Identifier: MIT
// One suspect over time, large with its band and axes, or as a sparkline.
#include "document/chart_series.h"

static bool compose(const struct hr_chart_source *source, struct hr_chart *chart,
                    const char *prefix)
{
    const char *id = json_string_value(json_object_get(source->subject, "id"));
    const json_t *list = json_object_get(json_object_get(source->result, "series"), "suspects");
    struct hr_chart_series *series = HR_ARENA_NEW(source->arena, struct hr_chart_series);
    if (!id || !hr_chart_live_series(source, hr_chart_find_suspect(list, id), series)) {
        return false;
    }
    const char *function = json_string_value(json_object_get(source->subject, "function"));
    series->id = hr_arena_strdup(source->arena, id);
    series->label = hr_arena_strdup(source->arena, function ? function : id);
    series->colour = hr_chart_suspect_colour(id);
    chart->name = hr_arena_printf(source->arena, "%s-%s", prefix, id);
    chart->series = series;
    chart->series_count = 1;
    hr_chart_add_marks(source, chart, false);
    return true;
}

bool hr_chart_suspect_compose(const struct hr_chart_source *source, struct hr_chart *chart)
{
    chart->kind = HR_CHART_SUSPECT;
    return compose(source, chart, "suspect");
}

bool hr_chart_sparkline_compose(const struct hr_chart_source *source, struct hr_chart *chart)
{
    chart->kind = HR_CHART_SPARKLINE;
    return compose(source, chart, "sparkline");
}
