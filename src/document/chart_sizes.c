// SPDX-License-Identifier: MIT
// The live heap by the size of its objects, at base and at final.
#include "document/chart_series.h"

#include <math.h>

static double number_of(const json_t *entry, const char *key)
{
    const json_t *number = json_object_get(entry, key);
    return json_is_number(number) ? json_number_value(number) : NAN;
}

bool hr_chart_sizes_compose(const struct hr_chart_source *source, struct hr_chart *chart)
{
    const json_t *histogram = json_object_get(source->result, "size_histogram");
    chart->kind = HR_CHART_HISTOGRAM;
    chart->name = "sizes";
    chart->bars_count = (unsigned)json_array_size(histogram);
    struct hr_chart_bar *bars =
        HR_ARENA_ARRAY(source->arena, struct hr_chart_bar, chart->bars_count);
    for (unsigned i = 0; i < chart->bars_count; i++) {
        const json_t *entry = json_array_get(histogram, i);
        double base = number_of(entry, "base_bytes");
        double final = number_of(entry, "final_bytes");
        bars[i] = (struct hr_chart_bar){
            .colour = HR_COLOUR_HEAP,
            .base = base,
            .final = final,
            .growth = {final - base, NAN, NAN},
            .from = number_of(entry, "from_bytes"),
            .to = number_of(entry, "to_bytes"),
        };
    }
    chart->bars = bars;
    return chart->bars_count > 0;
}
