// SPDX-License-Identifier: MIT
#include "document/check.h"

#include "document/charts.h"
#include "document/schema.h"
#include "document/vocabulary.h"

#include <string.h>

// A variable in sight: inside `owner` the name stands for that place.
struct sight {
    const char *name;
    const json_t *place;
    const xmlNode *owner;
};

struct checker {
    const struct hr_template *template;
    struct hr_schema *schema;
    json_t *rest_place;  // of the variable "rest"
    json_t *chart_place; // of the variable "chart"
    json_t *pair_place;  // of the members of an object with free keys
    GHashTable *anchors; // ids of sections -> element
    struct sight sights[HR_TEMPLATE_DEPTH_MAX + 2];
    unsigned sights_count;
};

static const json_t *find_variable(const struct checker *checker, const char *name)
{
    for (unsigned i = checker->sights_count; i > 0; i--) {
        if (strcmp(checker->sights[i - 1].name, name) == 0) {
            return checker->sights[i - 1].place;
        }
    }
    return NULL;
}

// Where a path leads, or NULL with the error set.
static const json_t *follow(const struct checker *checker, const xmlNode *element, const char *path,
                            GError **error)
{
    g_auto(GStrv) steps = g_strsplit(path, ".", 0);
    if (!steps[0]) {
        hr_template_fail(error, element, "an empty path");
        return NULL;
    }
    const json_t *place = find_variable(checker, steps[0]);
    if (!place) {
        place = hr_schema_property(checker->schema, hr_schema_root(checker->schema), steps[0]);
    }
    for (char **step = steps + 1; place && *step; step++) {
        place = hr_schema_property(checker->schema, place, *step);
    }
    if (!place) {
        hr_template_fail(error, element, "the %s has no \"%s\"",
                         hr_template_subject(checker->template), path);
    }
    return place;
}

// What one round of a loop over the place stands for; NULL when it is nothing to go through.
static const json_t *round_place(const struct checker *checker, const json_t *place)
{
    if (hr_schema_kind(place) == HR_SCHEMA_LIST) {
        return hr_schema_items(checker->schema, place);
    }
    bool free_keys =
        hr_schema_kind(place) == HR_SCHEMA_OBJECT && !json_object_get(place, "properties");
    return free_keys ? checker->pair_place : NULL;
}

// Every word of a closed list must have a name as soon as one has, and booleans always.
static bool check_names(const struct checker *checker, const xmlNode *element, const char *path,
                        const json_t *place, GError **error)
{
    const char *key = strrchr(path, '.') ? strrchr(path, '.') + 1 : path;
    GHashTable *names = checker->template->names;
    if (hr_schema_kind(place) == HR_SCHEMA_BOOLEAN &&
        (!hr_template_find_name(checker->template, key, "true") ||
         !hr_template_find_name(checker->template, key, "false"))) {
        return hr_template_fail(error, element, "\"%s\" needs <names> for true and false", path);
    }
    const json_t *words = hr_schema_words(place);
    for (size_t i = 0; g_hash_table_contains(names, key) && i < json_array_size(words); i++) {
        const char *word = json_string_value(json_array_get(words, i));
        if (word && !hr_template_find_name(checker->template, key, word)) {
            return hr_template_fail(error, element, "<names key=\"%s\"> has no name for \"%s\"",
                                    key, word);
        }
    }
    return true;
}

static bool check_value(const xmlNode *element, const char *path, const json_t *place,
                        GError **error)
{
    switch (hr_schema_kind(place)) {
    case HR_SCHEMA_OBJECT:
    case HR_SCHEMA_LIST:
        return hr_template_fail(error, element, "\"%s\" is no text and no number", path);
    case HR_SCHEMA_ANY:
        return hr_template_attribute(element, "unit") ||
               hr_template_fail(error, element, "\"%s\" needs unit=\"...\"", path);
    case HR_SCHEMA_TEXT:
    case HR_SCHEMA_NUMBER:
    case HR_SCHEMA_BOOLEAN:
        return true;
    }
    g_assert_not_reached();
}

static bool check_variable(const struct checker *checker, const xmlNode *element, const char *name,
                           GError **error)
{
    if (!*name || strspn(name, "abcdefghijklmnopqrstuvwxyz_") != strlen(name)) {
        return hr_template_fail(error, element, "as=\"%s\" is no name of lower-case letters", name);
    }
    bool taken = find_variable(checker, name) || strcmp(name, "rest") == 0 ||
                 strcmp(name, "chart") == 0 ||
                 hr_schema_property(checker->schema, hr_schema_root(checker->schema), name);
    return !taken || hr_template_fail(error, element, "as=\"%s\": the name is taken already", name);
}

