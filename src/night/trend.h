// SPDX-License-Identifier: MIT
// All nights of a history file in one view, service by service: what `heapreport trend` shows.
#pragma once

#include "night/history.h"
#include "result/text.h"

#include <glib.h>

// At most so many nights and suspects a service: the newest and the most frequent.
#define HR_TREND_NIGHTS_MAX 400
#define HR_TREND_SUSPECTS_MAX 30

// Composes what docs/heapreport-trend.schema.json describes: services[] { id, service, nights[] (as "history" in a result),
// nights_rest_count, drift[] (as in a result), suspects[] { fingerprint, function,
// nights_count, first_time, last_time, growth_bytes (of the last night it was in) } } }; services
// by name. The caller owns the reference.
json_t *hr_trend_compose(const struct hr_history *history, const struct hr_text *text);

// Appends the view as plain text, or one row a night (RFC 4180).
void hr_trend_append_text(const json_t *trend, const struct hr_text *text, GString *out);
void hr_trend_append_csv(const json_t *trend, GString *out);
