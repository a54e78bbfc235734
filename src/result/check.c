// SPDX-License-Identifier: MIT
// The part of JSON Schema that docs/heapreport.schema.json uses: $ref into $defs, type, const,
// enum, properties, required, additionalProperties, items, minItems, maxItems, minimum, maxLength,
// pattern. Recursion goes as deep as the schema is nested, never as the input is, so that the lint
// of recursion may leave it alone: NOLINTBEGIN(misc-no-recursion)
#include "result/check.h"

#include "result/json.h"

#include <math.h>
#include <string.h>

#define REF_PREFIX "#/$defs/"

// Made by embed.c from docs/heapreport.schema.json.
extern const unsigned char hr_result_schema[];
extern const size_t hr_result_schema_size;

struct checker {
    const json_t *definitions;
    GString *path;
    GError **error;
};

static bool check_value(struct checker *checker, const json_t *schema, const json_t *value);

static bool fail(struct checker *checker, const char *what)
{
    const char *path = checker->path->len > 0 ? checker->path->str : "/";
    g_set_error(checker->error, HR_ERROR, HR_ERROR_INPUT, "%s: %s", path, what);
    return false;
}

static bool is_of_type(const char *type, const json_t *value)
{
    switch (json_typeof(value)) {
    case JSON_OBJECT:
        return strcmp(type, "object") == 0;
    case JSON_ARRAY:
        return strcmp(type, "array") == 0;
    case JSON_STRING:
        return strcmp(type, "string") == 0;
    case JSON_INTEGER:
        return strcmp(type, "integer") == 0 || strcmp(type, "number") == 0;
    case JSON_REAL:
        return strcmp(type, "number") == 0;
    case JSON_TRUE:
    case JSON_FALSE:
        return strcmp(type, "boolean") == 0;
    case JSON_NULL:
        return strcmp(type, "null") == 0;
    }
    return false;
}

static bool check_type(struct checker *checker, const json_t *types, const json_t *value)
{
    if (json_is_string(types)) {
        if (is_of_type(json_string_value(types), value)) {
            return true;
        }
        g_autofree char *what = g_strdup_printf("is not of type %s", json_string_value(types));
        return fail(checker, what);
    }
    g_autoptr(GString) what = g_string_new("is not of type ");
    size_t i;
    json_t *type;
    json_array_foreach(types, i, type)
    {
        if (is_of_type(json_string_value(type), value)) {
            return true;
        }
        g_string_append_printf(what, "%s%s", i > 0 ? " or " : "", json_string_value(type));
    }
    return fail(checker, what->str);
}

static bool check_words(struct checker *checker, const json_t *schema, const json_t *value)
{
    const json_t *only = json_object_get(schema, "const");
    if (only && !json_equal(only, value)) {
        return fail(checker, "is not the word that must stand here");
    }
    const json_t *words = json_object_get(schema, "enum");
    size_t i;
    json_t *word;
    json_array_foreach(words, i, word)
    {
        if (json_equal(word, value)) {
            return true;
        }
    }
    return words ? fail(checker, "is none of the words that may stand here") : true;
}

// True when the text could have come through the door of result/json.c.
static bool is_clean(const char *text)
{
    json_t *clean = hr_json_text_within(text, SIZE_MAX);
    const bool same = strcmp(json_string_value(clean), text) == 0;
    json_decref(clean);
    return same;
}

static bool check_string(struct checker *checker, const json_t *schema, const json_t *value)
{
    const json_t *limit = json_object_get(schema, "maxLength");
    const glong length = g_utf8_strlen(json_string_value(value), (gssize)json_string_length(value));
    if (limit && length > json_integer_value(limit)) {
        return fail(checker, "is too long");
    }
    if (!is_clean(json_string_value(value))) {
        return fail(checker, "holds a control character");
    }
    const char *pattern = json_string_value(json_object_get(schema, "pattern"));
    if (pattern &&
        !g_regex_match_simple(pattern, json_string_value(value), G_REGEX_DOLLAR_ENDONLY, 0)) {
        return fail(checker, "is not written as it must be");
    }
    return true;
}

static bool check_number(struct checker *checker, const json_t *schema, const json_t *value)
{
    const json_t *least = json_object_get(schema, "minimum");
    if (least && json_number_value(value) < json_number_value(least)) {
        return fail(checker, "is too small");
    }
    // Beyond this no quantity lies, and near its end a double no longer survives being written.
    if (json_is_real(value) && !(fabs(json_real_value(value)) < 1e18)) {
        return fail(checker, "is too large");
    }
    return true;
}

static bool check_items(struct checker *checker, const json_t *schema, const json_t *value)
{
    const size_t count = json_array_size(value);
    const json_t *most = json_object_get(schema, "maxItems");
    const json_t *least = json_object_get(schema, "minItems");
    if (most && (json_int_t)count > json_integer_value(most)) {
        return fail(checker, "has too many entries");
    }
    if (least && (json_int_t)count < json_integer_value(least)) {
        return fail(checker, "has too few entries");
    }
    const json_t *items = json_object_get(schema, "items");
    const size_t length = checker->path->len;
    for (size_t i = 0; items && i < count; i++) {
        g_string_append_printf(checker->path, "/%zu", i);
        if (!check_value(checker, items, json_array_get(value, i))) {
            return false;
        }
        g_string_truncate(checker->path, length);
    }
    return true;
}

