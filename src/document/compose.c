// SPDX-License-Identifier: MIT
// Walks the checked template once, entering and leaving its elements, and grows the node tree.
#include "document/charts.h"
#include "document/composer.h"
#include "document/value.h"
#include "document/vocabulary.h"

#include <string.h>

static struct hr_open *innermost(struct hr_composer *composer)
{
    return &composer->open[composer->open_count - 1];
}

static struct hr_open *push(struct hr_composer *composer, const xmlNode *element,
                            struct hr_node *node)
{
    g_assert(composer->open_count < G_N_ELEMENTS(composer->open));
    struct hr_open *open = &composer->open[composer->open_count++];
    *open = (struct hr_open){.element = element,
                             .node = node,
                             .parent = composer->into,
                             .text_ends_blank = composer->text_ends_blank};
    if (node) {
        composer->into = node;
        composer->text_ends_blank = true;
    }
    return open;
}

static struct hr_node *node_of(struct hr_composer *composer, const xmlNode *element,
                               enum hr_node_kind kind)
{
    struct hr_node *node = hr_node_new(composer->scope.arena, kind);
    const char *role = hr_template_attribute(element, "role");
    node->role = role ? hr_arena_strdup(composer->scope.arena, role) : NULL;
    node->detail = hr_template_attribute(element, "detail") != NULL;
    node->brief = hr_template_attribute(element, "brief") != NULL;
    return node;
}

// Runs of white space become one blank; none at the start of a container or behind another blank.
static void append_text(struct hr_composer *composer, const char *text)
{
    g_autoptr(GString) kept = g_string_new(NULL);
    for (; *text; text++) {
        bool blank = strchr(" \t\r\n", *text) != NULL;
        if (!blank || !composer->text_ends_blank) {
            g_string_append_c(kept, blank ? ' ' : *text);
        }
        composer->text_ends_blank = blank;
    }
    if (kept->len > 0) {
        struct hr_node *node = hr_node_new(composer->scope.arena, HR_NODE_TEXT);
        node->text = hr_arena_strdup(composer->scope.arena, kept->str);
        hr_node_append(composer->into, node);
    }
}

static void append_value(struct hr_composer *composer, struct hr_value value)
{
    struct hr_node *node = hr_node_new(composer->scope.arena, HR_NODE_VALUE);
    node->value = value;
    if (value.kind == HR_VALUE_SYMBOL || value.kind == HR_VALUE_TEXT) {
        node->kind = value.kind == HR_VALUE_SYMBOL ? HR_NODE_SYMBOL : HR_NODE_TEXT;
        node->text = value.text;
    }
    hr_node_append(composer->into, node);
    composer->text_ends_blank = false;
}

// The word for one of a thing, or for any other number of it.
static void append_plural(struct hr_composer *composer, const xmlNode *element)
{
    const json_t *count = hr_scope_find(&composer->scope, hr_template_attribute(element, "of"));
    const bool is_one = json_is_number(count) && json_number_value(count) == 1;
    append_text(composer, hr_template_attribute(element, is_one ? "one" : "many"));
}

static int section_level(const struct hr_composer *composer)
{
    int level = 0;
    for (unsigned i = 0; i < composer->open_count; i++) {
        level += composer->open[i].node && composer->open[i].node->kind == HR_NODE_SECTION;
    }
    // The first section's heading is the document's; the others stand below it.
    return CLAMP(level + (composer->root->first_child != NULL), 1, 4);
}

static bool enter_section(struct hr_composer *composer, const xmlNode *element)
{
    struct hr_node *node = node_of(composer, element, HR_NODE_SECTION);
    node->id = hr_scope_anchor(&composer->scope, element, "id");
    if (!node->role) {
        node->role = node->id;
    }
    push(composer, element, node);
    return true;
}

static bool enter_heading(struct hr_composer *composer, const xmlNode *element)
{
    struct hr_node *node = node_of(composer, element, HR_NODE_HEADING);
    node->level = section_level(composer);
    push(composer, element, node);
    return true;
}

static bool enter_callout(struct hr_composer *composer, const xmlNode *element)
{
    struct hr_node *node = node_of(composer, element, HR_NODE_CALLOUT);
    node->role = hr_arena_strdup(composer->scope.arena, hr_template_attribute(element, "tone"));
    const char *path = hr_template_attribute(element, "of");
    const char *about = path ? json_string_value(hr_scope_find(&composer->scope, path)) : NULL;
    node->text = about ? hr_arena_strdup(composer->scope.arena, about) : NULL;
    push(composer, element, node);
    return true;
}

