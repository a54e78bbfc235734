// SPDX-License-Identifier: MIT
#include "document/schema.h"

#include <glib.h>
#include <string.h>

// A chain of references or alternatives in the schema longer than this is a loop.
#define INDIRECTIONS_MAX 16

extern const unsigned char hr_embedded_schema[];
extern const size_t hr_embedded_schema_size;
extern const unsigned char hr_embedded_trend_schema[];
extern const size_t hr_embedded_trend_schema_size;

struct hr_schema {
    json_t *root;
};

struct hr_schema *hr_schema_new(const char *subject)
{
    const bool is_trend = strcmp(subject, "trend") == 0;
    if (!is_trend && strcmp(subject, "result") != 0) {
        return NULL;
    }
    const unsigned char *text = is_trend ? hr_embedded_trend_schema : hr_embedded_schema;
    const size_t size = is_trend ? hr_embedded_trend_schema_size : hr_embedded_schema_size;
    struct hr_schema *schema = g_new0(struct hr_schema, 1);
    schema->root = json_loadb((const char *)text, size, 0, NULL);
    g_assert(schema->root);
    return schema;
}

void hr_schema_free(struct hr_schema *schema)
{
    if (schema) {
        json_decref(schema->root);
        g_free(schema);
    }
}

static bool is_null_type(const json_t *place)
{
    return g_strcmp0(json_string_value(json_object_get(place, "type")), "null") == 0;
}

// The first alternative that is not null.
static const json_t *alternative(const json_t *place)
{
    const json_t *list = json_object_get(place, "anyOf");
    list = list ? list : json_object_get(place, "oneOf");
    for (size_t i = 0; i < json_array_size(list); i++) {
        if (!is_null_type(json_array_get(list, i))) {
            return json_array_get(list, i);
        }
    }
    return NULL;
}

static const json_t *referenced(const struct hr_schema *schema, const char *reference)
{
    const json_t *place = schema->root;
    g_auto(GStrv) steps = g_strsplit(reference, "/", 0);
    for (char **step = steps + 1; steps[0] && *step; step++) {
        place = json_object_get(place, *step);
    }
    return place;
}

static const json_t *settle(const struct hr_schema *schema, const json_t *place)
{
    for (int i = 0; place && i < INDIRECTIONS_MAX; i++) {
        const char *reference = json_string_value(json_object_get(place, "$ref"));
        const json_t *next = reference ? referenced(schema, reference) : alternative(place);
        if (!next) {
            return place;
        }
        place = next;
    }
    return NULL;
}

const json_t *hr_schema_root(const struct hr_schema *schema)
{
    return settle(schema, schema->root);
}

const json_t *hr_schema_property(const struct hr_schema *schema, const json_t *place,
                                 const char *key)
{
    return settle(schema, json_object_get(json_object_get(place, "properties"), key));
}

const json_t *hr_schema_items(const struct hr_schema *schema, const json_t *place)
{
    return settle(schema, json_object_get(place, "items"));
}

static enum hr_schema_kind kind_of_name(const char *name)
{
    static const struct {
        const char *name;
        enum hr_schema_kind kind;
    } kinds[] = {
        {"string", HR_SCHEMA_TEXT},     {"integer", HR_SCHEMA_NUMBER}, {"number", HR_SCHEMA_NUMBER},
        {"boolean", HR_SCHEMA_BOOLEAN}, {"object", HR_SCHEMA_OBJECT},  {"array", HR_SCHEMA_LIST},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(kinds); i++) {
        if (g_strcmp0(kinds[i].name, name) == 0) {
            return kinds[i].kind;
        }
    }
    return HR_SCHEMA_ANY;
}

// "integer" beside "number" is one kind; real alternatives make it ANY.
static enum hr_schema_kind kind_of_list(const json_t *types)
{
    enum hr_schema_kind kind = HR_SCHEMA_ANY;
    bool found = false;
    for (size_t i = 0; i < json_array_size(types); i++) {
        const char *name = json_string_value(json_array_get(types, i));
        if (g_strcmp0(name, "null") == 0) {
            continue;
        }
        if (found && kind != kind_of_name(name)) {
            return HR_SCHEMA_ANY;
        }
        kind = kind_of_name(name);
        found = true;
    }
    return kind;
}

enum hr_schema_kind hr_schema_kind(const json_t *place)
{
    const json_t *type = json_object_get(place, "type");
    if (json_is_array(type)) {
        return kind_of_list(type);
    }
    if (json_is_string(type)) {
        return kind_of_name(json_string_value(type));
    }
    return hr_schema_words(place) ? HR_SCHEMA_TEXT : HR_SCHEMA_ANY;
}

const json_t *hr_schema_words(const json_t *place)
{
    return json_object_get(place, "enum");
}
