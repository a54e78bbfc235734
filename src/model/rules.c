// SPDX-License-Identifier: MIT
#include "model/rules.h"

#include <string.h>

static const struct {
    const char *key;
    double value;
} DEFAULTS[HR_THRESHOLDS_COUNT] = {
#define HR_THRESHOLD(key, value) {#key, value},
#include "model/thresholds.def"
#undef HR_THRESHOLD
};

const char *hr_threshold_key(enum hr_threshold_id id)
{
    return DEFAULTS[id].key;
}

double hr_threshold_default(enum hr_threshold_id id)
{
    return DEFAULTS[id].value;
}

void hr_rules_init_thresholds(struct hr_rules *rules)
{
    for (int id = 0; id < HR_THRESHOLDS_COUNT; id++) {
        rules->thresholds[id] = DEFAULTS[id].value;
    }
}

bool hr_rules_set_threshold(struct hr_rules *rules, const char *key, double value)
{
    for (int id = 0; id < HR_THRESHOLDS_COUNT; id++) {
        if (strcmp(DEFAULTS[id].key, key) == 0) {
            rules->thresholds[id] = value;
            return true;
        }
    }
    return false;
}
