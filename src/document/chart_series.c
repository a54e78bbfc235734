// SPDX-License-Identifier: MIT
#include "document/chart_series.h"

#include "base/quantity.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const double *hr_chart_numbers(struct hr_arena *arena, const json_t *list, unsigned *count)
{
    *count = (unsigned)json_array_size(list);
    double *numbers = HR_ARENA_ARRAY(arena, double, *count);
    for (unsigned i = 0; i < *count; i++) {
        const json_t *number = json_array_get(list, i);
        numbers[i] = json_is_number(number) ? json_number_value(number) : NAN;
    }
    return numbers;
}

double hr_chart_origin_s(const json_t *result)
{
    const json_t *series = json_object_get(result, "series");
    const json_t *times = json_object_get(series, "time_s");
    if (json_array_size(times) == 0) {
        const json_t *evidence = json_array_get(json_object_get(series, "evidence"), 0);
        return json_number_value(json_array_get(json_object_get(evidence, "time_s"), 0));
    }
    const json_t *base = json_object_get(json_object_get(result, "run"), "base");
    const json_t *sequence = json_object_get(base, "sequence");
    const json_t *sequences = json_object_get(series, "sequence");
    for (size_t i = 0; json_is_integer(sequence) && i < json_array_size(times); i++) {
        if (json_integer_value(json_array_get(sequences, i)) == json_integer_value(sequence)) {
            return json_number_value(json_array_get(times, i));
        }
    }
    return json_number_value(json_array_get(times, 0));
}

const double *hr_chart_times(const struct hr_chart_source *source, const json_t *list,
                             unsigned *count)
{
    *count = (unsigned)json_array_size(list);
    double origin_s = hr_chart_origin_s(source->result);
    double *times = HR_ARENA_ARRAY(source->arena, double, *count);
    for (unsigned i = 0; i < *count; i++) {
        const json_t *time = json_array_get(list, i);
        // to the millisecond: what the difference of two clocks has beyond that is no time
        times[i] =
            json_is_number(time) ? round((json_number_value(time) - origin_s) * 1000) / 1000 : NAN;
    }
    return times;
}

const double *hr_chart_axis(const struct hr_chart_source *source, unsigned *count, bool *is_time)
{
    const json_t *series = json_object_get(source->result, "series");
    const json_t *time = json_object_get(series, "time_s");
    *is_time = json_array_size(time) > 0;
    return *is_time ? hr_chart_times(source, time, count)
                    : hr_chart_numbers(source->arena, json_object_get(series, "sequence"), count);
}

bool hr_chart_live_series(const struct hr_chart_source *source, const json_t *live,
                          struct hr_chart_series *series)
{
    bool is_time;
    unsigned counts[4];
    series->x = hr_chart_axis(source, &counts[0], &is_time);
    series->y = hr_chart_numbers(source->arena, json_object_get(live, "live_bytes"), &counts[1]);
    series->low =
        hr_chart_numbers(source->arena, json_object_get(live, "live_bytes_low"), &counts[2]);
    series->high =
        hr_chart_numbers(source->arena, json_object_get(live, "live_bytes_high"), &counts[3]);
    series->count = MIN(counts[0], counts[1]);
    series->sampled = counts[2] >= series->count && counts[3] >= series->count;
    if (!series->sampled) {
        series->low = series->high = NULL;
    }
    if (series->count < 2) { // its place may be another's, whose band this would be
        *series = (struct hr_chart_series){0};
    }
    return series->count >= 2;
}

const json_t *hr_chart_find_suspect(const json_t *list, const char *id)
{
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *entry = json_array_get(list, i);
        if (g_strcmp0(json_string_value(json_object_get(entry, "id")), id) == 0) {
            return entry;
        }
    }
    return NULL;
}

int hr_chart_suspect_colour(const char *id)
{
    long number = id && *id == 'S' ? strtol(id + 1, NULL, 10) : 0;
    bool has_own = number >= HR_COLOUR_SUSPECT_FIRST && number <= HR_COLOUR_SUSPECT_LAST;
    return has_own ? (int)number : HR_COLOUR_REST;
}

bool hr_chart_counts_live(const struct hr_chart_source *source)
{
    const char *metric = json_string_value(json_object_get(source->result, "metric"));
    return !metric || g_str_has_prefix(metric, "live_");
}

const char *hr_chart_word(const struct hr_chart_source *source, const char *mark)
{
    const char *word = hr_template_find_name(source->template, "mark", mark);
    return word ? hr_arena_strdup(source->arena, word) : NULL;
}

