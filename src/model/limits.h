// SPDX-License-Identifier: MIT
// What an input may ask of a run before it is cut or left out, and told: against files that are
// made to grow without end, not against large ones.
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum hr_limit_id {
#define HR_LIMIT(key, value, most) HR_LIMIT_##key,
#include "model/limits.def"
#undef HR_LIMIT
    HR_LIMITS_COUNT,
};

struct hr_limits {
    uint64_t value[HR_LIMITS_COUNT];
};

const char *hr_limit_key(enum hr_limit_id id);

// The largest value that a limit can be raised to; the smallest is 1.
uint64_t hr_limit_most(enum hr_limit_id id);

// The limit of that key; false when there is none.
bool hr_limit_find(const char *key, enum hr_limit_id *id);

// Those that hold where nothing else was said.
const struct hr_limits *hr_limits_default(void);