static bool enter_note(struct hr_composer *composer, const xmlNode *element)
{
    struct hr_node *node = node_of(composer, element, HR_NODE_PARAGRAPH);
    node->role = "note";
    push(composer, element, node);
    return true;
}

static bool enter_fact(struct hr_composer *composer, const xmlNode *element)
{
    struct hr_node *node = node_of(composer, element, HR_NODE_FACT);
    node->value = hr_scope_value(&composer->scope, element, "of");
    if (hr_template_attribute(element, "change")) {
        node->change = hr_scope_value(&composer->scope, element, "change");
    }
    push(composer, element, node);
    return true;
}

static bool enter_link(struct hr_composer *composer, const xmlNode *element)
{
    struct hr_node *node = node_of(composer, element, HR_NODE_LINK);
    node->target = hr_scope_anchor(&composer->scope, element, "to");
    bool blank = composer->text_ends_blank;
    push(composer, element, node);
    composer->text_ends_blank = blank;
    return true;
}

static bool enter_stack(struct hr_composer *composer, const xmlNode *element)
{
    struct hr_node *node = node_of(composer, element, HR_NODE_STACK);
    json_t *frames = hr_scope_rounds(&composer->scope, hr_template_attribute(element, "of"), NULL);
    node->stack = hr_composer_stack(&composer->scope, frames);
    json_decref(frames);
    if (node->stack->lines_count > 0) {
        hr_node_append(composer->into, node);
    }
    return false;
}

static bool enter_table(struct hr_composer *composer, const xmlNode *element)
{
    size_t cut_count = 0;
    struct hr_table *table = hr_composer_table(composer, element, &cut_count);
    if (!table) {
        return false;
    }
    struct hr_node *node = node_of(composer, element, HR_NODE_TABLE);
    node->table = table;
    node->id = table->id;
    struct hr_open *open = push(composer, element, node);
    open->table = table;
    open->cut_count = cut_count;
    return true;
}

static bool enter_chart(struct hr_composer *composer, const xmlNode *element)
{
    const char *path = hr_template_attribute(element, "of");
    const struct hr_chart_source source = {.arena = composer->scope.arena,
                                           .template = composer->scope.template,
                                           .result = composer->scope.result,
                                           .subject =
                                               path ? hr_scope_find(&composer->scope, path) : NULL};
    struct hr_chart *chart = HR_ARENA_NEW(source.arena, struct hr_chart);
    if (!hr_charts_find(hr_template_attribute(element, "kind"))->compose(&source, chart)) {
        return false;
    }
    chart->title = hr_arena_strdup(source.arena, hr_template_attribute(element, "title"));
    struct hr_node *node = node_of(composer, element, HR_NODE_CHART);
    node->chart = chart;
    push(composer, element, node)->chart = chart;
    json_t *facts = hr_chart_facts(chart);
    hr_scope_set(&composer->scope, "chart", facts);
    json_decref(facts);
    return true;
}

// Words that become one string of their owner: composed aside, flattened when left.
static bool enter_words(struct hr_composer *composer, const xmlNode *element)
{
    push(composer, element, hr_node_new(composer->scope.arena, HR_NODE_PARAGRAPH));
    return true;
}

static bool enter_loop(struct hr_composer *composer, const xmlNode *element)
{
    json_t *rounds = hr_scope_rounds(&composer->scope, hr_template_attribute(element, "in"),
                                     hr_template_attribute(element, "where"));
    if (json_array_size(rounds) == 0) {
        json_decref(rounds);
        return false;
    }
    struct hr_open *open = push(composer, element, NULL);
    open->rounds = rounds;
    open->rounds_count = hr_composer_limit(composer, element, json_array_size(rounds));
    hr_scope_set(&composer->scope, hr_template_attribute(element, "as"), json_array_get(rounds, 0));
    return true;
}

static bool enter_rest(struct hr_composer *composer, const xmlNode *element)
{
    struct hr_open *owner = innermost(composer);
    if (owner->table) {
        if (owner->cut_count == 0) {
            return false;
        }
        hr_scope_set_number(&composer->scope, "rest", "count", (double)owner->cut_count);
        return enter_words(composer, element);
    }
    push(composer, element, NULL);
    return true;
}

static bool enter_plain(struct hr_composer *composer, const xmlNode *element,
                        enum hr_node_kind kind)
{
    push(composer, element, node_of(composer, element, kind));
    return true;
}

