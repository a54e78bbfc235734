// SPDX-License-Identifier: MIT
#include "render/chart/find.h"

#include <string.h>

static const struct hr_chart *next_chart(struct hr_node_iterator *iterator)
{
    while (hr_node_iterator_next(iterator)) {
        if (iterator->entering && iterator->node->kind == HR_NODE_CHART) {
            return iterator->node->chart;
        }
    }
    return NULL;
}

const struct hr_chart *hr_chart_find(const struct hr_document *document, const char *name,
                                     GError **error)
{
    struct hr_node_iterator iterator = {.root = document->root};
    const struct hr_chart *first = NULL;
    g_autoptr(GString) names = g_string_new(NULL);
    for (const struct hr_chart *chart; (chart = next_chart(&iterator));) {
        const bool wanted =
            name ? strcmp(chart->name, name) == 0 : chart->kind == HR_CHART_TIMELINE;
        if (wanted) {
            return chart;
        }
        first = first ? first : chart;
        g_string_append_printf(names, " %s", chart->name);
    }
    if (!name && first) {
        return first;
    }
    if (name && first) {
        g_set_error(error, HR_ERROR, HR_ERROR_USAGE, "no chart \"%s\"; there are:%s", name,
                    names->str);
    } else {
        g_set_error(error, HR_ERROR, HR_ERROR_USAGE, "this report has no chart");
    }
    return NULL;
}
