// SPDX-License-Identifier: MIT
// The timeline: the sampled heap with its band, and beside it what the allocator and the kernel
// counted, on one axis.
#include "document/chart_series.h"

#include <string.h>

// The parts that the timeline shows, from outside to inside; the rest stands in the balance.
static const struct {
    const char *id;
    int colour;
} parts[] = {
    {"rss", HR_COLOUR_OTHER},
    {"anonymous", HR_COLOUR_ANONYMOUS},
    {"resident", HR_COLOUR_RESIDENT},
    {"allocated", HR_COLOUR_ALLOCATED},
};

// The label that the balance gives a part, so that names are the same everywhere.
static const char *label_of(const struct hr_chart_source *source, const char *id)
{
    const json_t *entry = hr_chart_find_suspect(json_object_get(source->result, "balance"), id);
    const char *label = json_string_value(json_object_get(entry, "label"));
    return hr_arena_strdup(source->arena, label ? label : id);
}

static void add_heap(const struct hr_chart_source *source, struct hr_chart *chart,
                     struct hr_chart_series *series)
{
    struct hr_chart_series *heap = &series[chart->series_count];
    if (hr_chart_live_series(source, json_object_get(source->result, "series"), heap)) {
        heap->id = "heap_profile";
        heap->label = hr_chart_counts_live(source) ? label_of(source, "heap_profile")
                                                   : hr_chart_word(source, "allocated");
        heap->colour = HR_COLOUR_HEAP;
        chart->series_count++;
    }
}

static void add_evidence(const struct hr_chart_source *source, struct hr_chart *chart,
                         struct hr_chart_series *series, size_t part)
{
    const json_t *list = json_object_get(json_object_get(source->result, "series"), "evidence");
    const json_t *entry = hr_chart_find_suspect(list, parts[part].id);
    struct hr_chart_series *line = &series[chart->series_count];
    unsigned times_count, values_count;
    line->x = hr_chart_times(source, json_object_get(entry, "time_s"), &times_count);
    line->y = hr_chart_numbers(source->arena, json_object_get(entry, "value_bytes"), &values_count);
    line->count = MIN(times_count, values_count);
    if (line->count >= 2) {
        line->id = parts[part].id;
        line->label = label_of(source, parts[part].id);
        line->colour = parts[part].colour;
        chart->series_count++;
    }
}

bool hr_chart_timeline_compose(const struct hr_chart_source *source, struct hr_chart *chart)
{
    struct hr_chart_series *series =
        HR_ARENA_ARRAY(source->arena, struct hr_chart_series, G_N_ELEMENTS(parts) + 1);
    chart->kind = HR_CHART_TIMELINE;
    chart->name = "timeline";
    add_heap(source, chart, series);
    hr_chart_add_marks(source, chart, true);
    // Snapshots have a time and no sequence: without a clock of the dumps both share no axis. What
    // was allocated since the start is no part of what the process holds.
    bool comparable =
        (chart->x_is_time || chart->series_count == 0) && hr_chart_counts_live(source);
    for (size_t i = 0; comparable && i < G_N_ELEMENTS(parts); i++) {
        add_evidence(source, chart, series, i);
    }
    if (!chart->x_is_time && comparable && chart->series_count > 0) {
        chart->x_is_time = true;
        chart->marks_count = 0; // of dumps, by their sequence
    }
    chart->series = series;
    return chart->series_count > 0;
}
