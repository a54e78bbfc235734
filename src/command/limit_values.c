// SPDX-License-Identifier: MIT
#include "command/limit_values.h"

#include "base/quantity.h"

#include <inttypes.h>
#include <string.h>

static bool read_value(enum hr_limit_id id, const char *text, uint64_t *value, GError **error)
{
    if (!g_str_has_suffix(hr_limit_key(id), "_bytes")) {
        return hr_quantity_read_count(text, 1, hr_limit_most(id), value, error);
    }
    double size_bytes;
    if (!hr_quantity_read_size(text, &size_bytes, error)) {
        return false;
    }
    if (size_bytes < 1 || size_bytes > (double)hr_limit_most(id)) {
        g_set_error(error, HR_ERROR, HR_ERROR_USAGE, "\"%s\" is not from 1 to %" PRIu64 " bytes",
                    text, hr_limit_most(id));
        return false;
    }
    *value = (uint64_t)size_bytes;
    return true;
}

static void set_unknown_key(GError **error, const char *key)
{
    g_autoptr(GString) known = g_string_new(NULL);
    for (int id = 0; id < HR_LIMITS_COUNT; id++) {
        g_string_append_printf(known, " %s", hr_limit_key((enum hr_limit_id)id));
    }
    g_set_error(error, HR_ERROR, HR_ERROR_USAGE, "--max: no \"%s\"; there are%s", key, known->str);
}

bool hr_limits_apply(struct hr_limits *limits, const GPtrArray *pairs, GError **error)
{
    for (guint i = 0; i < pairs->len; i++) {
        const char *pair = pairs->pdata[i];
        const char *equals = strchr(pair, '=');
        g_autofree char *key = g_strndup(pair, (gsize)(equals - pair));
        enum hr_limit_id id;
        if (!hr_limit_find(key, &id)) {
            set_unknown_key(error, key);
            hr_error_blame(error, "max", pair);
            return false;
        }
        if (!read_value(id, equals + 1, &limits->value[id], error)) {
            g_prefix_error(error, "--max: %s: ", key);
            hr_error_blame(error, "max", pair);
            return false;
        }
    }
    return true;
}
