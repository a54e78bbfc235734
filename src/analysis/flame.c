// SPDX-License-Identifier: MIT
// The tree is grown in a table of nodes found by (parent, function); then the largest are numbered,
// and written in pre-order with an explicit stack, because depth comes from the input.
#include "analysis/flame.h"

#include <stdlib.h>
#include <string.h>

#define ROOT_NAME "(all)"
#define OTHER_NAME "(other)"
#define NO_NODE UINT32_MAX

struct node {
    uint32_t parent;
    uint32_t function; // in names; unused for the root
    uint32_t next;     // next of its parent's children
    uint32_t child;    // first child
    int32_t suspect;
    double base_bytes;
    double final_bytes;
    bool kept;
};

struct tree {
    GArray *nodes;   // struct node; a parent before its children
    uint32_t *slots; // open addressing; NO_NODE: free
    size_t slots_count;
};

static struct node *node_at(const struct tree *tree, uint32_t index)
{
    return &g_array_index(tree->nodes, struct node, index);
}

static size_t slot_of(const struct tree *tree, uint32_t parent, uint32_t function)
{
    uint64_t hash = ((uint64_t)parent << 32 | function) * 0x9E3779B97F4A7C15u;
    size_t slot = (size_t)(hash >> 32) & (tree->slots_count - 1); // parents move only these bits
    while (tree->slots[slot] != NO_NODE) {
        const struct node *node = node_at(tree, tree->slots[slot]);
        if (node->parent == parent && node->function == function) {
            break;
        }
        slot = (slot + 1) & (tree->slots_count - 1);
    }
    return slot;
}

static void resize_slots(struct tree *tree, size_t count)
{
    g_free(tree->slots);
    tree->slots = g_new(uint32_t, count);
    memset(tree->slots, 0xff, count * sizeof *tree->slots);
    tree->slots_count = count;
    for (uint32_t i = 1; i < tree->nodes->len; i++) {
        const struct node *node = node_at(tree, i);
        tree->slots[slot_of(tree, node->parent, node->function)] = i;
    }
}

static uint32_t find_or_add(struct tree *tree, uint32_t parent, uint32_t function)
{
    size_t slot = slot_of(tree, parent, function);
    if (tree->slots[slot] != NO_NODE) {
        return tree->slots[slot];
    }
    const struct node added = {.parent = parent,
                               .function = function,
                               .next = node_at(tree, parent)->child,
                               .child = NO_NODE,
                               .suspect = -1};
    const uint32_t index = tree->nodes->len;
    g_array_append_val(tree->nodes, added);
    node_at(tree, parent)->child = index;
    tree->slots[slot] = index;
    if (tree->nodes->len * 2 > tree->slots_count) {
        resize_slots(tree, tree->slots_count * 2);
    }
    return index;
}

// Adds one stack, outermost frame first; inlined frames lie innermost first within a location.
static void grow(struct tree *tree, const struct hr_stack *stack, const struct hr_symbols *symbols,
                 const struct hr_function_names *names, const struct hr_change *change,
                 uint32_t responsible, int32_t suspect)
{
    uint32_t at = 0;
    for (uint32_t i = stack->depth; i-- > 0;) {
        const struct hr_location *location = &symbols->locations[stack->locations[i]];
        for (uint32_t k = location->frame_count; k-- > 0;) {
            const uint32_t frame = location->first_frame + k;
            at = find_or_add(tree, at, names->of_frame[frame]);
            node_at(tree, at)->base_bytes += change->base.bytes;
            node_at(tree, at)->final_bytes += change->final.bytes;
            if (frame == responsible && suspect >= 0) {
                node_at(tree, at)->suspect = suspect;
            }
        }
    }
    node_at(tree, 0)->base_bytes += change->base.bytes;
    node_at(tree, 0)->final_bytes += change->final.bytes;
}

static double size_of(const struct node *node)
{
    return fmax(node->base_bytes, node->final_bytes);
}

// A node by size; a parent is never smaller than its children, and of equals comes first.
struct ranked {
    double size;
    uint32_t index;
};

static int by_size(const void *a, const void *b)
{
    const struct ranked *left = a;
    const struct ranked *right = b;
    if (left->size != right->size) {
        return left->size < right->size ? 1 : -1;
    }
    return (left->index > right->index) - (left->index < right->index);
}

static bool has_cut_child(const struct tree *tree, uint32_t index)
{
    for (uint32_t c = node_at(tree, index)->child; c != NO_NODE; c = node_at(tree, c)->next) {
        if (!node_at(tree, c)->kept) {
            return true;
        }
    }
    return false;
}

