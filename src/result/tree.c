// SPDX-License-Identifier: MIT
#include "result/tree.h"

#include "base/quantity.h"
#include "result/names.h"

#include <math.h>

const char *hr_tree_text(const json_t *object, const char *key)
{
    return json_string_value(json_object_get(object, key));
}

double hr_tree_number(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    return json_is_number(value) ? json_number_value(value) : NAN;
}

bool hr_tree_is(const json_t *object, const char *key)
{
    return json_is_true(json_object_get(object, key));
}

double hr_tree_time(const json_t *object, const char *key)
{
    const char *text = hr_tree_text(object, key);
    double unix_s;
    return text && hr_quantity_read_time(text, &unix_s, NULL) ? unix_s : NAN;
}

bool hr_tree_is_class(const char *word)
{
    for (int class = 0; class < HR_CLASSES_COUNT; class ++) {
        if (g_strcmp0(hr_name_class((enum hr_class) class), word) == 0) {
            return true;
        }
    }
    return false;
}

double hr_tree_final_time(const json_t *result)
{
    const json_t *run = json_object_get(result, "run");
    const double final_s = hr_tree_time(json_object_get(run, "final"), "taken_time");
    if (!isnan(final_s)) {
        return final_s;
    }
    const double evidence_s = hr_tree_time(run, "evidence_last_time");
    return isnan(evidence_s) ? hr_tree_time(result, "generated_time") : evidence_s;
}
