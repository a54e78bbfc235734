// SPDX-License-Identifier: MIT
// The tree is grown from the root, the largest node first, until enough are kept: what would be cut
// in the end is never built. A node knows its stacks as a range of one array, which its children
// divide; so each stack lies under one node at a time and has one place (its next frame inward).
#include "analysis/flame.h"

#include "analysis/inward.h"

#define ROOT_NAME "(all)"
#define OTHER_NAME "(other)"
#define NO_NODE UINT32_MAX

struct node {
    uint32_t parent;
    uint32_t function; // in names; unused for the root
    uint32_t begin;    // of its stacks in tree->members
    uint32_t end;
    uint32_t child; // its children stand together
    uint32_t children_count;
    uint32_t cut_count; // of its children, those that are not kept
    int32_t suspect;
    double base_bytes;
    double final_bytes;
    bool kept;
};

struct tree {
    struct hr_inward inward;
    const struct hr_difference *difference;
    const struct hr_groups *groups;
    const int32_t *suspect_of_group;
    const uint32_t *responsible_frames;
    struct hr_inward_stack *members;
    GArray *nodes;        // struct node; a parent before its children
    GSequence *waiting;   // indices of nodes not yet kept, the largest first
    uint32_t kept_count;  // nodes that are kept
    uint32_t other_count; // of them, those with a child that is not
};

static struct node *node_at(const struct tree *tree, uint32_t index)
{
    return &g_array_index(tree->nodes, struct node, index);
}

static double size_of(const struct node *node)
{
    return fmax(node->base_bytes, node->final_bytes);
}

// By size; of equals the one found first, so that a parent comes before its children.
static int by_size(const struct tree *tree, uint32_t left, uint32_t right)
{
    const double left_size = size_of(node_at(tree, left));
    const double right_size = size_of(node_at(tree, right));
    if (left_size != right_size) {
        return left_size < right_size ? 1 : -1;
    }
    return (left > right) - (left < right);
}

static int compare_waiting(gconstpointer left, gconstpointer right, gpointer tree)
{
    return by_size(tree, GPOINTER_TO_UINT(left), GPOINTER_TO_UINT(right));
}

static void add_stack(const struct tree *tree, struct node *node,
                      const struct hr_inward_stack *member)
{
    const struct hr_change *change = &tree->difference->stacks[member->stack];
    const int32_t suspect = tree->suspect_of_group[tree->groups->of_stack[member->stack]];
    node->base_bytes += change->base.bytes;
    node->final_bytes += change->final.bytes;
    if (suspect >= 0 && member->frame == tree->responsible_frames[member->stack]) {
        node->suspect = suspect;
    }
}

static int by_first_stack(gconstpointer a, gconstpointer b, gpointer members)
{
    const struct node *left = a;
    const struct node *right = b;
    const struct hr_inward_stack *of = members;
    return (of[left->begin].stack > of[right->begin].stack) -
           (of[left->begin].stack < of[right->begin].stack);
}

// Makes the children of a node, in the order in which their stacks came first.
static void add_children(struct tree *tree, uint32_t index)
{
    const struct node node = *node_at(tree, index);
    struct hr_inward_stack *const members = tree->members;
    hr_inward_step(&tree->inward, members + node.begin, node.end - node.begin);
    hr_inward_sort(members + node.begin, node.end - node.begin);
    const guint first = tree->nodes->len;
    uint32_t end;
    for (uint32_t i = node.begin; i < node.end && members[i].function != HR_INWARD_END; i = end) {
        struct node child = {
            .parent = index, .function = members[i].function, .begin = i, .suspect = -1};
        for (end = i; end < node.end && members[end].function == child.function; end++) {
            add_stack(tree, &child, &members[end]);
        }
        child.end = end;
        g_array_append_val(tree->nodes, child);
    }
    const uint32_t count = tree->nodes->len - first;
    g_qsort_with_data(tree->nodes->data + first * sizeof node, (gint)count, sizeof node,
                      by_first_stack, members);
    node_at(tree, index)->child = first;
    node_at(tree, index)->children_count = count;
    node_at(tree, index)->cut_count = count;
}

