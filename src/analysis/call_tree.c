// SPDX-License-Identifier: MIT
// A node knows its stacks as a range of one array, which its children divide. It is drawn out only
// when it was given a line, so what would be cut in the end is never built.
#include "analysis/call_tree.h"

#include "analysis/inward.h"

#define OTHER_NAME "(other)"
#define NO_NODE UINT32_MAX
#define ROOT 0 // no call itself: holds those that were called by nobody

struct node {
    uint32_t parent;
    uint32_t function;     // that names its calls
    uint32_t frames_count; // in a row
    uint32_t begin;        // of its stacks in tree->stacks
    uint32_t end;
    uint32_t child; // its children stand together
    uint32_t children_count;
    uint32_t shown_count; // of its children, those that have a line
    double moved_bytes;   // growth of its stacks, whatever its sign
    struct hr_change change;
    bool responsible; // its innermost call is the outermost that answers for some of its stacks
    bool beyond;      // a call that holds it is
    bool ahead;       // its stacks were stepped beyond its innermost call
    bool shown;
};

struct tree {
    struct hr_inward inward;
    const struct hr_difference *difference;
    const uint32_t *responsible_frames;
    struct hr_inward_stack *stacks; // of one suspect
    GArray *nodes;                  // struct node; a parent before its children
    uint32_t lines_count;           // with those of "(other)"
};

static struct node *node_at(const struct tree *tree, uint32_t index)
{
    return &g_array_index(tree->nodes, struct node, index);
}

static void add_stack(const struct tree *tree, struct node *node, uint32_t stack)
{
    const struct hr_change *change = &tree->difference->stacks[stack];
    hr_side_add(&node->change.base, &change->base);
    hr_side_add(&node->change.final, &change->final);
    node->moved_bytes += fabs(hr_change_growth_bytes(change));
    node->end++;
}

static bool is_responsible(const struct tree *tree, const struct node *node)
{
    for (uint32_t i = node->begin; i < node->end; i++) {
        if (tree->stacks[i].frame == tree->responsible_frames[tree->stacks[i].stack]) {
            return true;
        }
    }
    return false;
}

// Also true at the innermost end of all.
static bool stand_together(const struct tree *tree, const struct node *node)
{
    for (uint32_t i = node->begin; i < node->end; i++) {
        if (tree->stacks[i].function != tree->stacks[node->begin].function) {
            return false;
        }
    }
    return true;
}

static bool at_end(const struct tree *tree, const struct node *node)
{
    return node->ahead && stand_together(tree, node) &&
           tree->stacks[node->begin].function == HR_INWARD_END;
}

static bool is_app(const struct tree *tree, const struct node *node)
{
    return tree->inward.ends_at_allocator[tree->stacks[node->begin].frame] == HR_FRAME_APP;
}

// Goes on to where the stacks of the node part, but not beyond the call that answers for them. Its
// name is that of this call, else of the innermost of the program's own, else of the outermost:
// what is nearest to who reads it.
static void run_on(const struct tree *tree, struct node *node)
{
    while (node->beyond || !is_responsible(tree, node)) {
        hr_inward_step(&tree->inward, tree->stacks + node->begin, node->end - node->begin);
        const uint32_t function = tree->stacks[node->begin].function;
        if (function == HR_INWARD_END || !stand_together(tree, node)) {
            node->ahead = true;
            return;
        }
        if (is_app(tree, node)) {
            node->function = function;
        }
        node->frames_count++;
    }
    node->function = tree->stacks[node->begin].function;
    node->responsible = true;
}

static void add_children(const struct tree *tree, uint32_t index)
{
    const struct node node = *node_at(tree, index);
    struct hr_inward_stack *const stacks = tree->stacks;
    if (!node.ahead) {
        hr_inward_step(&tree->inward, stacks + node.begin, node.end - node.begin);
    }
    hr_inward_sort(stacks + node.begin, node.end - node.begin);
    const guint first = tree->nodes->len;
    for (uint32_t i = node.begin; i < node.end && stacks[i].function != HR_INWARD_END;) {
        struct node child = {.parent = index,
                             .function = stacks[i].function,
                             .frames_count = 1,
                             .begin = i,
                             .end = i,
                             .beyond = node.responsible || node.beyond};
        while (child.end < node.end && stacks[child.end].function == child.function) {
            add_stack(tree, &child, stacks[child.end].stack);
        }
        i = child.end;
        run_on(tree, &child);
        g_array_append_val(tree->nodes, child);
    }
    node_at(tree, index)->child = first;
    node_at(tree, index)->children_count = tree->nodes->len - first;
    // What all that a call holds goes straight to its end through says nothing new.
    if (index != ROOT && tree->nodes->len - first == 1) {
        const struct node *only = node_at(tree, first);
        if (only->end - only->begin == node.end - node.begin && at_end(tree, only) &&
            !only->responsible) {
            node_at(tree, index)->children_count = 0;
        }
    }
}