static bool check_reference(const struct checker *checker, const xmlNode *element,
                            const struct hr_attribute *attribute, const char *text, GError **error)
{
    if (attribute->type == HR_ATTRIBUTE_VARIABLE) {
        return check_variable(checker, element, text, error);
    }
    if (attribute->type == HR_ATTRIBUTE_CHART) {
        return hr_charts_find(text) ||
               hr_template_fail(error, element, "no chart is of kind \"%s\"", text);
    }
    const json_t *place = follow(checker, element, text, error);
    if (!place) {
        return false;
    }
    bool names_matter =
        strcmp(attribute->name, "of") == 0 && hr_vocabulary_id(element) != HR_ELEMENT_CALLOUT;
    switch (attribute->type) {
    case HR_ATTRIBUTE_VALUE:
        return check_value(element, text, place, error) &&
               (!names_matter || check_names(checker, element, text, place, error));
    case HR_ATTRIBUTE_AMOUNT:
        return hr_schema_kind(place) == HR_SCHEMA_NUMBER ||
               hr_template_fail(error, element, "\"%s\" is no number", text);
    case HR_ATTRIBUTE_LIST:
        return round_place(checker, place) ||
               hr_template_fail(error, element, "\"%s\" is no list", text);
    case HR_ATTRIBUTE_OBJECT:
        return hr_schema_kind(place) == HR_SCHEMA_OBJECT ||
               hr_template_fail(error, element, "\"%s\" is no object", text);
    default:
        return true;
    }
}

static bool refers(enum hr_attribute_type type)
{
    return type >= HR_ATTRIBUTE_VALUE;
}

static bool check_equals(const struct checker *checker, const xmlNode *element, GError **error)
{
    const char *path = hr_template_attribute(element, "equals");
    if (!path || hr_vocabulary_id(element) != HR_ELEMENT_IF) {
        return true;
    }
    const json_t *place = follow(checker, element, path, error);
    const json_t *words = hr_schema_words(place);
    g_auto(GStrv) wanted = g_strsplit(hr_template_attribute(element, "to"), " ", 0);
    for (char **word = wanted; *word; word++) {
        bool known = !words && hr_schema_kind(place) != HR_SCHEMA_BOOLEAN;
        for (size_t i = 0; i < json_array_size(words); i++) {
            known |= g_strcmp0(json_string_value(json_array_get(words, i)), *word) == 0;
        }
        if (hr_schema_kind(place) == HR_SCHEMA_BOOLEAN) {
            known = strcmp(*word, "true") == 0 || strcmp(*word, "false") == 0;
        }
        if (!known) {
            return hr_template_fail(error, element, "\"%s\" is never \"%s\"", path, *word);
        }
    }
    return true;
}

// where="significant" names a truth value of each entry of the list.
static bool check_where(const struct checker *checker, const xmlNode *element, GError **error)
{
    static const char *const lists[] = {"in", "present", "empty"};
    const char *key = hr_template_attribute(element, "where");
    const char *path = NULL;
    for (size_t i = 0; key && !path; i++) {
        g_assert(i < G_N_ELEMENTS(lists));
        path = hr_template_attribute(element, lists[i]);
    }
    if (!path) {
        return true;
    }
    const json_t *place = follow(checker, element, path, error);
    const json_t *round = place ? round_place(checker, place) : NULL;
    if (place && !round) {
        return hr_template_fail(error, element, "\"%s\" is no list", path);
    }
    const json_t *truth = round ? hr_schema_property(checker->schema, round, key) : NULL;
    return !place ? false
                  : (truth && hr_schema_kind(truth) == HR_SCHEMA_BOOLEAN) ||
                        hr_template_fail(error, element, "\"%s\" has no truth value \"%s\"", path,
                                         key);
}

static bool check_target(const struct checker *checker, const xmlNode *element, GError **error)
{
    const char *target = hr_template_attribute(element, "to");
    if (!target || hr_vocabulary_id(element) == HR_ELEMENT_IF) {
        return true;
    }
    const xmlNode *section = g_hash_table_lookup(checker->anchors, target);
    if (!section) {
        return hr_template_fail(error, element, "no section has id=\"%s\"", target);
    }
    if (!hr_template_attribute(section, "key") != !hr_template_attribute(element, "key")) {
        return hr_template_fail(
            error, element, "to=\"%s\" needs key=\"...\" just where that section has it", target);
    }
    return true;
}

static void add_sight(struct checker *checker, const char *name, const json_t *place,
                      const xmlNode *owner)
{
    g_assert(checker->sights_count < G_N_ELEMENTS(checker->sights));
    checker->sights[checker->sights_count++] = (struct sight){name, place, owner};
}

static bool contains(const xmlNode *owner, const xmlNode *node)
{
    while (node && node != owner) {
        node = node->parent;
    }
    return node != NULL;
}

// A variable is in sight inside its loop, but not in the loop's <rest>, which stands last.
static void leave_sights(struct checker *checker, const xmlNode *element)
{
    while (checker->sights_count > 0) {
        const xmlNode *owner = checker->sights[checker->sights_count - 1].owner;
        bool own_rest = hr_vocabulary_id(element) == HR_ELEMENT_REST && owner == element->parent;
        if (contains(owner, element) && !own_rest) {
            return;
        }
        checker->sights_count--;
    }
}

