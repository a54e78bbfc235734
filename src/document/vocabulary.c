// SPDX-License-Identifier: MIT
#include "document/vocabulary.h"

#include <string.h>

#define BLOCKS HR_CONTENT_BLOCKS
#define INLINE HR_CONTENT_INLINE
#define ANYWHERE                                                                                   \
    (BLOCKS | INLINE | HR_CONTENT_ITEMS | HR_CONTENT_FACTS | HR_CONTENT_WORDS | HR_CONTENT_REPORT)

static const struct hr_element elements[HR_ELEMENTS_COUNT] = {
    [HR_ELEMENT_REPORT] = {"report",
                           0,
                           HR_CONTENT_REPORT,
                           {{"rest", HR_ATTRIBUTE_TEXT, true}, {"of", HR_ATTRIBUTE_WORD, false}}},
    [HR_ELEMENT_INCLUDED] = {"included", ANYWHERE, HR_CONTENT_SAME, {{0}}},
    [HR_ELEMENT_NAMES] = {"names",
                          HR_CONTENT_REPORT,
                          HR_CONTENT_NAMES,
                          {{"key", HR_ATTRIBUTE_TEXT, true}}},
    [HR_ELEMENT_NAME] = {"name", HR_CONTENT_NAMES, INLINE, {{"of", HR_ATTRIBUTE_TEXT, true}}},
    [HR_ELEMENT_SECTION] = {"section",
                            BLOCKS | HR_CONTENT_REPORT,
                            BLOCKS,
                            {{"id", HR_ATTRIBUTE_WORD, false},
                             {"key", HR_ATTRIBUTE_VALUE, false},
                             {"role", HR_ATTRIBUTE_WORD, false},
                             {"detail", HR_ATTRIBUTE_YES, false}}},
    [HR_ELEMENT_HEADING] = {"heading", BLOCKS, INLINE, {{0}}},
    [HR_ELEMENT_P] = {"p",
                      BLOCKS,
                      INLINE,
                      {{"role", HR_ATTRIBUTE_WORD, false},
                       {"detail", HR_ATTRIBUTE_YES, false},
                       {"brief", HR_ATTRIBUTE_YES, false}}},
    [HR_ELEMENT_LIST] = {"list",
                         BLOCKS,
                         HR_CONTENT_ITEMS,
                         {{"role", HR_ATTRIBUTE_WORD, false}, {"detail", HR_ATTRIBUTE_YES, false}}},
    [HR_ELEMENT_ITEM] = {"item", HR_CONTENT_ITEMS, BLOCKS, {{0}}},
    [HR_ELEMENT_TABLE] = {"table",
                          BLOCKS,
                          HR_CONTENT_COLUMNS,
                          {{"in", HR_ATTRIBUTE_LIST, true},
                           {"as", HR_ATTRIBUTE_VARIABLE, true},
                           {"id", HR_ATTRIBUTE_WORD, false},
                           {"limit", HR_ATTRIBUTE_NUMBER, false},
                           {"rest", HR_ATTRIBUTE_OBJECT, false},
                           {"total", HR_ATTRIBUTE_OBJECT, false},
                           {"total-title", HR_ATTRIBUTE_TEXT, false},
                           {"detail", HR_ATTRIBUTE_YES, false}}},
    [HR_ELEMENT_CAPTION] = {"caption", HR_CONTENT_COLUMNS | HR_CONTENT_WORDS, INLINE, {{0}}},
    [HR_ELEMENT_ALT] = {"alt", HR_CONTENT_WORDS, INLINE, {{0}}},
    [HR_ELEMENT_COLUMN] = {"column",
                           HR_CONTENT_COLUMNS,
                           HR_CONTENT_EMPTY,
                           {{"title", HR_ATTRIBUTE_TEXT, true},
                            {"of", HR_ATTRIBUTE_VALUE, true},
                            {"unit", HR_ATTRIBUTE_VALUE, false},
                            {"to", HR_ATTRIBUTE_WORD, false},
                            {"key", HR_ATTRIBUTE_VALUE, false},
                            {"depth", HR_ATTRIBUTE_AMOUNT, false},
                            {"weight", HR_ATTRIBUTE_NUMBER, false},
                            {"head", HR_ATTRIBUTE_YES, false}}},
    [HR_ELEMENT_REST] = {"rest",
                         HR_CONTENT_COLUMNS | BLOCKS | INLINE | HR_CONTENT_ITEMS,
                         HR_CONTENT_SAME,
                         {{0}}},
    [HR_ELEMENT_CHART] = {"chart",
                          BLOCKS,
                          HR_CONTENT_WORDS,
                          {{"kind", HR_ATTRIBUTE_CHART, true},
                           {"title", HR_ATTRIBUTE_TEXT, true},
                           {"of", HR_ATTRIBUTE_OBJECT, false},
                           {"detail", HR_ATTRIBUTE_YES, false}}},
    [HR_ELEMENT_CALLOUT] = {"callout",
                            BLOCKS,
                            BLOCKS,
                            {{"tone", HR_ATTRIBUTE_WORD, true},
                             {"of", HR_ATTRIBUTE_VALUE, false},
                             {"detail", HR_ATTRIBUTE_YES, false}}},
    [HR_ELEMENT_NOTE] = {"note", BLOCKS, INLINE, {{"detail", HR_ATTRIBUTE_YES, false}}},
    [HR_ELEMENT_CODE] = {"code", BLOCKS, INLINE, {{"detail", HR_ATTRIBUTE_YES, false}}},
    [HR_ELEMENT_STACK] = {"stack",
                          BLOCKS,
                          HR_CONTENT_EMPTY,
                          {{"of", HR_ATTRIBUTE_LIST, true}, {"detail", HR_ATTRIBUTE_YES, false}}},
    [HR_ELEMENT_FACTS] = {"facts",
                          BLOCKS,
                          HR_CONTENT_FACTS,
                          {{"role", HR_ATTRIBUTE_WORD, false},
                           {"detail", HR_ATTRIBUTE_YES, false}}},
    [HR_ELEMENT_FACT] = {"fact",
                         HR_CONTENT_FACTS,
                         INLINE,
                         {{"of", HR_ATTRIBUTE_VALUE, true},
                          {"unit", HR_ATTRIBUTE_VALUE, false},
                          {"change", HR_ATTRIBUTE_VALUE, false}}},
    [HR_ELEMENT_STRONG] = {"strong", INLINE, INLINE, {{0}}},
    [HR_ELEMENT_LINK] = {"link",
                         INLINE,
                         INLINE,
                         {{"to", HR_ATTRIBUTE_WORD, true}, {"key", HR_ATTRIBUTE_VALUE, false}}},
    [HR_ELEMENT_VALUE] = {"value",
                          INLINE,
                          HR_CONTENT_EMPTY,
                          {{"of", HR_ATTRIBUTE_VALUE, true}, {"unit", HR_ATTRIBUTE_VALUE, false}}},
    [HR_ELEMENT_PLURAL] = {"plural",
                           INLINE,
                           HR_CONTENT_EMPTY,
                           {{"of", HR_ATTRIBUTE_VALUE, true},
                            {"one", HR_ATTRIBUTE_TEXT, true},
                            {"many", HR_ATTRIBUTE_TEXT, true}}},
    [HR_ELEMENT_IF] = {"if",
                       ANYWHERE,
                       HR_CONTENT_SAME,
                       {{"present", HR_ATTRIBUTE_PATH, false},
                        {"empty", HR_ATTRIBUTE_PATH, false},
                        {"equals", HR_ATTRIBUTE_VALUE, false},
                        {"to", HR_ATTRIBUTE_TEXT, false},
                        {"where", HR_ATTRIBUTE_WORD, false}}},
    [HR_ELEMENT_FOR_EACH] = {"for-each",
                             BLOCKS | INLINE | HR_CONTENT_ITEMS | HR_CONTENT_FACTS,
                             HR_CONTENT_SAME,
                             {{"in", HR_ATTRIBUTE_PATH, true},
                              {"as", HR_ATTRIBUTE_VARIABLE, true},
                              {"where", HR_ATTRIBUTE_WORD, false},
                              {"limit", HR_ATTRIBUTE_NUMBER, false},
                              {"full", HR_ATTRIBUTE_YES, false}}},
};

