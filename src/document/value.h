// SPDX-License-Identifier: MIT
// Typed values of the document: made from the result's keys, whose suffix is the unit, and written
// for people in one way by every backend.
#pragma once

#include "document/node.h"

#include <glib.h>
#include <jansson.h>

// The value of `key` in `object`, with the interval (KEY_low, KEY_high) and the significance that
// stand beside it; `unit` (NULL: key) names the quantity. Texts are copied to the arena.
struct hr_value hr_value_read(struct hr_arena *arena, const json_t *object, const char *key,
                              const char *unit);

// A number without an interval.
struct hr_value hr_value_of_number(const char *key, double number);
struct hr_value hr_value_of_text(const char *text);

// Appends the value as people read it: a dash when it is unknown, a number with its unit and
// interval, a time in UTC. Symbols and texts are written as they are: escaping is the backend's.
void hr_value_append(GString *out, const struct hr_value *value);

// True for what belongs flush right in a column: numbers, whatever their unit.
bool hr_value_key_is_number(const char *key);
