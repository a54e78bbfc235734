// SPDX-License-Identifier: MIT
// What the chart kinds share: the run's points as arrays, the suspects' colours, the marks of time.
#pragma once

#include "document/charts.h"

// Copies a list of numbers; null is NAN. *count is its length (0 for no list).
const double *hr_chart_numbers(struct hr_arena *arena, const json_t *list, unsigned *count);

// The Unix time that a chart's axis counts from: that of base, else of the first point, else of the
// first evidence.
double hr_chart_origin_s(const json_t *result);

// Unix times as seconds since the origin; null is NAN.
const double *hr_chart_times(const struct hr_chart_source *source, const json_t *list,
                             unsigned *count);

// The axis of the run's points: seconds, or the sequence where there is no clock.
const double *hr_chart_axis(const struct hr_chart_source *source, unsigned *count, bool *is_time);

// Fills a series of live bytes with its band from an object with live_bytes, _low and _high. False,
// and an empty series, when it has fewer than two points.
bool hr_chart_live_series(const struct hr_chart_source *source, const json_t *live,
                          struct hr_chart_series *series);

// False where the result counts what was allocated, freed or not.
bool hr_chart_counts_live(const struct hr_chart_source *source);

// The series of that suspect, or NULL.
const json_t *hr_chart_find_suspect(const json_t *list, const char *id);

// "S3" has the third colour; beyond the seventh all share one.
int hr_chart_suspect_colour(const char *id);

// The template's word for a mark ("base") or a layer ("rest"); NULL when it has none.
const char *hr_chart_word(const struct hr_chart_source *source, const char *mark);

// Adds base and final, breaks, thirds and the dumps to the chart. `with_dumps` adds a tick for each
// point.
void hr_chart_add_marks(const struct hr_chart_source *source, struct hr_chart *chart,
                        bool with_dumps);