static const struct hr_element *find_element(const xmlNode *element)
{
    for (size_t i = 0; i < G_N_ELEMENTS(elements); i++) {
        if (strcmp(elements[i].name, (const char *)element->name) == 0) {
            return &elements[i];
        }
    }
    return NULL;
}

const struct hr_element *hr_vocabulary_get(const xmlNode *element)
{
    const struct hr_element *found = find_element(element);
    g_assert(found);
    return found;
}

enum hr_element_id hr_vocabulary_id(const xmlNode *element)
{
    return (enum hr_element_id)(hr_vocabulary_get(element) - elements);
}

// A table's or a chart's <rest>, <caption> and <alt> are words in a row.
enum hr_content hr_vocabulary_content(const xmlNode *element)
{
    const struct hr_element *found = find_element(element);
    while (found && found->holds == HR_CONTENT_SAME) {
        bool rest = found == &elements[HR_ELEMENT_REST];
        element = element->parent;
        found = find_element(element);
        if (rest && found == &elements[HR_ELEMENT_TABLE]) {
            return HR_CONTENT_INLINE;
        }
    }
    return found ? found->holds : HR_CONTENT_EMPTY;
}

static bool is_word(const char *text)
{
    return *text && strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789-") == strlen(text);
}

static bool is_number(const char *text)
{
    return *text >= '1' && *text <= '9' && strlen(text) <= 4 &&
           strspn(text, "0123456789") == strlen(text);
}

