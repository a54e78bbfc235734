// SPDX-License-Identifier: MIT
#include "command/thresholds.h"

#include "base/quantity.h"

#include <string.h>

static bool read_value(const char *key, const char *text, double *value, GError **error)
{
    if (g_str_has_suffix(key, "_bytes")) {
        return hr_quantity_read_size(text, value, error);
    }
    if (g_str_has_suffix(key, "_s")) {
        return hr_quantity_read_duration(text, value, error);
    }
    return hr_quantity_read_number(text, value, error);
}

static void set_unknown_key(GError **error, const char *key)
{
    g_autoptr(GString) known = g_string_new(NULL);
    for (int id = 0; id < HR_THRESHOLDS_COUNT; id++) {
        g_string_append_printf(known, " %s", hr_threshold_key((enum hr_threshold_id)id));
    }
    g_set_error(error, HR_ERROR, HR_ERROR_USAGE, "--threshold: no \"%s\"; there are%s", key,
                known->str);
}

bool hr_thresholds_apply(struct hr_rules *rules, const GPtrArray *pairs, GError **error)
{
    for (guint i = 0; i < pairs->len; i++) {
        const char *pair = pairs->pdata[i];
        const char *equals = strchr(pair, '=');
        g_autofree char *key = g_strndup(pair, (gsize)(equals - pair));
        double value;
        if (!read_value(key, equals + 1, &value, error)) {
            g_prefix_error(error, "--threshold: %s: ", key);
            hr_error_blame(error, "threshold", pair);
            return false;
        }
        if (!hr_rules_set_threshold(rules, key, value)) {
            set_unknown_key(error, key);
            hr_error_blame(error, "threshold", pair);
            return false;
        }
    }
    return true;
}