// Where a dump lies on the axis: by its sequence among the points; NAN when it is not there.
static double place_of(const json_t *result, const json_t *sequence, const double *axis,
                       unsigned count)
{
    const json_t *sequences = json_object_get(json_object_get(result, "series"), "sequence");
    for (unsigned i = 0; json_is_integer(sequence) && i < count; i++) {
        if (json_integer_value(json_array_get(sequences, i)) == json_integer_value(sequence)) {
            return axis[i];
        }
    }
    return NAN;
}

static void add_mark(const struct hr_chart_source *source, struct hr_chart *chart,
                     struct hr_chart_mark *marks, const char *kind, double x)
{
    if (!isnan(x)) {
        marks[chart->marks_count++] = (struct hr_chart_mark){kind, hr_chart_word(source, kind), x};
    }
}

static double place_of_dump(const struct hr_chart_source *source, const char *name,
                            const double *axis, unsigned count)
{
    const json_t *dump = json_object_get(json_object_get(source->result, "run"), name);
    return place_of(source->result, json_object_get(dump, "sequence"), axis, count);
}

static void add_breaks(const struct hr_chart_source *source, struct hr_chart *chart,
                       struct hr_chart_mark *marks, const double *axis, unsigned count)
{
    const json_t *breaks = json_object_get(json_object_get(source->result, "run"), "breaks");
    for (size_t i = 0; i < json_array_size(breaks); i++) {
        const json_t *broken = json_array_get(breaks, i);
        add_mark(source, chart, marks, "break",
                 place_of(source->result, json_object_get(broken, "sequence"), axis, count));
    }
}

static double number_at(const json_t *list, unsigned i)
{
    const json_t *number = json_array_get(list, i);
    return json_is_number(number) ? json_number_value(number) : NAN;
}

// The highest point, where its band lies above the whole band of the end; NAN where sampling noise
// can explain it.
static double place_of_peak(const struct hr_chart_source *source, const double *axis,
                            unsigned count)
{
    const json_t *series = json_object_get(source->result, "series");
    const json_t *live = json_object_get(series, "live_bytes");
    const json_t *final = json_object_get(json_object_get(source->result, "run"), "final");
    const double end_high = json_number_value(json_object_get(final, "live_bytes_high"));
    unsigned peak = 0;
    for (unsigned i = 1; i < count; i++) {
        peak = number_at(live, i) > number_at(live, peak) ? i : peak;
    }
    const double low = number_at(json_object_get(series, "live_bytes_low"), peak);
    return count > 0 && low > end_high ? axis[peak] : NAN;
}

// A dump written after shutdown is no point of the series; by the clock it lies behind the last.
static double place_of_teardown(const struct hr_chart_source *source, double final, bool is_time)
{
    const json_t *run = json_object_get(source->result, "run");
    const json_t *teardown = json_object_get(run, "teardown");
    const char *time = json_string_value(json_object_get(teardown, "taken_time"));
    if (!is_time) {
        const json_t *sequence = json_object_get(teardown, "sequence");
        return json_is_integer(sequence) ? json_number_value(sequence) : NAN;
    }
    double taken_at_s;
    if (!time || !hr_quantity_read_time(time, &taken_at_s, NULL)) {
        return NAN;
    }
    return fmax(taken_at_s - hr_chart_origin_s(source->result), final);
}

void hr_chart_add_marks(const struct hr_chart_source *source, struct hr_chart *chart,
                        bool with_dumps)
{
    unsigned count;
    const double *axis = hr_chart_axis(source, &count, &chart->x_is_time);
    const json_t *breaks = json_object_get(json_object_get(source->result, "run"), "breaks");
    struct hr_chart_mark *marks =
        HR_ARENA_ARRAY(source->arena, struct hr_chart_mark, count + json_array_size(breaks) + 6);
    double base = place_of_dump(source, "base", axis, count);
    double final = place_of_dump(source, "final", axis, count);
    add_mark(source, chart, marks, "base", base);
    add_mark(source, chart, marks, "final", final);
    add_mark(source, chart, marks, "third", base + (final - base) / 3);
    add_mark(source, chart, marks, "third", base + (final - base) * 2 / 3);
    add_breaks(source, chart, marks, axis, count);
    if (with_dumps) {
        add_mark(source, chart, marks, "peak", place_of_peak(source, axis, count));
        add_mark(source, chart, marks, "teardown",
                 place_of_teardown(source, final, chart->x_is_time));
    }
    for (unsigned i = 0; with_dumps && i < count; i++) {
        add_mark(source, chart, marks, "dump", axis[i]);
    }
    chart->marks = marks;
}
