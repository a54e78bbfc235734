// SPDX-License-Identifier: MIT
// The difference flame graph: the result's frames as they are, pre-order, under a root that is the
// whole.
#include "document/chart_series.h"

static double number_of(const json_t *entry, const char *key)
{
    return json_number_value(json_object_get(entry, key));
}

// A frame whose parent is not an earlier one hangs under the root: a result that was edited by hand
// may say anything.
static int32_t parent_of(const json_t *entry, unsigned index)
{
    json_int_t parent = json_integer_value(json_object_get(entry, "parent_index"));
    if (index == 0) {
        return -1;
    }
    return parent >= 0 && parent < index ? (int32_t)parent : 0;
}

bool hr_chart_flame_compose(const struct hr_chart_source *source, struct hr_chart *chart)
{
    const json_t *flame = json_object_get(source->result, "flame");
    chart->kind = HR_CHART_FLAME;
    chart->name = "flame";
    chart->frames_count = (unsigned)json_array_size(flame);
    const char *whole = hr_chart_word(source, hr_chart_counts_live(source) ? "whole" : "allocated");
    struct hr_chart_frame *frames =
        HR_ARENA_ARRAY(source->arena, struct hr_chart_frame, chart->frames_count);
    for (unsigned i = 0; i < chart->frames_count; i++) {
        const json_t *entry = json_array_get(flame, i);
        const char *function = json_string_value(json_object_get(entry, "function"));
        function = i == 0 ? whole : function;
        const char *suspect = json_string_value(json_object_get(entry, "suspect"));
        frames[i] = (struct hr_chart_frame){
            .parent_index = parent_of(entry, i),
            .function = hr_arena_strdup(source->arena, function ? function : ""),
            .base = number_of(entry, "base_bytes"),
            .final = number_of(entry, "final_bytes"),
            .growth = number_of(entry, "growth_bytes"),
            .suspect = suspect ? hr_arena_strdup(source->arena, suspect) : NULL,
        };
    }
    chart->frames = frames;
    return chart->frames_count > 1;
}
