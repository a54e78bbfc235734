// SPDX-License-Identifier: MIT
// What earlier nights make of tonight: which suspects are new, known, grown or gone, the last
// nights in a row, and growth too slow for one night to show.
#pragma once

#include "result/text.h"

#include <glib.h>
#include <jansson.h>

#define HR_NIGHTS_SHOWN 14

// Sets "status" and "nights_count" of every suspect and the result's "gone". `earlier` holds the
// service's records before tonight, oldest first.
void hr_status_apply(const GPtrArray *earlier, json_t *result);

// Sets the result's "history" and "drift" from the last HR_NIGHTS_SHOWN nights, tonight's `record`
// the last of them.
void hr_status_set_nights(const GPtrArray *earlier, const json_t *record,
                          const struct hr_text *text, json_t *result);

// A growth that shows in nearly every one of `nights` (records, oldest first): the entries of
// "drift" for the heap and, where tonight's `suspects` are given, for each of them.
json_t *hr_drift_compose(const GPtrArray *nights, const json_t *suspects,
                         const struct hr_text *text);

// Columns of "history" for one record.
json_t *hr_status_compose_night(const json_t *record);
