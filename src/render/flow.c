// SPDX-License-Identifier: MIT
#include "render/flow.h"

#include "document/value.h"

#include <math.h>

void hr_flow_skip(struct hr_node_iterator *iterator)
{
    iterator->entering = false;
}

bool hr_flow_next_short(struct hr_node_iterator *iterator)
{
    while (hr_node_iterator_next(iterator)) {
        if (!iterator->node->detail) {
            return true;
        }
        hr_flow_skip(iterator);
    }
    return false;
}

bool hr_flow_next_long(struct hr_node_iterator *iterator)
{
    while (hr_node_iterator_next(iterator)) {
        if (!iterator->node->brief) {
            return true;
        }
        hr_flow_skip(iterator);
    }
    return false;
}

void hr_flow_append_value(GString *out, const struct hr_value *value,
                          const struct hr_flow_style *style)
{
    g_autoptr(GString) text = g_string_new(NULL);
    hr_value_append(text, value);
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
