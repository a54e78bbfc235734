// SPDX-License-Identifier: MIT
// What each element of a template becomes: one row of the table at the end for each.
#include "document/charts.h"
#include "document/composer.h"

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

// The word for one of a thing, or for any other number of it.
static bool enter_plural(struct hr_composer *composer, const xmlNode *element)
{
    const json_t *count = hr_scope_find(&composer->scope, hr_template_attribute(element, "of"));
    const bool is_one = json_is_number(count) && json_number_value(count) == 1;
    hr_composer_append_text(composer, hr_template_attribute(element, is_one ? "one" : "many"));
    return false;
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
    hr_composer_push(composer, element, node);
    return true;
}

static bool enter_heading(struct hr_composer *composer, const xmlNode *element)
{
    struct hr_node *node = node_of(composer, element, HR_NODE_HEADING);
    node->level = section_level(composer);
    hr_composer_push(composer, element, node);
    return true;
}

static bool enter_callout(struct hr_composer *composer, const xmlNode *element)
{
    struct hr_node *node = node_of(composer, element, HR_NODE_CALLOUT);
    node->role = hr_arena_strdup(composer->scope.arena, hr_template_attribute(element, "tone"));
    const char *path = hr_template_attribute(element, "of");
    const char *about = path ? json_string_value(hr_scope_find(&composer->scope, path)) : NULL;
    node->text = about ? hr_arena_strdup(composer->scope.arena, about) : NULL;
    hr_composer_push(composer, element, node);
    return true;
}

static bool enter_note(struct hr_composer *composer, const xmlNode *element)
{
    struct hr_node *node = node_of(composer, element, HR_NODE_PARAGRAPH);
    node->role = "note";
    hr_composer_push(composer, element, node);
    return true;
}

static bool enter_fact(struct hr_composer *composer, const xmlNode *element)
{
    struct hr_node *node = node_of(composer, element, HR_NODE_FACT);
    node->value = hr_scope_value(&composer->scope, element, "of");
    if (hr_template_attribute(element, "change")) {
        node->change = hr_scope_value(&composer->scope, element, "change");
    }
    hr_composer_push(composer, element, node);
    return true;
}

static bool enter_link(struct hr_composer *composer, const xmlNode *element)
{
    struct hr_node *node = node_of(composer, element, HR_NODE_LINK);
    node->target = hr_scope_anchor(&composer->scope, element, "to");
    bool blank = composer->text_ends_blank;
    hr_composer_push(composer, element, node);
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
    struct hr_open *open = hr_composer_push(composer, element, node);
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
    hr_composer_push(composer, element, node)->chart = chart;
    json_t *facts = hr_chart_facts(chart);
    hr_scope_set(&composer->scope, "chart", facts);
    json_decref(facts);
    return true;
}

// Words that become one string of their owner: composed aside, flattened when left.
static bool enter_words(struct hr_composer *composer, const xmlNode *element)
{
    hr_composer_push(composer, element, hr_node_new(composer->scope.arena, HR_NODE_PARAGRAPH));
    return true;
}

static bool enter_rest(struct hr_composer *composer, const xmlNode *element)
{
    struct hr_open *owner = hr_composer_innermost(composer);
    if (owner->table) {
        if (owner->cut_count == 0) {
            return false;
        }
        hr_scope_set_number(&composer->scope, "rest", "count", (double)owner->cut_count);
        return enter_words(composer, element);
    }
    hr_composer_push(composer, element, NULL);
    return true;
}

static bool enter_value(struct hr_composer *composer, const xmlNode *element)
{
    hr_composer_append_value(composer, hr_scope_value(&composer->scope, element, "of"));
    return false;
}

static bool enter_plain(struct hr_composer *composer, const xmlNode *element)
{
    hr_composer_push(composer, element,
                     node_of(composer, element, hr_composition_get(element)->kind));
    return true;
}

// What has no node of its own: its children stand where it stands.
static bool enter_through(struct hr_composer *composer, const xmlNode *element)
{
    hr_composer_push(composer, element, NULL);
    return true;
}

static bool enter_if(struct hr_composer *composer, const xmlNode *element)
{
    return hr_scope_holds(&composer->scope, element) && enter_through(composer, element);
}

