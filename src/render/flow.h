// SPDX-License-Identifier: MIT
// What the flow formats (HTML, Markdown, text) share: walking the tree with or without the details
// that short formats leave out, lists in lists, and turning inline nodes into one string.
#pragma once

#include "document/node.h"
#include "render/lines.h"

#include <glib.h>
#include <stdbool.h>

// Moves on as hr_node_iterator_next() does, but over nodes that stand in short formats only.
bool hr_flow_next_long(struct hr_node_iterator *iterator);

// How a short format writes blocks. All get the writer; what has no function is walked through.
struct hr_flow_blocks {
    void (*write[HR_NODE_VALUE + 1])(void *writer, const struct hr_node *node); // by kind, whole
    // An item at `depth`, 1 for those of the outermost list; number: of a step, 0 for a bullet.
    void (*begin_item)(void *writer, unsigned depth, unsigned number);
    void (*end_item)(void *writer, unsigned depth);
};

// Writes all blocks of the document but those marked as detail, in its order, into `lines`, where a
// list is one block with all lists in it.
void hr_flow_write_short(const struct hr_document *document, const struct hr_flow_blocks *blocks,
                         void *writer, struct hr_lines *lines);

// How a format writes the kinds of inline text; each appends `text`, escaped, with its marks. NULL
// members write as `text` does.
struct hr_flow_style {
    void (*text)(GString *out, const char *text);
    void (*symbol)(GString *out, const char *text);
    const char *strong_begin;
    const char *strong_end;
};

// Appends the inline children of a block.
void hr_flow_append_inline(GString *out, const struct hr_node *block,
                           const struct hr_flow_style *style);

// Appends a value as `style` writes texts or symbols.
void hr_flow_append_value(GString *out, const struct hr_value *value,
                          const struct hr_flow_style *style);

// A series in `columns` characters of one line, by blocks of eight heights, from zero; gaps stay
// blank.
void hr_flow_append_sparkline(GString *out, const struct hr_chart_series *series, unsigned columns);