// A table's rows are in sight of its columns only.
static bool enter_column(struct checker *checker, const xmlNode *element, GError **error)
{
    const xmlNode *table = element->parent;
    const json_t *place = follow(checker, table, hr_template_attribute(table, "in"), error);
    if (!place) {
        return false;
    }
    add_sight(checker, hr_template_attribute(table, "as"), round_place(checker, place), element);
    return true;
}

static bool enter_loop(struct checker *checker, const xmlNode *element, GError **error)
{
    const char *path = hr_template_attribute(element, "in");
    const json_t *place = follow(checker, element, path, error);
    const json_t *round = place ? round_place(checker, place) : NULL;
    if (!place) {
        return false;
    }
    if (!round) {
        return hr_template_fail(error, element, "\"%s\" is no list", path);
    }
    add_sight(checker, hr_template_attribute(element, "as"), round, element);
    return true;
}

static bool check_references(const struct checker *checker, const xmlNode *element, GError **error)
{
    const struct hr_element *known = hr_vocabulary_get(element);
    for (int i = 0; i < HR_ATTRIBUTES_MAX && known->attributes[i].name; i++) {
        const struct hr_attribute *attribute = &known->attributes[i];
        const char *text = hr_template_attribute(element, attribute->name);
        if (text && refers(attribute->type) &&
            !check_reference(checker, element, attribute, text, error)) {
            return false;
        }
    }
    return true;
}

static bool check_element(struct checker *checker, const xmlNode *element, GError **error)
{
    leave_sights(checker, element);
    enum hr_element_id id = hr_vocabulary_id(element);
    if (id == HR_ELEMENT_COLUMN && !enter_column(checker, element, error)) {
        return false;
    }
    if (!check_references(checker, element, error) || !check_equals(checker, element, error) ||
        !check_where(checker, element, error) || !check_target(checker, element, error)) {
        return false;
    }
    if (id == HR_ELEMENT_REST) {
        add_sight(checker, "rest", checker->rest_place, element);
    } else if (id == HR_ELEMENT_CHART) {
        add_sight(checker, "chart", checker->chart_place, element);
    }
    return id != HR_ELEMENT_FOR_EACH || enter_loop(checker, element, error);
}

static bool collect_anchors(struct checker *checker, xmlNode *root, GError **error)
{
    int depth = 0;
    for (xmlNode *node = root; node; node = hr_template_next(root, node, &depth)) {
        if (node->type != XML_ELEMENT_NODE || hr_vocabulary_id(node) != HR_ELEMENT_SECTION ||
            !hr_template_attribute(node, "id")) {
            continue;
        }
        const char *id = hr_template_attribute(node, "id");
        if (g_hash_table_contains(checker->anchors, id)) {
            return hr_template_fail(error, node, "id=\"%s\" is given twice", id);
        }
        g_hash_table_insert(checker->anchors, (void *)(uintptr_t)id, node);
    }
    return true;
}

static json_t *object_of_numbers(const char *const *keys)
{
    json_t *properties = json_object();
    for (; *keys; keys++) {
        json_object_set_new(properties, *keys, json_pack("{s:s}", "type", "number"));
    }
    return json_pack("{s:s, s:o}", "type", "object", "properties", properties);
}

static bool check_all(struct checker *checker, GError **error)
{
    xmlNode *root = xmlDocGetRootElement(checker->template->tree);
    if (!collect_anchors(checker, root, error)) {
        return false;
    }
    int depth = 0;
    for (xmlNode *node = root; node; node = hr_template_next(root, node, &depth)) {
        if (node->type == XML_ELEMENT_NODE && !check_element(checker, node, error)) {
            return false;
        }
    }
    return true;
}

// The second half of checking: what the attributes refer to. The vocabulary has been checked.
static bool check_paths(const struct hr_template *template, GError **error)
{
    static const char *const rest_keys[] = {"count", NULL};
    const char *subject = hr_template_subject(template);
    HR_AUTO(hr_schema) schema = hr_schema_new(subject);
    if (!schema) {
        return hr_template_fail(error, xmlDocGetRootElement(template->tree),
                                "of=\"%s\": there are result and trend", subject);
    }
    struct checker checker = {
        .template = template,
        .schema = schema,
        .rest_place = object_of_numbers(rest_keys),
        .chart_place = object_of_numbers(hr_chart_fact_keys),
        .pair_place = json_pack("{s:s, s:{s:{s:s}, s:{s:s}}}", "type", "object", "properties",
                                "key", "type", "string", "value", "type", "string"),
        .anchors = g_hash_table_new(g_str_hash, g_str_equal),
    };
    bool right = check_all(&checker, error);
    json_decref(checker.rest_place);
    json_decref(checker.chart_place);
    json_decref(checker.pair_place);
    g_hash_table_unref(checker.anchors);
    return right;
}

struct hr_template *hr_check_read_template(const char *path, GError **error)
{
    HR_AUTO(hr_template) template = hr_template_parse(path, error);
    if (!template || !hr_vocabulary_check(template, error) || !check_paths(template, error)) {
        return NULL;
    }
    return HR_STEAL(template);
}
