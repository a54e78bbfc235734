// SPDX-License-Identifier: MIT
#include "model/limits.h"

#include <string.h>

static const struct hr_limits DEFAULTS = {{
#define HR_LIMIT(key, value, most) value,
#include "model/limits.def"
#undef HR_LIMIT
}};

static const struct {
    const char *key;
    uint64_t most;
} ENTRIES[HR_LIMITS_COUNT] = {
#define HR_LIMIT(key, value, most) {#key, most},
#include "model/limits.def"
#undef HR_LIMIT
};

const char *hr_limit_key(enum hr_limit_id id)
{
    return ENTRIES[id].key;
}

uint64_t hr_limit_most(enum hr_limit_id id)
{
    return ENTRIES[id].most;
}

bool hr_limit_find(const char *key, enum hr_limit_id *id)
{
    for (int i = 0; i < HR_LIMITS_COUNT; i++) {
        if (strcmp(ENTRIES[i].key, key) == 0) {
            *id = (enum hr_limit_id)i;
            return true;
        }
    }
    return false;
}

const struct hr_limits *hr_limits_default(void)
{
    return &DEFAULTS;
}