// What others ask for when they need it.
static bool enter_nothing(struct hr_composer *composer, const xmlNode *element)
{
    (void)composer;
    (void)element;
    return false;
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

static void close_node(struct hr_composer *composer, const struct hr_open *open)
{
    composer->into = open->parent;
    if (is_worth_keeping(open->node)) {
        hr_node_append(composer->into, open->node);
    }
}

static void leave_nothing(struct hr_composer *composer, const struct hr_open *open)
{
    (void)composer;
    (void)open;
}

// The text around goes on behind it.
static void leave_inline(struct hr_composer *composer, const struct hr_open *open)
{
    close_node(composer, open);
}

static void leave_block(struct hr_composer *composer, const struct hr_open *open)
{
    hr_composer_trim_end(composer, open->node);
    composer->text_ends_blank = open->text_ends_blank;
    close_node(composer, open);
}

// Its words become its text.
static void leave_flat(struct hr_composer *composer, const struct hr_open *open)
{
    open->node->text = hr_composer_flatten(composer, open->node);
    open->node->first_child = open->node->last_child = NULL;
    composer->text_ends_blank = open->text_ends_blank;
    close_node(composer, open);
}

static void leave_chart(struct hr_composer *composer, const struct hr_open *open)
{
    leave_block(composer, open);
    hr_scope_unset(&composer->scope, "chart");
}

// The table or chart that words belong to; <if> and <included> stand between.
static const struct hr_open *find_owner(const struct hr_open *open)
{
    const struct hr_open *owner = open - 1;
    while (!owner->table && !owner->chart) {
        owner--;
    }
    return owner;
}

static const char *leave_words(struct hr_composer *composer, const struct hr_open *open)
{
    composer->into = open->parent;
    composer->text_ends_blank = open->text_ends_blank;
    return hr_composer_flatten(composer, open->node);
}

static void leave_caption(struct hr_composer *composer, const struct hr_open *open)
{
    const struct hr_open *owner = find_owner(open);
    const char **caption = owner->table ? &owner->table->caption : &owner->chart->caption;
    *caption = leave_words(composer, open);
}

static void leave_alt(struct hr_composer *composer, const struct hr_open *open)
{
    find_owner(open)->chart->alt = leave_words(composer, open);
}

// That of a loop stands where the loop stands.
static void leave_rest(struct hr_composer *composer, const struct hr_open *open)
{
    if (open->node) {
        struct hr_table *table = find_owner(open)->table;
        const char *words = leave_words(composer, open);
        if (!hr_composer_label_rest(table, words)) {
            table->rest_note = words;
        }
        hr_scope_unset(&composer->scope, "rest");
    }
}

static const struct hr_composition compositions[HR_ELEMENTS_COUNT] = {
    [HR_ELEMENT_REPORT] = {enter_through, leave_nothing, 0},
    [HR_ELEMENT_INCLUDED] = {enter_through, leave_nothing, 0},
    [HR_ELEMENT_NAMES] = {enter_nothing, leave_nothing, 0},
    [HR_ELEMENT_NAME] = {enter_nothing, leave_nothing, 0},
    [HR_ELEMENT_SECTION] = {enter_section, leave_block, 0},
    [HR_ELEMENT_HEADING] = {enter_heading, leave_block, 0},
    [HR_ELEMENT_P] = {enter_plain, leave_block, HR_NODE_PARAGRAPH},
    [HR_ELEMENT_LIST] = {enter_plain, leave_block, HR_NODE_LIST},
    [HR_ELEMENT_ITEM] = {enter_plain, leave_block, HR_NODE_ITEM},
    [HR_ELEMENT_TABLE] = {enter_table, leave_block, 0},
    [HR_ELEMENT_CAPTION] = {enter_words, leave_caption, 0},
    [HR_ELEMENT_ALT] = {enter_words, leave_alt, 0},
    [HR_ELEMENT_COLUMN] = {enter_nothing, leave_nothing, 0},
    [HR_ELEMENT_REST] = {enter_rest, leave_rest, 0},
    [HR_ELEMENT_CHART] = {enter_chart, leave_chart, 0},
    [HR_ELEMENT_CALLOUT] = {enter_callout, leave_block, 0},
    [HR_ELEMENT_NOTE] = {enter_note, leave_block, 0},
    [HR_ELEMENT_CODE] = {enter_plain, leave_flat, HR_NODE_CODE},
    [HR_ELEMENT_STACK] = {enter_stack, leave_nothing, 0},
    [HR_ELEMENT_FACTS] = {enter_plain, leave_block, HR_NODE_FACTS},
    [HR_ELEMENT_FACT] = {enter_fact, leave_flat, 0},
    [HR_ELEMENT_STRONG] = {enter_plain, leave_inline, HR_NODE_STRONG},
    [HR_ELEMENT_LINK] = {enter_link, leave_inline, 0},
    [HR_ELEMENT_VALUE] = {enter_value, leave_nothing, 0},
    [HR_ELEMENT_PLURAL] = {enter_plural, leave_nothing, 0},
    [HR_ELEMENT_IF] = {enter_if, leave_nothing, 0},
    [HR_ELEMENT_FOR_EACH] = {hr_composer_enter_loop, leave_nothing, 0},
};

const struct hr_composition *hr_composition_get(const xmlNode *element)
{
    return &compositions[hr_vocabulary_id(element)];
}