static bool check_attribute(const xmlNode *element, const struct hr_attribute *known,
                            const char *text, GError **error)
{
    switch (known->type) {
    case HR_ATTRIBUTE_WORD:
        return is_word(text) || hr_template_fail(error, element,
                                                 "%s=\"%s\" is no word of lower-case letters, "
                                                 "digits and \"-\"",
                                                 known->name, text);
    case HR_ATTRIBUTE_NUMBER:
        return is_number(text) ||
               hr_template_fail(error, element, "%s=\"%s\" is no number from 1 to 9999",
                                known->name, text);
    case HR_ATTRIBUTE_YES:
        return strcmp(text, "yes") == 0 ||
               hr_template_fail(error, element, "%s=\"%s\" is not \"yes\"", known->name, text);
    case HR_ATTRIBUTE_TEXT:
    case HR_ATTRIBUTE_VALUE:
    case HR_ATTRIBUTE_AMOUNT:
    case HR_ATTRIBUTE_LIST:
    case HR_ATTRIBUTE_OBJECT:
    case HR_ATTRIBUTE_PATH:
    case HR_ATTRIBUTE_VARIABLE:
    case HR_ATTRIBUTE_CHART:
        return true;
    }
    g_assert_not_reached();
}

static const struct hr_attribute *find_attribute(const struct hr_element *known, const char *name)
{
    for (const struct hr_attribute *attribute = known->attributes;
         attribute < known->attributes + HR_ATTRIBUTES_MAX && attribute->name; attribute++) {
        if (strcmp(attribute->name, name) == 0) {
            return attribute;
        }
    }
    return NULL;
}

static bool check_attributes(const xmlNode *element, const struct hr_element *known, GError **error)
{
    for (const xmlAttr *given = element->properties; given; given = given->next) {
        const char *name = (const char *)given->name;
        const struct hr_attribute *attribute = find_attribute(known, name);
        if (!attribute) {
            return hr_template_fail(error, element, "<%s> takes no attribute %s", known->name,
                                    name);
        }
        if (!check_attribute(element, attribute, hr_template_attribute(element, name), error)) {
            return false;
        }
    }
    for (int i = 0; i < HR_ATTRIBUTES_MAX && known->attributes[i].name; i++) {
        const struct hr_attribute *attribute = &known->attributes[i];
        if (attribute->required && !hr_template_attribute(element, attribute->name)) {
            return hr_template_fail(error, element, "<%s> needs %s=\"...\"", known->name,
                                    attribute->name);
        }
    }
    return true;
}