// Marks as kept as many of the largest nodes as fit together with one "(other)" for each of them
// that lost a child.
static void keep_largest(const struct tree *tree)
{
    const uint32_t count = tree->nodes->len;
    g_autofree struct ranked *ranked = g_new(struct ranked, count);
    for (uint32_t i = 0; i < count; i++) {
        ranked[i] = (struct ranked){size_of(node_at(tree, i)), i};
    }
    qsort(ranked, count, sizeof *ranked, by_size);
    uint32_t kept = MIN(count, HR_FLAME_NODES_MAX);
    for (;;) {
        uint32_t others = 0;
        for (uint32_t i = 0; i < count; i++) {
            node_at(tree, ranked[i].index)->kept = i < kept;
        }
        for (uint32_t i = 0; i < kept; i++) {
            others += has_cut_child(tree, ranked[i].index);
        }
        if (kept + others <= HR_FLAME_NODES_MAX) {
            return;
        }
        kept -= MAX((kept + others - HR_FLAME_NODES_MAX) / 2, 1);
    }
}

// A node that waits to be written.
struct pending {
    uint32_t index; // NO_NODE: an "(other)" with the sums beside
    int32_t parent_index;
    double base_bytes;
    double final_bytes;
};

// Pushes the children of a node so that the largest is popped first and "(other)" last.
static void push_children(const struct tree *tree, uint32_t index, int32_t written, GArray *pending)
{
    struct pending other = {NO_NODE, written, 0, 0};
    g_autoptr(GArray) kept = g_array_new(FALSE, FALSE, sizeof(struct ranked));
    bool cut = false;
    for (uint32_t c = node_at(tree, index)->child; c != NO_NODE; c = node_at(tree, c)->next) {
        const struct node *child = node_at(tree, c);
        if (child->kept) {
            const struct ranked ranked = {size_of(child), c};
            g_array_append_val(kept, ranked);
        } else {
            cut = true;
            other.base_bytes += child->base_bytes;
            other.final_bytes += child->final_bytes;
        }
    }
    if (cut) {
        g_array_append_val(pending, other);
    }
    g_array_sort(kept, by_size);
    for (guint i = kept->len; i-- > 0;) {
        const struct pending child = {g_array_index(kept, struct ranked, i).index, written, 0, 0};
        g_array_append_val(pending, child);
    }
}

static void write_preorder(struct hr_arena *arena, const struct tree *tree,
                           const struct hr_function_names *names, struct hr_findings *findings)
{
    struct hr_flame_node *flame = HR_ARENA_ARRAY(arena, struct hr_flame_node, HR_FLAME_NODES_MAX);
    size_t count = 0;
    g_autoptr(GArray) pending = g_array_new(FALSE, FALSE, sizeof(struct pending));
    const struct pending root = {0, -1, 0, 0};
    g_array_append_val(pending, root);
    while (pending->len > 0) {
        const struct pending next = g_array_index(pending, struct pending, pending->len - 1);
        g_array_set_size(pending, pending->len - 1);
        struct hr_flame_node *out = &flame[count++];
        *out = (struct hr_flame_node){.parent_index = next.parent_index,
                                      .function = OTHER_NAME,
                                      .base_bytes = next.base_bytes,
                                      .final_bytes = next.final_bytes,
                                      .suspect = -1};
        if (next.index != NO_NODE) {
            const struct node *node = node_at(tree, next.index);
            out->function = next.index == 0 ? ROOT_NAME : names->name[node->function];
            out->base_bytes = node->base_bytes;
            out->final_bytes = node->final_bytes;
            out->suspect = node->suspect;
            push_children(tree, next.index, (int32_t)count - 1, pending);
        }
        out->growth_bytes = out->final_bytes - out->base_bytes;
    }
    findings->flame = flame;
    findings->flame_count = count;
}

void hr_flame_compute(struct hr_arena *arena, const struct hr_run *run,
                      const struct hr_symbols *symbols, const struct hr_function_names *names,
                      const struct hr_groups *groups, const int32_t *suspect_of_group,
                      const struct hr_difference *difference, struct hr_findings *findings)
{
    g_autoptr(GArray) nodes = g_array_new(FALSE, FALSE, sizeof(struct node));
    const struct node root = {.parent = NO_NODE, .next = NO_NODE, .child = NO_NODE, .suspect = -1};
    g_array_append_val(nodes, root);
    struct tree tree = {.nodes = nodes};
    resize_slots(&tree, 1024);
    for (uint32_t s = 0; s < hr_stacks_count(run->stacks); s++) {
        const struct hr_change *change = &difference->stacks[s];
        if (change->base.bytes > 0 || change->final.bytes > 0) {
            const struct hr_stack stack = hr_stacks_get(run->stacks, s);
            grow(&tree, &stack, symbols, names, change, findings->responsible_frames[s],
                 suspect_of_group[groups->of_stack[s]]);
        }
    }
    keep_largest(&tree);
    write_preorder(arena, &tree, names, findings);
    g_free(tree.slots);
}