// One line more for the parts of a node that have none, where others have.
static uint32_t other_lines(const struct node *node, uint32_t shown_count)
{
    return shown_count > 0 && shown_count < node->children_count ? 1 : 0;
}

// False when there is no line left for it.
static bool show(struct tree *tree, uint32_t index)
{
    struct node *parent = node_at(tree, node_at(tree, index)->parent);
    const uint32_t lines = tree->lines_count + 1 + other_lines(parent, parent->shown_count + 1) -
                           other_lines(parent, parent->shown_count);
    if (lines > HR_CALL_TREE_LINES_MAX) {
        return false;
    }
    tree->lines_count = lines;
    parent->shown_count++;
    node_at(tree, index)->shown = true;
    add_children(tree, index);
    return true;
}

// Of those whose parent has a line; of equals the one whose first stack came first.
static uint32_t find_next(const struct tree *tree)
{
    uint32_t next = NO_NODE;
    for (uint32_t n = 0; n < tree->nodes->len; n++) {
        const struct node *parent = node_at(tree, n);
        for (uint32_t c = parent->child; c < parent->child + parent->children_count; c++) {
            const struct node *child = node_at(tree, c);
            const struct node *best = next == NO_NODE ? NULL : node_at(tree, next);
            if (!child->shown &&
                (!best || child->moved_bytes > best->moved_bytes ||
                 (child->moved_bytes == best->moved_bytes &&
                  tree->stacks[child->begin].stack < tree->stacks[best->begin].stack))) {
                next = c;
            }
        }
    }
    return next;
}

static void grow(struct tree *tree, uint32_t stacks_count)
{
    g_array_set_size(tree->nodes, 0);
    tree->lines_count = 0;
    const struct node root = {.parent = NO_NODE, .end = stacks_count};
    g_array_append_val(tree->nodes, root);
    add_children(tree, ROOT);
    uint32_t next = find_next(tree);
    while (next != NO_NODE && show(tree, next)) {
        next = find_next(tree);
    }
}

// A line that waits to be written.
struct pending {
    uint32_t index; // NO_NODE: an "(other)", of the sums beside
    int32_t parent_index;
    unsigned depth;
    struct hr_change change;
};

static int by_growth(gconstpointer a, gconstpointer b, gpointer tree)
{
    const struct node *left = node_at(tree, *(const uint32_t *)a);
    const struct node *right = node_at(tree, *(const uint32_t *)b);
    const double left_growth = hr_change_growth_bytes(&left->change);
    const double right_growth = hr_change_growth_bytes(&right->change);
    if (left_growth != right_growth) {
        return left_growth < right_growth ? 1 : -1;
    }
    const struct hr_inward_stack *stacks = ((const struct tree *)tree)->stacks;
    return (stacks[left->begin].stack > stacks[right->begin].stack) -
           (stacks[left->begin].stack < stacks[right->begin].stack);
}

// Pushes the children of a node so that the one that grew most is popped first, "(other)" last.
static void push_children(struct tree *tree, uint32_t index, int32_t written, unsigned depth,
                          GArray *waiting)
{
    const struct node *node = node_at(tree, index);
    struct pending line = {.index = NO_NODE, .parent_index = written, .depth = depth};
    g_autoptr(GArray) shown = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    for (uint32_t c = node->child; c < node->child + node->children_count; c++) {
        const struct node *child = node_at(tree, c);
        if (child->shown) {
            g_array_append_val(shown, c);
        } else {
            hr_side_add(&line.change.base, &child->change.base);
            hr_side_add(&line.change.final, &child->change.final);
        }
    }
    if (other_lines(node, node->shown_count) > 0) {
        g_array_append_val(waiting, line);
    }
    g_array_sort_with_data(shown, by_growth, tree);
    for (guint i = shown->len; i-- > 0;) {
        line.index = g_array_index(shown, uint32_t, i);
        line.change = node_at(tree, line.index)->change;
        g_array_append_val(waiting, line);
    }
}

