// SPDX-License-Identifier: MIT
// The inside of composing, shared by document.c and the compose*.c of this room; nobody else
// includes it.
#pragma once

#include "document/scope.h"
#include "document/vocabulary.h"

struct hr_open;
struct hr_composer;

// How one element of the vocabulary is composed.
struct hr_composition {
    // False: nothing was opened, and the element's children are not for composing.
    bool (*enter)(struct hr_composer *composer, const xmlNode *element);
    // After the children; `open` is no longer among the open ones, and those before it are its
    // owners.
    void (*leave)(struct hr_composer *composer, const struct hr_open *open);
    enum hr_node_kind kind; // of the node that enter opens, where it is no other for all
};

// An element whose children are being composed.
struct hr_open {
    const xmlNode *element;
    const struct hr_composition *composition;
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

const struct hr_composition *hr_composition_get(const xmlNode *element);

// The element entered last and not left; the composer must have one.
struct hr_open *hr_composer_innermost(struct hr_composer *composer);

// Opens an element; what follows goes into `node`, or where it went before when that is NULL.
struct hr_open *hr_composer_push(struct hr_composer *composer, const xmlNode *element,
                                 struct hr_node *node);

// compose_loop.c: the rounds of <for-each>, and the <rest> behind those that a limit allows.
bool hr_composer_enter_loop(struct hr_composer *composer, const xmlNode *element);

// A loop's <rest> belongs to its end, all else to its rounds.
bool hr_composer_is_due(const struct hr_composer *composer, const xmlNode *node);

// True when the loop goes on with its children once more. Other elements have one round.
bool hr_composer_repeat(struct hr_composer *composer, struct hr_open *open);

// How many rounds of `count` an element's limit allows. Of tables, and of loops marked full, --full
// lifts the limit, and --top replaces it where the list is that of the suspects.
size_t hr_composer_limit(const struct hr_composer *composer, const xmlNode *element, size_t count);

// compose_text.c: runs of white space become one blank; none at the start of a container or behind
// another blank.
void hr_composer_append_text(struct hr_composer *composer, const char *text);
void hr_composer_append_value(struct hr_composer *composer, struct hr_value value);

// The plain text of inline nodes, in the arena.
const char *hr_composer_flatten(const struct hr_composer *composer, const struct hr_node *words);

// A container's text does not end in a blank.
void hr_composer_trim_end(const struct hr_composer *composer, const struct hr_node *node);

// Fills a table's columns and cells from the result. *cut_count rows were left out. NULL when it
// has no rows.
struct hr_table *hr_composer_table(struct hr_composer *composer, const xmlNode *element,
                                   size_t *cut_count);

// Puts the words of <rest> into the row of what was cut; false when the table has no such row.
bool hr_composer_label_rest(struct hr_table *table, const char *words);

// The listing of a list of frames.
const struct hr_stack_listing *hr_composer_stack(const struct hr_scope *scope,
                                                 const json_t *frames);
