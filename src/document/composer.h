// SPDX-License-Identifier: MIT
// The inside of composing, shared by document.c, compose.c and compose_table.c; nobody else
// includes it.
#pragma once

#include "document/scope.h"

// An element whose children are being composed.
struct hr_open {
    const xmlNode *element;
    struct hr_node *node;   // appended to `parent` when the element is left; NULL: none
    struct hr_node *parent; // where composing went on before
    bool text_ends_blank;   // of the container that was interrupted
    // for-each
    json_t *rounds; // owned
    size_t round;
    size_t rounds_count;
    bool in_rest;
    // table and chart, filled by their children
    struct hr_table *table;
    struct hr_chart *chart;
    size_t cut_count; // rows that the limit left out
};

struct hr_composer {
    struct hr_scope scope;
    struct hr_document *document;
    struct hr_node *root;
    struct hr_node *into;
    bool text_ends_blank; // a blank at the start of the next text is dropped
    struct hr_open open[HR_TEMPLATE_DEPTH_MAX + 2];
    unsigned open_count;
};

// Composes what the template's element `root` holds into composer->into.
void hr_composer_walk(struct hr_composer *composer, const xmlNode *root);

// How many rounds of `count` an element's limit allows. Of tables, and of loops marked full, --full
// lifts the limit, and --top replaces it where the list is that of the suspects.
size_t hr_composer_limit(const struct hr_composer *composer, const xmlNode *element, size_t count);

// Fills a table's columns and cells from the result. *cut_count rows were left out. NULL when it
// has no rows.
struct hr_table *hr_composer_table(struct hr_composer *composer, const xmlNode *element,
                                   size_t *cut_count);

// Puts the words of <rest> into the row of what was cut; false when the table has no such row.
bool hr_composer_label_rest(struct hr_table *table, const char *words);

// The listing of a list of frames.
const struct hr_stack_listing *hr_composer_stack(const struct hr_scope *scope,
                                                 const json_t *frames);
