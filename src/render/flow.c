// SPDX-License-Identifier: MIT
#include "render/flow.h"

#include "document/value.h"

#include <math.h>

// Goes to the end of the node just entered: the next step leaves it.
static void skip(struct hr_node_iterator *iterator)
{
    iterator->entering = false;
}

bool hr_flow_next_long(struct hr_node_iterator *iterator)
{
    while (hr_node_iterator_next(iterator)) {
        if (!iterator->node->brief) {
            return true;
        }
        skip(iterator);
    }
    return false;
}

static void enter_short(const struct hr_flow_blocks *blocks, void *writer, GArray *steps,
                        const struct hr_node *node)
{
    if (node->kind == HR_NODE_LIST) {
        const unsigned none = 0;
        g_array_append_val(steps, none);
    } else if (node->kind == HR_NODE_ITEM) {
        const unsigned step = ++g_array_index(steps, unsigned, steps->len - 1);
        const bool numbered = g_strcmp0(node->parent->role, "steps") == 0;
        blocks->begin_item(writer, steps->len, numbered ? step : 0);
    }
}

static void leave_short(const struct hr_flow_blocks *blocks, void *writer, struct hr_lines *lines,
                        GArray *steps, const struct hr_node *node)
{
    if (node->kind == HR_NODE_ITEM) {
        blocks->end_item(writer, steps->len);
    } else if (node->kind == HR_NODE_LIST) {
        g_array_set_size(steps, steps->len - 1);
        if (steps->len == 0) {
            hr_lines_end_block(lines);
        }
    }
}

void hr_flow_write_short(const struct hr_document *document, const struct hr_flow_blocks *blocks,
                         void *writer, struct hr_lines *lines)
{
    // Of the lists that are open, the outermost first: how many items they had so far.
    g_autoptr(GArray) steps = g_array_new(FALSE, FALSE, sizeof(unsigned));
    struct hr_node_iterator iterator = {.root = document->root};
    while (hr_node_iterator_next(&iterator)) {
        const struct hr_node *node = iterator.node;
        if (!iterator.entering) {
            leave_short(blocks, writer, lines, steps, node);
        } else if (node->detail) {
            skip(&iterator);
        } else if (blocks->write[node->kind]) {
            blocks->write[node->kind](writer, node);
            skip(&iterator);
        } else {
            enter_short(blocks, writer, steps, node);
        }
    }
}

void hr_flow_append_value(GString *out, const struct hr_value *value,
                          const struct hr_flow_style *style)
{
    g_autoptr(GString) text = g_string_new(NULL);
    hr_value_append(text, value);
    for (unsigned level = 0; level < value->depth; level++) {
        style->text(out, "· "); // blanks would be lost
    }
    if (value->kind == HR_VALUE_SYMBOL && style->symbol) {
        style->symbol(out, text->str);
    } else {
        style->text(out, text->str);
    }
}

static void append_entered(GString *out, const struct hr_node *node,
                           const struct hr_flow_style *style)
{
    if (node->kind == HR_NODE_TEXT) {
        style->text(out, node->text);
    } else if (node->kind == HR_NODE_SYMBOL) {
        (style->symbol ? style->symbol : style->text)(out, node->text);
    } else if (node->kind == HR_NODE_VALUE) {
        hr_flow_append_value(out, &node->value, style);
    } else if (node->kind == HR_NODE_STRONG && style->strong_begin) {
        g_string_append(out, style->strong_begin);
    }
}

void hr_flow_append_inline(GString *out, const struct hr_node *block,
                           const struct hr_flow_style *style)
{
    struct hr_node_iterator iterator = {.root = block};
    while (hr_node_iterator_next(&iterator)) {
        if (iterator.entering) {
            append_entered(out, iterator.node, style);
        } else if (iterator.node->kind == HR_NODE_STRONG && style->strong_end) {
            g_string_append(out, style->strong_end);
        }
    }
}

// The largest value of the points that share a column, so that peaks stay; NAN where all are gaps.
static double column_value(const struct hr_chart_series *series, unsigned column, unsigned columns)
{
    unsigned first = (unsigned)((guint64)series->count * column / columns);
    unsigned end = (unsigned)((guint64)series->count * (column + 1) / columns);
    double most = NAN;
    for (unsigned i = first; i < MAX(end, first + 1) && i < series->count; i++) {
        most = fmax(most, series->y[i]);
    }
    return most;
}

void hr_flow_append_sparkline(GString *out, const struct hr_chart_series *series, unsigned columns)
{
    double peak = 0;
    columns = MIN(columns, series->count);
    for (unsigned i = 0; i < series->count; i++) {
        peak = fmax(peak, series->y[i]);
    }
    for (unsigned i = 0; i < columns; i++) {
        double value = column_value(series, i, columns);
        if (isnan(value)) {
            g_string_append_c(out, ' ');
            continue;
        }
        int height = peak > 0 ? (int)lround(fmax(value, 0) / peak * 7) : 0;
        g_string_append_unichar(out, 0x2581 + (gunichar)height);
    }
}
