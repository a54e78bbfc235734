// SPDX-License-Identifier: MIT
// Walks the checked template once, entering and leaving its elements, and grows the node tree.
#include "document/composer.h"

struct hr_open *hr_composer_innermost(struct hr_composer *composer)
{
    return &composer->open[composer->open_count - 1];
}

struct hr_open *hr_composer_push(struct hr_composer *composer, const xmlNode *element,
                                 struct hr_node *node)
{
    g_assert(composer->open_count < G_N_ELEMENTS(composer->open));
    struct hr_open *open = &composer->open[composer->open_count++];
    *open = (struct hr_open){.element = element,
                             .composition = hr_composition_get(element),
                             .node = node,
                             .parent = composer->into,
                             .text_ends_blank = composer->text_ends_blank};
    if (node) {
        composer->into = node;
        composer->text_ends_blank = true;
    }
    return open;
}

static bool enter(struct hr_composer *composer, const xmlNode *node)
{
    if (!hr_composer_is_due(composer, node)) {
        return false;
    }
    if (node->type == XML_ELEMENT_NODE) {
        return hr_composition_get(node)->enter(composer, node);
    }
    if (hr_vocabulary_content(node->parent) == HR_CONTENT_INLINE) {
        hr_composer_append_text(composer, (const char *)node->content);
    }
    return false;
}

// True when the element's children are to be entered again.
static bool leave(struct hr_composer *composer)
{
    struct hr_open *open = hr_composer_innermost(composer);
    if (hr_composer_repeat(composer, open)) {
        return true;
    }
    composer->open_count--;
    open->composition->leave(composer, open);
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
        if (composer->open_count > 0 && hr_composer_innermost(composer)->element == node) {
            node = node->children; // the loop goes round
        } else {
            node = node == root ? NULL : node->next;
        }
    }
}