// Keeps a node if it fits together with one "(other)" for each kept node that lacks a child.
static bool keep(struct tree *tree, uint32_t index)
{
    add_children(tree, index);
    struct node *node = node_at(tree, index);
    struct node *parent = node->parent == NO_NODE ? NULL : node_at(tree, node->parent);
    const uint32_t others = tree->other_count + (node->cut_count > 0 ? 1 : 0) -
                            (parent && parent->cut_count == 1 ? 1 : 0);
    if (tree->kept_count + 1 + others > HR_FLAME_NODES_MAX) {
        return false;
    }
    node->kept = true;
    tree->kept_count++;
    tree->other_count = others;
    if (parent) {
        parent->cut_count--;
    }
    for (uint32_t i = 0; i < node->children_count; i++) {
        g_sequence_insert_sorted(tree->waiting, GUINT_TO_POINTER(node->child + i), compare_waiting,
                                 tree);
    }
    return true;
}

static void grow(struct tree *tree)
{
    bool fits = keep(tree, 0);
    while (fits && !g_sequence_is_empty(tree->waiting)) {
        GSequenceIter *largest = g_sequence_get_begin_iter(tree->waiting);
        const uint32_t index = GPOINTER_TO_UINT(g_sequence_get(largest));
        g_sequence_remove(largest);
        fits = keep(tree, index);
    }
}

// A node that waits to be written.
struct pending {
    uint32_t index; // NO_NODE: an "(other)" with the sums beside
    int32_t parent_index;
    double base_bytes;
    double final_bytes;
};

static int compare_children(gconstpointer a, gconstpointer b, gpointer tree)
{
    return by_size(tree, *(const uint32_t *)a, *(const uint32_t *)b);
}

// Pushes the children of a node so that the largest is popped first and "(other)" last.
static void push_children(struct tree *tree, uint32_t index, int32_t written, GArray *pending)
{
    const struct node *node = node_at(tree, index);
    struct pending other = {NO_NODE, written, 0, 0};
    g_autoptr(GArray) kept = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    for (uint32_t c = node->child; c < node->child + node->children_count; c++) {
        const struct node *child = node_at(tree, c);
        if (child->kept) {
            g_array_append_val(kept, c);
        } else {
            other.base_bytes += child->base_bytes;
            other.final_bytes += child->final_bytes;
        }
    }
    if (node->cut_count > 0) {
        g_array_append_val(pending, other);
    }
    g_array_sort_with_data(kept, compare_children, tree);
    for (guint i = kept->len; i-- > 0;) {
        const struct pending child = {g_array_index(kept, uint32_t, i), written, 0, 0};
        g_array_append_val(pending, child);
    }
}

static void write_preorder(struct hr_arena *arena, struct tree *tree, struct hr_findings *findings)
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
            out->function = next.index == 0 ? ROOT_NAME : tree->inward.names->name[node->function];
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
    struct tree tree = {.inward = {.run = run, .symbols = symbols, .names = names},
                        .difference = difference,
                        .groups = groups,
                        .suspect_of_group = suspect_of_group,
                        .responsible_frames = findings->responsible_frames,
                        .nodes = g_array_new(FALSE, FALSE, sizeof(struct node)),
                        .waiting = g_sequence_new(NULL)};
    const uint32_t stacks_count = hr_stacks_count(run->stacks);
    tree.members = g_new0(struct hr_inward_stack, stacks_count + 1);
    struct node root = {.parent = NO_NODE, .suspect = -1};
    for (uint32_t s = 0; s < stacks_count; s++) {
        const struct hr_change *change = &difference->stacks[s];
        if (change->base.bytes > 0 || change->final.bytes > 0) {
            tree.members[root.end++] = hr_inward_start(&tree.inward, s);
            root.base_bytes += change->base.bytes;
            root.final_bytes += change->final.bytes;
        }
    }
    g_array_append_val(tree.nodes, root);
    grow(&tree);
    write_preorder(arena, &tree, findings);
    g_free(tree.members);
    g_sequence_free(tree.waiting);
    g_array_free(tree.nodes, TRUE);
}
