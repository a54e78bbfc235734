// SPDX-License-Identifier: MIT
// What the result may hold, asked by path: docs/heapreport.schema.json (of a trend
// docs/heapreport-trend.schema.json), embedded at build time, is the one source, so a key that a template names is known to exist. Used when a template is
// checked; never looks at a result.
#pragma once

#include "base/cleanup.h"

#include <jansson.h>
#include <stdbool.h>

struct hr_schema;

// Parses the embedded schema of "result" or "trend"; NULL for any other subject. Free it with
// hr_schema_free().
struct hr_schema *hr_schema_new(const char *subject);
void hr_schema_free(struct hr_schema *schema);
HR_DEFINE_AUTO(hr_schema, hr_schema_free)

enum hr_schema_kind {
    HR_SCHEMA_TEXT,
    HR_SCHEMA_NUMBER,
    HR_SCHEMA_BOOLEAN,
    HR_SCHEMA_OBJECT,
    HR_SCHEMA_LIST,
    HR_SCHEMA_ANY, // text, number or boolean, as the sibling "key" says
};

// A place is a part of the schema, owned by it. The root is the whole result.
const json_t *hr_schema_root(const struct hr_schema *schema);

// The place of `key` in an object, or of a list's items; NULL when there is none.
const json_t *hr_schema_property(const struct hr_schema *schema, const json_t *place,
                                 const char *key);
const json_t *hr_schema_items(const struct hr_schema *schema, const json_t *place);

enum hr_schema_kind hr_schema_kind(const json_t *place);

// The closed list of texts that may stand there; NULL when any text may.
const json_t *hr_schema_words(const json_t *place);
