// SPDX-License-Identifier: MIT
// What a template's paths mean while a document is composed: the result, and the variables of the
// loops around. The paths were checked when the template was read.
#pragma once

#include "document/node.h"
#include "document/template.h"

#include <jansson.h>
#include <stdbool.h>

struct hr_scope {
    struct hr_arena *arena;
    const struct hr_template *template;
    const json_t *result;
    json_t *variables; // object: name -> what it stands for now
};

void hr_scope_set(struct hr_scope *scope, const char *name, const json_t *value);
void hr_scope_set_number(struct hr_scope *scope, const char *name, const char *key, double number);
void hr_scope_unset(struct hr_scope *scope, const char *name);

// What a path leads to; NULL when some object on the way is null.
const json_t *hr_scope_find(const struct hr_scope *scope, const char *path);

// The rounds of a loop: a list as it is, an object as a list of { key, value }; with `where`, only
// the entries in which that key is true. The caller owns the reference; never NULL.
json_t *hr_scope_rounds(const struct hr_scope *scope, const char *path, const char *where);

// The value an element's attribute names, with its words replaced by the template's names and its
// unit taken from the attribute "unit".
struct hr_value hr_scope_value(const struct hr_scope *scope, const xmlNode *element,
                               const char *attribute);

// An anchor "id" or "id-key" from the attributes `name` and "key"; NULL when there is none.
const char *hr_scope_anchor(const struct hr_scope *scope, const xmlNode *element,
                            const char *attribute);

// True when the condition of an <if> holds.
bool hr_scope_holds(const struct hr_scope *scope, const xmlNode *element);
