// SPDX-License-Identifier: MIT
// Words: the template's white space, values between them, and words that become one string.
#include "document/composer.h"
#include "document/value.h"

#include <string.h>

void hr_composer_append_text(struct hr_composer *composer, const char *text)
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

void hr_composer_append_value(struct hr_composer *composer, struct hr_value value)
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

const char *hr_composer_flatten(const struct hr_composer *composer, const struct hr_node *words)
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
    return hr_arena_strdup(composer->scope.arena, g_strstrip(text->str));
}

void hr_composer_trim_end(const struct hr_composer *composer, const struct hr_node *node)
{
    struct hr_node *last = node->last_child;
    if (last && last->kind == HR_NODE_TEXT && g_str_has_suffix(last->text, " ")) {
        last->text = hr_arena_strndup(composer->scope.arena, last->text, strlen(last->text) - 1);
    }
}