// The suspect's spread, which an interval of mixed sizes needs, is not known of a branch.
static struct hr_call call_of(const struct tree *tree, const struct hr_suspect *suspect,
                              const struct pending *line)
{
    const struct hr_estimate growth = hr_change_growth(&line->change, 0);
    struct hr_call call = {.parent_index = line->parent_index,
                           .depth = line->depth,
                           .function = OTHER_NAME,
                           .base_bytes = line->change.base.bytes,
                           .final_bytes = line->change.final.bytes,
                           .growth = growth,
                           .significant = growth.low > 0 || growth.high < 0,
                           .share_ratio = growth.value / suspect->growth.value};
    if (suspect->mixed_sizes) {
        call.growth = (struct hr_estimate){growth.value, NAN, NAN};
        call.significant = suspect->significant;
    }
    if (line->index != NO_NODE) {
        const struct node *node = node_at(tree, line->index);
        call.function = tree->inward.names->name[node->function];
        call.frames_count = node->frames_count;
        call.responsible = node->responsible;
    }
    return call;
}

static struct hr_call_tree write_preorder(struct hr_arena *arena, struct tree *tree,
                                          const struct hr_suspect *suspect)
{
    if (tree->lines_count < 2) {
        return (struct hr_call_tree){0};
    }
    struct hr_call *calls = HR_ARENA_ARRAY(arena, struct hr_call, tree->lines_count);
    size_t count = 0;
    g_autoptr(GArray) waiting = g_array_new(FALSE, FALSE, sizeof(struct pending));
    push_children(tree, ROOT, -1, 0, waiting);
    while (waiting->len > 0) {
        const struct pending line = g_array_index(waiting, struct pending, waiting->len - 1);
        g_array_set_size(waiting, waiting->len - 1);
        calls[count++] = call_of(tree, suspect, &line);
        if (line.index != NO_NODE) {
            push_children(tree, line.index, (int32_t)count - 1, line.depth + 1, waiting);
        }
    }
    return (struct hr_call_tree){calls, count};
}

// The suspect of a stack that holds something in base or final; -1: none.
static int32_t suspect_of(const struct hr_groups *groups, const int32_t *suspect_of_group,
                          const struct hr_difference *difference, uint32_t stack)
{
    const struct hr_change *change = &difference->stacks[stack];
    const bool held = change->base.bytes > 0 || change->final.bytes > 0;
    return held ? suspect_of_group[groups->of_stack[stack]] : -1;
}

// The stacks of each suspect beside each other: those of suspect i end where those of the next
// begin. begins[suspects_count] is how many there are.
static struct hr_inward_stack *gather(const struct hr_inward *inward,
                                      const struct hr_groups *groups,
                                      const int32_t *suspect_of_group,
                                      const struct hr_difference *difference, size_t suspects_count,
                                      uint32_t *begins)
{
    const uint32_t stacks_count = hr_stacks_count(inward->run->stacks);
    for (uint32_t s = 0; s < stacks_count; s++) {
        const int32_t suspect = suspect_of(groups, suspect_of_group, difference, s);
        if (suspect >= 0) {
            begins[suspect]++;
        }
    }
    for (size_t i = 1; i <= suspects_count; i++) {
        begins[i] += begins[i - 1];
    }
    struct hr_inward_stack *stacks = g_new(struct hr_inward_stack, begins[suspects_count] + 1);
    // from the back, so that each end becomes a begin and stacks keep their order
    for (uint32_t s = stacks_count; s-- > 0;) {
        const int32_t suspect = suspect_of(groups, suspect_of_group, difference, s);
        if (suspect >= 0) {
            stacks[--begins[suspect]] = hr_inward_start(inward, s);
        }
    }
    return stacks;
}

void hr_call_trees_compute(struct hr_arena *arena, const struct hr_run *run,
                           const struct hr_symbols *symbols, const struct hr_function_names *names,
                           const struct hr_groups *groups, const int32_t *suspect_of_group,
                           const struct hr_difference *difference, struct hr_findings *findings)
{
    const size_t count = findings->suspects_count;
    struct hr_call_tree *trees = HR_ARENA_ARRAY(arena, struct hr_call_tree, count);
    struct tree tree = {.inward = {run, symbols, names, findings->frame_kinds},
                        .difference = difference,
                        .responsible_frames = findings->responsible_frames,
                        .nodes = g_array_new(FALSE, FALSE, sizeof(struct node))};
    g_autofree uint32_t *begins = g_new0(uint32_t, count + 1);
    g_autofree struct hr_inward_stack *stacks =
        gather(&tree.inward, groups, suspect_of_group, difference, count, begins);
    for (size_t i = 0; i < count; i++) {
        tree.stacks = stacks + begins[i];
        grow(&tree, begins[i + 1] - begins[i]);
        trees[i] = write_preorder(arena, &tree, &findings->suspects[i]);
    }
    g_array_free(tree.nodes, TRUE);
    findings->call_trees = trees;
}
