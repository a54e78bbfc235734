// SPDX-License-Identifier: MIT
#include "document/node.h"

#include <string.h>

struct hr_node *hr_node_new(struct hr_arena *arena, enum hr_node_kind kind)
{
    struct hr_node *node = HR_ARENA_NEW(arena, struct hr_node);
    node->kind = kind;
    return node;
}

struct hr_node *hr_node_append(struct hr_node *parent, struct hr_node *child)
{
    g_assert(!child->parent);
    child->parent = parent;
    if (parent->last_child) {
        parent->last_child->next = child;
    } else {
        parent->first_child = child;
    }
    parent->last_child = child;
    return child;
}

const char *hr_document_word(const struct hr_document *document, const char *id)
{
    for (unsigned i = 0; i < document->words_count; i++) {
        if (strcmp(document->words[i].id, id) == 0) {
            return document->words[i].text;
        }
    }
    return "";
}

bool hr_node_iterator_next(struct hr_node_iterator *iterator)
{
    const struct hr_node *node = iterator->node;
    if (!node) {
        iterator->node = iterator->root;
        iterator->entering = true;
        return iterator->root != NULL;
    }
    if (iterator->entering && node->first_child) {
        iterator->node = node->first_child;
        return true;
    }
    if (iterator->entering) {
        iterator->entering = false;
        return true;
    }
    if (node == iterator->root) {
        return false;
    }
    iterator->entering = node->next != NULL;
    iterator->node = node->next ? node->next : node->parent;
    return true;
}