static bool check_required(struct checker *checker, const json_t *schema, const json_t *value)
{
    size_t i;
    json_t *key;
    json_array_foreach(json_object_get(schema, "required"), i, key)
    {
        if (!json_object_get(value, json_string_value(key))) {
            g_autofree char *what = g_strdup_printf("has no \"%s\"", json_string_value(key));
            return fail(checker, what);
        }
    }
    return true;
}

static bool check_members(struct checker *checker, const json_t *schema, const json_t *value)
{
    const json_t *properties = json_object_get(schema, "properties");
    const json_t *others = json_object_get(schema, "additionalProperties");
    const size_t length = checker->path->len;
    const char *key;
    json_t *member;
    // jansson iterates over what may be changed; nothing is.
    json_object_foreach((json_t *)(uintptr_t)value, key, member)
    {
        if (!is_clean(key)) {
            return fail(checker, "has a key with a control character");
        }
        const json_t *known = json_object_get(properties, key);
        const json_t *schema_of_member = known ? known : others;
        g_string_append_printf(checker->path, "/%s", key);
        if (json_is_object(schema_of_member) && !check_value(checker, schema_of_member, member)) {
            return false;
        }
        g_string_truncate(checker->path, length);
    }
    return true;
}

static const json_t *resolve(const struct checker *checker, const json_t *schema)
{
    const char *reference = json_string_value(json_object_get(schema, "$ref"));
    if (!reference) {
        return schema;
    }
    g_assert(g_str_has_prefix(reference, REF_PREFIX));
    const json_t *resolved = json_object_get(checker->definitions, reference + strlen(REF_PREFIX));
    g_assert(resolved);
    return resolved;
}

static bool check_value(struct checker *checker, const json_t *reference, const json_t *value)
{
    const json_t *schema = resolve(checker, reference);
    const json_t *types = json_object_get(schema, "type");
    if ((types && !check_type(checker, types, value)) || !check_words(checker, schema, value)) {
        return false;
    }
    switch (json_typeof(value)) {
    case JSON_OBJECT:
        return check_required(checker, schema, value) && check_members(checker, schema, value);
    case JSON_ARRAY:
        return check_items(checker, schema, value);
    case JSON_STRING:
        return check_string(checker, schema, value);
    case JSON_INTEGER:
    case JSON_REAL:
        return check_number(checker, schema, value);
    default:
        return true;
    }
}

// What a schema cannot say: lists that belong together have one length, a parent comes first.
static bool check_length(struct checker *checker, const json_t *object, const char *key,
                         size_t count)
{
    const json_t *list = json_object_get(object, key);
    if (!json_is_array(list) || json_array_size(list) == count || json_array_size(list) == 0) {
        return true;
    }
    g_string_append_printf(checker->path, "/%s", key);
    return fail(checker, "has another length than the list it belongs to");
}

static bool check_band(struct checker *checker, const json_t *object, size_t count)
{
    return check_length(checker, object, "live_bytes", count) &&
           check_length(checker, object, "live_bytes_low", count) &&
           check_length(checker, object, "live_bytes_high", count);
}

static bool check_series(struct checker *checker, const json_t *series)
{
    const size_t count = json_array_size(json_object_get(series, "sequence"));
    g_string_assign(checker->path, "/series");
    if (!check_length(checker, series, "time_s", count) || !check_band(checker, series, count)) {
        return false;
    }
    size_t i;
    json_t *entry;
    json_array_foreach(json_object_get(series, "suspects"), i, entry)
    {
        g_string_printf(checker->path, "/series/suspects/%zu", i);
        if (!check_band(checker, entry, count)) {
            return false;
        }
    }
    json_array_foreach(json_object_get(series, "evidence"), i, entry)
    {
        const size_t measured = json_array_size(json_object_get(entry, "time_s"));
        g_string_printf(checker->path, "/series/evidence/%zu", i);
        if (!check_length(checker, entry, "value_bytes", measured) ||
            !check_length(checker, entry, "value_count", measured)) {
            return false;
        }
    }
    return true;
}

// The nodes of a tree as a list; `path` is that of the list.
static bool check_tree(struct checker *checker, const json_t *nodes, const char *path)
{
    size_t i;
    json_t *node;
    json_array_foreach(nodes, i, node)
    {
        if (json_integer_value(json_object_get(node, "parent_index")) >= (json_int_t)i) {
            g_string_printf(checker->path, "%s/%zu/parent_index", path, i);
            return fail(checker, "does not come before its child");
        }
    }
    return true;
}

static bool check_call_trees(struct checker *checker, const json_t *suspects)
{
    size_t i;
    json_t *suspect;
    json_array_foreach(suspects, i, suspect)
    {
        g_autofree char *path = g_strdup_printf("/suspects/%zu/call_tree", i);
        if (!check_tree(checker, json_object_get(suspect, "call_tree"), path)) {
            return false;
        }
    }
    return true;
}

bool hr_result_check(const json_t *result, GError **error)
{
    json_t *schema = json_loadb((const char *)hr_result_schema, hr_result_schema_size, 0, NULL);
    g_assert(schema);
    g_autoptr(GString) path = g_string_new(NULL);
    struct checker checker = {json_object_get(schema, "$defs"), path, error};
    const bool sound = check_value(&checker, schema, result) &&
                       check_series(&checker, json_object_get(result, "series")) &&
                       check_tree(&checker, json_object_get(result, "flame"), "/flame") &&
                       check_call_trees(&checker, json_object_get(result, "suspects"));
    json_decref(schema);
    return sound;
}
// NOLINTEND(misc-no-recursion)
