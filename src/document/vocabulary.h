// SPDX-License-Identifier: MIT
// The elements of a template, in one table: where each may stand and which attributes it takes.
// docs/template.md shows each by example.
#pragma once

#include "document/template.h"

#include <stdbool.h>

enum hr_element_id {
    HR_ELEMENT_REPORT,
    HR_ELEMENT_INCLUDED,
    HR_ELEMENT_NAMES,
    HR_ELEMENT_NAME,
    HR_ELEMENT_SECTION,
    HR_ELEMENT_HEADING,
    HR_ELEMENT_P,
    HR_ELEMENT_LIST,
    HR_ELEMENT_ITEM,
    HR_ELEMENT_TABLE,
    HR_ELEMENT_CAPTION,
    HR_ELEMENT_ALT,
    HR_ELEMENT_COLUMN,
    HR_ELEMENT_REST,
    HR_ELEMENT_CHART,
    HR_ELEMENT_CALLOUT,
    HR_ELEMENT_NOTE,
    HR_ELEMENT_CODE,
    HR_ELEMENT_STACK,
    HR_ELEMENT_FACTS,
    HR_ELEMENT_FACT,
    HR_ELEMENT_STRONG,
    HR_ELEMENT_LINK,
    HR_ELEMENT_VALUE,
    HR_ELEMENT_PLURAL,
    HR_ELEMENT_IF,
    HR_ELEMENT_FOR_EACH,
    HR_ELEMENTS_COUNT,
};

// What an element holds; IF and FOR_EACH hold what may stand where they stand.
enum hr_content {
    HR_CONTENT_EMPTY = 0,
    HR_CONTENT_BLOCKS = 1 << 0,
    HR_CONTENT_INLINE = 1 << 1,
    HR_CONTENT_ITEMS = 1 << 2,
    HR_CONTENT_FACTS = 1 << 3,
    HR_CONTENT_COLUMNS = 1 << 4,
    HR_CONTENT_WORDS = 1 << 5, // of a chart: caption and alt
    HR_CONTENT_NAMES = 1 << 6,
    HR_CONTENT_REPORT = 1 << 7,
    HR_CONTENT_SAME = 1 << 8,
};

enum hr_attribute_type {
    HR_ATTRIBUTE_TEXT,
    HR_ATTRIBUTE_WORD,   // lower-case letters, digits and "-"
    HR_ATTRIBUTE_NUMBER, // 1 to 9999
    HR_ATTRIBUTE_YES,    // "yes"
    HR_ATTRIBUTE_VALUE,  // path of a text, number or boolean
    HR_ATTRIBUTE_AMOUNT, // path of a number
    HR_ATTRIBUTE_LIST,   // path of a list of objects
    HR_ATTRIBUTE_OBJECT, // path of an object
    HR_ATTRIBUTE_PATH,   // path of anything
    HR_ATTRIBUTE_VARIABLE,
    HR_ATTRIBUTE_CHART, // kind of chart
};

struct hr_attribute {
    const char *name;
    enum hr_attribute_type type;
    bool required;
};

#define HR_ATTRIBUTES_MAX 9

struct hr_element {
    const char *name;
    unsigned stands_in; // enum hr_content, any of
    enum hr_content holds;
    struct hr_attribute attributes[HR_ATTRIBUTES_MAX]; // ended by name NULL
};

// The id and the description of an element; the template is checked, so there always is one.
enum hr_element_id hr_vocabulary_id(const xmlNode *element);
const struct hr_element *hr_vocabulary_get(const xmlNode *element);

// What the element's children are, IF and FOR_EACH looked through.
enum hr_content hr_vocabulary_content(const xmlNode *element);

// Checks the names, places and attributes of all elements; not the paths.
bool hr_vocabulary_check(const struct hr_template *template, GError **error);
