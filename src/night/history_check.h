// SPDX-License-Identifier: MIT
// Whether a line of a history is the record of a night: a value that cannot be would else count as
// unknown, in silence.
#pragma once

#include <jansson.h>
#include <stdbool.h>

#define HR_HISTORY_SCHEMA "heapreport-history"
#define HR_HISTORY_VERSION 1

// True when it is a record of this version, and each value that it has can be one.
bool hr_history_is_record(const json_t *record);
