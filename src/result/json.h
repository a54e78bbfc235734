// SPDX-License-Identifier: MIT
// The door through which every value enters the result: strings become valid text, numbers become
// integers or short decimals by the unit of their key, and what is unknown becomes null.
#pragma once

#include "base/estimate.h"

#include <jansson.h>
#include <stdint.h>

// A string of the result is at most this long; a longer one is cut in its middle.
#define HR_JSON_TEXT_MAX_BYTES 1024
#define HR_JSON_SENTENCE_MAX_BYTES 4096

// Sets `key`, taking over the reference.
void hr_json_set(json_t *object, const char *key, json_t *value);
void hr_json_append(json_t *array, json_t *value);

// A string; NULL gives null. Bytes that are no UTF-8, control characters, and characters that turn
// the direction of writing are written as \xNN and \uNNNN; of more than `limit_bytes` the middle
// gives way to an ellipsis.
json_t *hr_json_text(const char *text);
json_t *hr_json_text_within(const char *text, size_t limit_bytes);

// Rounded to an integer; NAN and what does not fit 63 bits give null.
json_t *hr_json_integer(double value);
json_t *hr_json_count(uint64_t value);
json_t *hr_json_hex(uint64_t value);

// Rounded to so many decimals that writing and reading keep the value; NAN gives null.
json_t *hr_json_ratio(double value);
json_t *hr_json_seconds(double value);

// RFC 3339 in UTC.
json_t *hr_json_time(double unix_s);

// What the key's unit asks for.
json_t *hr_json_by_key(const char *key, double value);

// Sets `key`, `key`_low and `key`_high; the bounds are rounded outward.
void hr_json_set_estimate(json_t *object, const char *key, struct hr_estimate estimate);

// Name and version of this program.
json_t *hr_json_tool(void);