static const xmlNode *find_child(const xmlNode *element, const char *name)
{
    for (const xmlNode *child = element->children; child; child = child->next) {
        if (child->type == XML_ELEMENT_NODE && strcmp((const char *)child->name, name) == 0) {
            return child;
        }
    }
    return NULL;
}

// Rules that the table cannot say.
static bool check_custom(const xmlNode *element, GError **error)
{
    enum hr_element_id id = hr_vocabulary_id(element);
    if (id == HR_ELEMENT_IF) {
        int conditions = !!hr_template_attribute(element, "present") +
                         !!hr_template_attribute(element, "empty") +
                         !!hr_template_attribute(element, "equals");
        if (conditions != 1 ||
            !hr_template_attribute(element, "equals") != !hr_template_attribute(element, "to")) {
            return hr_template_fail(error, element,
                                    "<if> needs one of present, empty, or equals with to");
        }
        if (hr_template_attribute(element, "where") && hr_template_attribute(element, "equals")) {
            return hr_template_fail(error, element, "where goes with present or empty only");
        }
    }
    if ((id == HR_ELEMENT_FOR_EACH || id == HR_ELEMENT_TABLE) &&
        hr_template_attribute(element, "limit") && !find_child(element, "rest")) {
        return hr_template_fail(error, element,
                                "a limit needs a <rest> that says what was left out");
    }
    if (id == HR_ELEMENT_REST && xmlNextElementSibling((xmlNode *)(uintptr_t)element)) {
        return hr_template_fail(error, element, "<rest> stands last");
    }
    if (id == HR_ELEMENT_REST && strcmp((const char *)element->parent->name, "for-each") != 0 &&
        strcmp((const char *)element->parent->name, "table") != 0) {
        return hr_template_fail(error, element, "<rest> stands in <for-each> or <table>");
    }
    if (id == HR_ELEMENT_TABLE && !hr_template_attribute(element, "total") !=
                                      !hr_template_attribute(element, "total-title")) {
        return hr_template_fail(error, element, "total needs a total-title beside it");
    }
    if (id == HR_ELEMENT_CHART &&
        (!find_child(element, "caption") || !find_child(element, "alt"))) {
        return hr_template_fail(error, element, "<chart> needs a <caption> and an <alt>");
    }
    return true;
}

static bool check_element(const xmlNode *root, const xmlNode *element, GError **error)
{
    const struct hr_element *known = find_element(element);
    const char *root_name = elements[HR_ELEMENT_REPORT].name;
    if (element == root && strcmp((const char *)element->name, root_name) != 0) {
        return hr_template_fail(error, element, "a template's root is <report>");
    }
    if (!known) {
        return hr_template_fail(error, element, "unknown element <%s>",
                                (const char *)element->name);
    }
    if (element != root && !(known->stands_in & hr_vocabulary_content(element->parent))) {
        return hr_template_fail(error, element, "<%s> may not stand in <%s>", known->name,
                                (const char *)element->parent->name);
    }
    return check_attributes(element, known, error) && check_custom(element, error);
}

static bool check_text(const xmlNode *text, GError **error)
{
    const char *content = (const char *)text->content;
    if (strspn(content, " \t\r\n") == strlen(content) ||
        hr_vocabulary_content(text->parent) == HR_CONTENT_INLINE) {
        return true;
    }
    return hr_template_fail(error, text->parent, "text may not stand in <%s>",
                            (const char *)text->parent->name);
}

bool hr_vocabulary_check(const struct hr_template *template, GError **error)
{
    xmlNode *root = xmlDocGetRootElement(template->tree);
    int depth = 0;
    for (xmlNode *node = root; node; node = hr_template_next(root, node, &depth)) {
        bool right = node->type == XML_ELEMENT_NODE ? check_element(root, node, error)
                                                    : check_text(node, error);
        if (!right) {
            return false;
        }
    }
    return true;
}
