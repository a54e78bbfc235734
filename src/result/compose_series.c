// SPDX-License-Identifier: MIT
// series: the heap, its suspects and the evidence over time, each of at most POINTS_MAX points.
#include "result/composer.h"

#define POINTS_MAX 512

// The points that are written: indices in choice->points.
struct selection {
    size_t count;
    size_t indices[POINTS_MAX];
};

static void select_points(const struct hr_choice *choice, struct selection *selection)
{
    const size_t points = choice ? choice->points_count : 0;
    selection->count = MIN(points, POINTS_MAX);
    for (size_t i = 0; i < selection->count; i++) {
        selection->indices[i] = points <= POINTS_MAX ? i : i * (points - 1) / (POINTS_MAX - 1);
    }
}

static json_t *compose_values(const struct selection *selection, const double *values)
{
    json_t *list = json_array();
    for (size_t i = 0; values && i < selection->count; i++) {
        hr_json_append(list, hr_json_integer(values[selection->indices[i]]));
    }
    return list;
}

static void set_points(json_t *object, const struct selection *selection,
                       const struct hr_points *points)
{
    hr_json_set(object, "live_bytes", compose_values(selection, points->value));
    hr_json_set(object, "live_bytes_low", compose_values(selection, points->low));
    hr_json_set(object, "live_bytes_high", compose_values(selection, points->high));
}

static json_t *compose_sequence(const struct hr_composer *composer,
                                const struct selection *selection)
{
    json_t *sequence = json_array();
    for (size_t i = 0; i < selection->count; i++) {
        const size_t dump = composer->findings->choice->points[selection->indices[i]];
        hr_json_append(sequence, hr_json_count(composer->run->dumps[dump].sequence));
    }
    return sequence;
}

static json_t *compose_times(const struct selection *selection, const double *times_s)
{
    if (!times_s) {
        return json_null();
    }
    json_t *times = json_array();
    for (size_t i = 0; i < selection->count; i++) {
        hr_json_append(times, hr_json_seconds(times_s[selection->indices[i]]));
    }
    return times;
}

static json_t *compose_suspects(const struct hr_composer *composer,
                                const struct selection *selection)
{
    const struct hr_findings *findings = composer->findings;
    json_t *suspects = json_array();
    for (size_t i = 0; i < MIN(findings->suspects_count, HR_SUSPECTS_MAX); i++) {
        const struct hr_suspect *suspect = &findings->suspects[i];
        if (!suspect->series.value) {
            continue;
        }
        json_t *entry = json_object();
        hr_json_set(entry, "id", hr_json_text(suspect->id));
        set_points(entry, selection, &suspect->series);
        hr_json_append(suspects, entry);
    }
    return suspects;
}

// Index of the least or greatest value in [start, end).
static size_t find_extreme(const double *values, size_t start, size_t end, bool greatest)
{
    size_t found = start;
    for (size_t i = start + 1; i < end; i++) {
        if (greatest ? values[i] > values[found] : values[i] < values[found]) {
            found = i;
        }
    }
    return found;
}

// Thins a series of measurements so that peaks stay: first, last, and of each stretch between them
// its least and its greatest value.
static size_t thin(const struct hr_evidence_series *series, size_t *indices)
{
    if (series->count <= POINTS_MAX) {
        for (size_t i = 0; i < series->count; i++) {
            indices[i] = i;
        }
        return series->count;
    }
    const size_t stretches = (POINTS_MAX - 2) / 2;
    const size_t inner = series->count - 2;
    size_t count = 0;
    indices[count++] = 0;
    for (size_t s = 0; s < stretches; s++) {
        const size_t start = 1 + inner * s / stretches;
        const size_t end = 1 + inner * (s + 1) / stretches;
        const size_t least = find_extreme(series->value, start, end, false);
        const size_t greatest = find_extreme(series->value, start, end, true);
        indices[count++] = MIN(least, greatest);
        if (least != greatest) {
            indices[count++] = MAX(least, greatest);
        }
    }
    indices[count++] = series->count - 1;
    return count;
}

static json_t *compose_measured(enum hr_evidence_id id, const struct hr_evidence_series *series)
{
    size_t indices[POINTS_MAX];
    const size_t count = thin(series, indices);
    json_t *times = json_array();
    json_t *values = json_array();
    for (size_t i = 0; i < count; i++) {
        hr_json_append(times, hr_json_seconds(series->time_s[indices[i]]));
        hr_json_append(values, hr_json_integer(series->value[indices[i]]));
    }
    json_t *entry = json_object();
    hr_json_set(entry, "id", json_string(hr_evidence_name(id)));
    hr_json_set(entry, "source", hr_json_text(series->source));
    hr_json_set(entry, "time_s", times);
    const bool counted = id == HR_EVIDENCE_THREADS;
    hr_json_set(entry, "value_bytes", counted ? json_null() : values);
    hr_json_set(entry, "value_count", counted ? values : json_null());
    return entry;
}

static json_t *compose_evidence(const struct hr_composer *composer)
{
    json_t *evidence = json_array();
    for (int id = 0; id < HR_EVIDENCE_COUNT; id++) {
        const struct hr_evidence_series *series = &composer->run->evidence.series[id];
        if (series->count > 0) {
            hr_json_append(evidence, compose_measured((enum hr_evidence_id)id, series));
        }
    }
    return evidence;
}

json_t *hr_compose_series(const struct hr_composer *composer)
{
    const struct hr_findings *findings = composer->findings;
    struct selection selection;
    select_points(findings->choice, &selection);
    json_t *series = json_object();
    hr_json_set(series, "sequence", compose_sequence(composer, &selection));
    hr_json_set(series, "time_s", compose_times(&selection, findings->point_times_s));
    set_points(series, &selection, &findings->total_series);
    hr_json_set(series, "suspects", compose_suspects(composer, &selection));
    hr_json_set(series, "evidence", compose_evidence(composer));
    return series;
}
