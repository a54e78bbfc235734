// SPDX-License-Identifier: MIT
// Inline nodes and values become pieces of a text.
#include "render/page/composer.h"

#include "document/value.h"

void hr_page_append_value(struct hr_passage *text, const struct hr_value *value,
                          struct hr_passage_style style)
{
    g_autoptr(GString) words = g_string_new(NULL);
    hr_value_append(words, value);
    if (value->kind == HR_VALUE_SYMBOL) {
        style.font = style.font == HR_FONT_SANS_BOLD ? HR_FONT_MONO_BOLD : HR_FONT_MONO;
        style.scale = 0.92;
        style.symbol = true;
    } else {
        style.whole = value->kind == HR_VALUE_NUMBER || value->kind == HR_VALUE_TIME;
    }
    if (value->link) {
        style.target = value->link;
        style.paint = HR_PAINT_ACCENT;
    }
    hr_passage_append(text, words->str, style);
}

static struct hr_passage_style bold(struct hr_passage_style style)
{
    style.font = HR_FONT_SANS_BOLD;
    return style;
}

static struct hr_passage_style linked(struct hr_passage_style style, const char *target)
{
    if (target) {
        style.target = target;
        style.paint = HR_PAINT_ACCENT;
    }
    return style;
}

static void append_leaf(struct hr_passage *text, const struct hr_node *node,
                        struct hr_passage_style style)
{
    switch (node->kind) {
    case HR_NODE_TEXT:
        hr_passage_append(text, node->text ? node->text : "", style);
        break;
    case HR_NODE_LINK:
        hr_passage_append(text, node->text ? node->text : "", linked(style, node->target));
        break;
    case HR_NODE_SYMBOL:
        style.font = style.font == HR_FONT_SANS_BOLD ? HR_FONT_MONO_BOLD : HR_FONT_MONO;
        style.scale = 0.92;
        style.symbol = true;
        hr_passage_append(text, node->text ? node->text : "", style);
        break;
    case HR_NODE_VALUE:
        hr_page_append_value(text, &node->value, style);
        break;
    default:
        break;
    }
}

void hr_page_append_inline(struct hr_passage *text, const struct hr_node *node,
                           struct hr_passage_style style)
{
    int strong = 0;
    const char *target = NULL;
    struct hr_node_iterator iterator = {.root = node};
    while (hr_node_iterator_next(&iterator)) {
        const struct hr_node *at = iterator.node;
        if (at == node) {
            continue;
        }
        if (at->kind == HR_NODE_STRONG) {
            strong += iterator.entering ? 1 : -1;
        } else if (at->kind == HR_NODE_LINK && at->first_child) {
            target = iterator.entering ? at->target : NULL;
        }
        if (iterator.entering) {
            append_leaf(text, at, linked(strong > 0 ? bold(style) : style, target));
        }
    }
}
