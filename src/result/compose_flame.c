// SPDX-License-Identifier: MIT
// flame: the call tree as a flat pre-order list. When there are more nodes than the bounds allow,
// the largest stay and what a kept node loses becomes its child "(other)".
#include "result/composer.h"

#include <math.h>
#include <string.h>

#define OTHER "(other)"

struct sized_node {
    double bytes;
    size_t index;
};

// What was cut beneath one node.
struct cut {
    double base;
    double final;
    double growth;
    bool any;
};

static double node_bytes(const struct hr_flame_node *node)
{
    return fmax(node->base_bytes, node->final_bytes);
}

// Larger first; a parent is at least as large as its child and comes before it, so that what is
// kept is always a tree.
static int compare_nodes(const void *left, const void *right)
{
    const struct sized_node *a = left;
    const struct sized_node *b = right;
    if (a->bytes != b->bytes) {
        return a->bytes > b->bytes ? -1 : 1;
    }
    return (a->index > b->index) - (a->index < b->index);
}

static void choose_nodes(const struct hr_findings *findings, size_t wanted, bool *kept)
{
    const size_t count = findings->flame_count;
    if (count <= wanted) {
        memset(kept, true, count);
        return;
    }
    g_autofree struct sized_node *nodes = g_new(struct sized_node, count);
    for (size_t i = 0; i < count; i++) {
        nodes[i] = (struct sized_node){node_bytes(&findings->flame[i]), i};
    }
    qsort(nodes, count, sizeof *nodes, compare_nodes);
    for (size_t i = 0; i < wanted; i++) {
        kept[nodes[i].index] = true;
    }
    // Sums of rounded numbers may be a hair off: no node without its parent.
    for (size_t i = 0; i < count; i++) {
        const int32_t parent = findings->flame[i].parent_index;
        kept[i] = kept[i] && (parent < 0 || kept[parent]);
    }
}

static void sum_cuts(const struct hr_findings *findings, const bool *kept, struct cut *cuts)
{
    for (size_t i = 0; i < findings->flame_count; i++) {
        const struct hr_flame_node *node = &findings->flame[i];
        if (kept[i] || node->parent_index < 0 || !kept[node->parent_index]) {
            continue;
        }
        struct cut *cut = &cuts[node->parent_index];
        cut->base += node->base_bytes;
        cut->final += node->final_bytes;
        cut->growth += node->growth_bytes;
        cut->any = true;
    }
}

static json_t *compose_node(const struct hr_composer *composer, const struct hr_flame_node *node,
                            json_int_t parent)
{
    const struct hr_findings *findings = composer->findings;
    const bool suspected = node->suspect >= 0 &&
                           (size_t)node->suspect < MIN(findings->suspects_count, HR_SUSPECTS_MAX);
    json_t *entry = json_object();
    hr_json_set(entry, "parent_index", json_integer(parent));
    hr_json_set(entry, "function", hr_composer_name(composer, node->function));
    hr_json_set(entry, "base_bytes", hr_json_integer(node->base_bytes));
    hr_json_set(entry, "final_bytes", hr_json_integer(node->final_bytes));
    hr_json_set(entry, "growth_bytes",
                hr_json_integer(hr_composer_whole_growth(node->base_bytes, node->final_bytes,
                                                         node->growth_bytes)));
    hr_json_set(entry, "suspect",
                suspected ? hr_json_text(findings->suspects[node->suspect].id) : json_null());
    return entry;
}

static void append_other(const struct hr_composer *composer, json_t *flame, const struct cut *cut,
                         json_int_t parent)
{
    const struct hr_flame_node other = {.function = OTHER,
                                        .base_bytes = cut->base,
                                        .final_bytes = cut->final,
                                        .growth_bytes = cut->growth,
                                        .suspect = -1};
    if (cut->any) {
        hr_json_append(flame, compose_node(composer, &other, parent));
    }
}

json_t *hr_compose_flame(const struct hr_composer *composer)
{
    const struct hr_findings *findings = composer->findings;
    const size_t count = findings->flame_count;
    const size_t limit = composer->bounds.flame_nodes;
    g_autofree bool *kept = g_new0(bool, count + 1);
    g_autofree struct cut *cuts = g_new0(struct cut, count + 1);
    g_autofree json_int_t *written = g_new(json_int_t, count + 1); // node -> index in the list
    // Every kept node may get an "(other)".
    choose_nodes(findings, count <= limit ? count : limit / 2, kept);
    sum_cuts(findings, kept, cuts);
    json_t *flame = json_array();
    for (size_t i = 0; i < count; i++) {
        const int32_t parent = findings->flame[i].parent_index;
        if (!kept[i]) {
            continue;
        }
        written[i] = (json_int_t)json_array_size(flame);
        hr_json_append(
            flame, compose_node(composer, &findings->flame[i], parent < 0 ? -1 : written[parent]));
        append_other(composer, flame, &cuts[i], written[i]);
    }
    return flame;
}