static bool enter_through(struct hr_composer *composer, const xmlNode *element)
{
    push(composer, element, NULL);
    return true;
}

// False: the element's children are not for composing.
static bool enter_element(struct hr_composer *composer, const xmlNode *element)
{
    switch (hr_vocabulary_id(element)) {
    case HR_ELEMENT_REPORT:
    case HR_ELEMENT_INCLUDED:
        return enter_through(composer, element);
    case HR_ELEMENT_SECTION:
        return enter_section(composer, element);
    case HR_ELEMENT_HEADING:
        return enter_heading(composer, element);
    case HR_ELEMENT_P:
        return enter_plain(composer, element, HR_NODE_PARAGRAPH);
    case HR_ELEMENT_LIST:
        return enter_plain(composer, element, HR_NODE_LIST);
    case HR_ELEMENT_ITEM:
        return enter_plain(composer, element, HR_NODE_ITEM);
    case HR_ELEMENT_TABLE:
        return enter_table(composer, element);
    case HR_ELEMENT_CAPTION:
    case HR_ELEMENT_ALT:
        return enter_words(composer, element);
    case HR_ELEMENT_REST:
        return enter_rest(composer, element);
    case HR_ELEMENT_CHART:
        return enter_chart(composer, element);
    case HR_ELEMENT_CALLOUT:
        return enter_callout(composer, element);
    case HR_ELEMENT_NOTE:
        return enter_note(composer, element);
    case HR_ELEMENT_CODE:
        return enter_plain(composer, element, HR_NODE_CODE);
    case HR_ELEMENT_STACK:
        return enter_stack(composer, element);
    case HR_ELEMENT_FACTS:
        return enter_plain(composer, element, HR_NODE_FACTS);
    case HR_ELEMENT_FACT:
        return enter_fact(composer, element);
    case HR_ELEMENT_STRONG:
        return enter_plain(composer, element, HR_NODE_STRONG);
    case HR_ELEMENT_LINK:
        return enter_link(composer, element);
    case HR_ELEMENT_VALUE:
        append_value(composer, hr_scope_value(&composer->scope, element, "of"));
        return false;
    case HR_ELEMENT_PLURAL:
        append_plural(composer, element);
        return false;
    case HR_ELEMENT_IF:
        return hr_scope_holds(&composer->scope, element) && enter_through(composer, element);
    case HR_ELEMENT_FOR_EACH:
        return enter_loop(composer, element);
    case HR_ELEMENT_NAMES:
    case HR_ELEMENT_NAME:
    case HR_ELEMENT_COLUMN:
        return false;
    case HR_ELEMENTS_COUNT:
        break;
    }
    g_assert_not_reached();
}

// A loop's <rest> belongs to its end, all else to its rounds.
static bool is_due(struct hr_composer *composer, const xmlNode *node)
{
    if (composer->open_count == 0 || !innermost(composer)->rounds) {
        return true;
    }
    bool is_rest = node->type == XML_ELEMENT_NODE && hr_vocabulary_id(node) == HR_ELEMENT_REST;
    return is_rest == innermost(composer)->in_rest;
}

static bool enter(struct hr_composer *composer, const xmlNode *node)
{
    if (!is_due(composer, node)) {
        return false;
    }
    if (node->type == XML_ELEMENT_NODE) {
        return enter_element(composer, node);
    }
    if (hr_vocabulary_content(node->parent) == HR_CONTENT_INLINE) {
        append_text(composer, (const char *)node->content);
    }
    return false;
}

// True when the loop goes on with its children once more.
static bool repeat(struct hr_composer *composer, struct hr_open *open)
{
    const char *name = hr_template_attribute(open->element, "as");
    if (!open->in_rest && ++open->round < open->rounds_count) {
        hr_scope_set(&composer->scope, name, json_array_get(open->rounds, open->round));
        return true;
    }
    hr_scope_unset(&composer->scope, open->in_rest ? "rest" : name);
    size_t cut_count = json_array_size(open->rounds) - open->rounds_count;
    if (!open->in_rest && cut_count > 0) {
        open->in_rest = true;
        hr_scope_set_number(&composer->scope, "rest", "count", (double)cut_count);
        return true;
    }
    json_decref(open->rounds);
    open->rounds = NULL;
    return false;
}

