// SPDX-License-Identifier: MIT
#include "result/check.h"
#include "result/json.h"
#include "result/result.h"

#include <string.h>

#define MAJOR_VERSION 1

// A file may hold, beside the tree, other blanks than ours.
#define READ_MAX_BYTES (2 * (size_t)HR_RESULT_MAX_BYTES)

static bool check_version(const json_t *result, GError **error)
{
    const char *schema = json_string_value(json_object_get(result, "schema"));
    if (!schema || strcmp(schema, HR_RESULT_SCHEMA) != 0) {
        g_set_error_literal(error, HR_ERROR, HR_ERROR_INPUT, "is JSON, but no heapreport result");
        return false;
    }
    const char *version = json_string_value(json_object_get(result, "schema_version"));
    if (!version || g_ascii_strtoull(version, NULL, 10) != MAJOR_VERSION) {
        g_set_error(error, HR_ERROR, HR_ERROR_INPUT,
                    "is a result of version %s; this heapreport reads version %d",
                    version ? version : "?", MAJOR_VERSION);
        return false;
    }
    return true;
}

// jansson quotes what it stumbled over, which may hold anything.
static void set_syntax_error(GError **error, const json_error_t *fault)
{
    json_t *clean = hr_json_text(fault->text);
    g_set_error(error, HR_ERROR, HR_ERROR_INPUT, "line %d, column %d: %s", fault->line,
                fault->column, json_string_value(clean));
    json_decref(clean);
}

json_t *hr_result_read(const char *bytes, size_t size, GError **error)
{
    if (size > READ_MAX_BYTES) {
        g_set_error(error, HR_ERROR, HR_ERROR_LIMIT, "is larger than %zu bytes, no result is",
                    READ_MAX_BYTES);
        return NULL;
    }
    json_error_t fault;
    json_t *result = json_loadb(bytes, size, JSON_REJECT_DUPLICATES, &fault);
    if (!result) {
        set_syntax_error(error, &fault);
        return NULL;
    }
    if (!check_version(result, error) || !hr_result_check(result, error)) {
        json_decref(result);
        return NULL;
    }
    return result;
}
