// SPDX-License-Identifier: MIT
#include "document/scope.h"

#include "document/value.h"

#include <string.h>

void hr_scope_set(struct hr_scope *scope, const char *name, const json_t *value)
{
    json_object_set(scope->variables, name, (json_t *)(uintptr_t)value);
}

void hr_scope_set_number(struct hr_scope *scope, const char *name, const char *key, double number)
{
    json_object_set_new(scope->variables, name, json_pack("{s:f}", key, number));
}

void hr_scope_unset(struct hr_scope *scope, const char *name)
{
    json_object_del(scope->variables, name);
}

// The object that holds the path's last key, which is returned in *key.
static const json_t *find_holder(const struct hr_scope *scope, const char *path, const char **key)
{
    const char *end = strchr(path, '.');
    size_t length = end ? (size_t)(end - path) : strlen(path);
    g_autofree char *first = g_strndup(path, length);
    const json_t *holder =
        json_object_get(scope->variables, first) ? scope->variables : scope->result;
    while (end) {
        g_autofree char *step = g_strndup(path, (size_t)(end - path));
        holder = json_object_get(holder, step);
        path = end + 1;
        end = strchr(path, '.');
    }
    *key = path;
    return holder;
}

const json_t *hr_scope_find(const struct hr_scope *scope, const char *path)
{
    const char *key;
    const json_t *holder = find_holder(scope, path, &key);
    return json_object_get(holder, key);
}

static json_t *entries_where(const json_t *list, const char *key)
{
    json_t *chosen = json_array();
    for (size_t i = 0; i < json_array_size(list); i++) {
        json_t *entry = json_array_get(list, i);
        if (json_is_true(json_object_get(entry, key))) {
            json_array_append(chosen, entry);
        }
    }
    return chosen;
}

json_t *hr_scope_rounds(const struct hr_scope *scope, const char *path, const char *where)
{
    const json_t *found = hr_scope_find(scope, path);
    if (json_is_array(found) && where) {
        return entries_where(found, where);
    }
    if (json_is_array(found)) {
        return json_incref((json_t *)(uintptr_t)found);
    }
    json_t *pairs = json_array();
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)(uintptr_t)found, key, value)
    {
        json_array_append_new(pairs, json_pack("{s:s, s:O}", "key", key, "value", value));
    }
    return pairs;
}

static const char *unit_of(const struct hr_scope *scope, const xmlNode *element)
{
    const char *path = hr_template_attribute(element, "unit");
    return path ? json_string_value(hr_scope_find(scope, path)) : NULL;
}

struct hr_value hr_scope_value(const struct hr_scope *scope, const xmlNode *element,
                               const char *attribute)
{
    const char *key;
    const json_t *holder = find_holder(scope, hr_template_attribute(element, attribute), &key);
    struct hr_value value = hr_value_read(scope->arena, holder, key, unit_of(scope, element));
    const char *word = value.kind == HR_VALUE_TEXT ? value.text : NULL;
    if (value.kind == HR_VALUE_BOOLEAN) {
        word = value.boolean ? "true" : "false";
    }
    const char *name = word ? hr_template_find_name(scope->template, key, word) : NULL;
    if (name) {
        value.kind = HR_VALUE_TEXT;
        value.text = hr_arena_strdup(scope->arena, name);
    }
    return value;
}

const char *hr_scope_anchor(const struct hr_scope *scope, const xmlNode *element,
                            const char *attribute)
{
    const char *id = hr_template_attribute(element, attribute);
    const char *path = hr_template_attribute(element, "key");
    const char *key = path ? json_string_value(hr_scope_find(scope, path)) : NULL;
    if (!id || (path && !key)) {
        return NULL;
    }
    char *anchor =
        key ? hr_arena_printf(scope->arena, "%s-%s", id, key) : hr_arena_strdup(scope->arena, id);
    return g_strcanon(anchor, G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "-_", '-');
}

static bool is_empty(const json_t *value)
{
    if (json_is_string(value)) {
        return !*json_string_value(value);
    }
    return !value || json_is_null(value) || (json_is_array(value) && !json_array_size(value)) ||
           (json_is_object(value) && !json_object_size(value));
}

static bool equals_one(const json_t *value, const char *wanted)
{
    const char *word = json_string_value(value);
    if (json_is_boolean(value)) {
        word = json_is_true(value) ? "true" : "false";
    }
    g_auto(GStrv) words = g_strsplit(wanted, " ", 0);
    return word && g_strv_contains((const char *const *)words, word);
}

bool hr_scope_holds(const struct hr_scope *scope, const xmlNode *element)
{
    const char *path = hr_template_attribute(element, "equals");
    if (path) {
        return equals_one(hr_scope_find(scope, path), hr_template_attribute(element, "to"));
    }
    const bool wanted = hr_template_attribute(element, "present") != NULL;
    path = hr_template_attribute(element, wanted ? "present" : "empty");
    const char *where = hr_template_attribute(element, "where");
    if (!where) {
        return is_empty(hr_scope_find(scope, path)) != wanted;
    }
    json_t *entries = hr_scope_rounds(scope, path, where);
    const bool empty = json_array_size(entries) == 0;
    json_decref(entries);
    return empty != wanted;
}