// The plain text of inline nodes.
static const char *flatten(struct hr_arena *arena, const struct hr_node *words)
{
    g_autoptr(GString) text = g_string_new(NULL);
    struct hr_node_iterator iterator = {.root = words};
    while (hr_node_iterator_next(&iterator)) {
        const struct hr_node *node = iterator.node;
        if (!iterator.entering) {
            continue;
        }
        if (node->kind == HR_NODE_VALUE) {
            hr_value_append(text, &node->value);
        } else if (node->kind == HR_NODE_TEXT || node->kind == HR_NODE_SYMBOL) {
            g_string_append(text, node->text);
        }
    }
    return hr_arena_strdup(arena, g_strstrip(text->str));
}

static void leave_words(struct hr_composer *composer, const struct hr_open *open,
                        const struct hr_open *owner)
{
    const char *words = flatten(composer->scope.arena, open->node);
    enum hr_element_id id = hr_vocabulary_id(open->element);
    if (id == HR_ELEMENT_REST) {
        if (!hr_composer_label_rest(owner->table, words)) {
            owner->table->rest_note = words;
        }
        hr_scope_unset(&composer->scope, "rest");
    } else if (owner->table) {
        owner->table->caption = words;
    } else if (id == HR_ELEMENT_CAPTION) {
        owner->chart->caption = words;
    } else {
        owner->chart->alt = words;
    }
}

// What is empty after all conditions would only leave a gap.
static bool is_worth_keeping(const struct hr_node *node)
{
    switch (node->kind) {
    case HR_NODE_PARAGRAPH:
    case HR_NODE_LIST:
    case HR_NODE_ITEM:
    case HR_NODE_FACTS:
    case HR_NODE_CALLOUT:
    case HR_NODE_HEADING:
        return node->first_child != NULL;
    case HR_NODE_SECTION:
        return node->first_child &&
               (node->first_child->kind != HR_NODE_HEADING || node->first_child->next);
    case HR_NODE_CODE:
        return *node->text;
    default:
        return true;
    }
}

// A container's text does not end in a blank.
static void trim_end(struct hr_composer *composer, const struct hr_node *node)
{
    struct hr_node *last = node->last_child;
    if (last && last->kind == HR_NODE_TEXT && g_str_has_suffix(last->text, " ")) {
        last->text = hr_arena_strndup(composer->scope.arena, last->text, strlen(last->text) - 1);
    }
}

static void leave_node(struct hr_composer *composer, struct hr_open *open)
{
    struct hr_node *node = open->node;
    bool is_inline = node->kind == HR_NODE_STRONG || node->kind == HR_NODE_LINK;
    if (node->kind == HR_NODE_CODE || node->kind == HR_NODE_FACT) {
        node->text = flatten(composer->scope.arena, node);
        node->first_child = node->last_child = NULL;
    } else if (!is_inline) {
        trim_end(composer, node);
    }
    if (!is_inline) {
        composer->text_ends_blank = open->text_ends_blank;
    }
    composer->into = open->parent;
    if (is_worth_keeping(node)) {
        hr_node_append(composer->into, node);
    }
}

// True when the element's children are to be entered again.
static bool leave(struct hr_composer *composer)
{
    struct hr_open *open = innermost(composer);
    if (open->rounds && repeat(composer, open)) {
        return true;
    }
    enum hr_element_id id = hr_vocabulary_id(open->element);
    const struct hr_open *owner = open - 1;
    composer->open_count--;
    if (id == HR_ELEMENT_CAPTION || id == HR_ELEMENT_ALT || (id == HR_ELEMENT_REST && open->node)) {
        composer->into = open->parent;
        composer->text_ends_blank = open->text_ends_blank;
        while (!owner->table && !owner->chart) {
            owner--; // <if> and <included> stand between
        }
        leave_words(composer, open, owner);
    } else if (open->node) {
        leave_node(composer, open);
    }
    if (id == HR_ELEMENT_CHART) {
        hr_scope_unset(&composer->scope, "chart");
    }
    return false;
}

void hr_composer_walk(struct hr_composer *composer, const xmlNode *root)
{
    const xmlNode *node = root;
    while (node) {
        unsigned open_before = composer->open_count;
        if (enter(composer, node) && node->children) {
            node = node->children;
            continue;
        }
        while (composer->open_count > open_before) {
            leave(composer); // entered, but without children
        }
        while (node != root && !node->next) {
            node = node->parent;
            if (leave(composer)) {
                break;
            }
        }
        if (composer->open_count > 0 && innermost(composer)->element == node) {
            node = node->children; // the loop goes round
        } else {
            node = node == root ? NULL : node->next;
        }
    }
}
