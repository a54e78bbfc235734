// SPDX-License-Identifier: MIT
#include "analyse.h"
#include "analysis/call_tree.h"

#include <math.h>

#define RATE 524288
#define BRANCHES 40

// Dumps in which every stack grows evenly, by `grown` objects of 64 bytes in all.
static const struct hr_findings *grow(struct test_world *world, const uint32_t *stacks,
                                      const uint64_t *grown, size_t count)
{
    struct test_row rows[BRANCHES];
    for (uint64_t i = 0; i <= 20; i++) {
        for (size_t s = 0; s < count; s++) {
            const uint64_t objects = 10 + grown[s] * i / 20;
            rows[s] = (struct test_row){stacks[s], objects, objects * 64};
        }
        test_world_dump(world, 1e9 + 60.0 * (double)i, RATE, rows, count);
    }
    return test_analyse(world, NAN, NULL);
}

static void assert_call(const struct hr_call_tree *tree, size_t index, int32_t parent,
                        const char *function, uint32_t frames, bool responsible, double share)
{
    g_assert_cmpuint(index, <, tree->calls_count);
    const struct hr_call *call = &tree->calls[index];
    g_assert_cmpint(call->parent_index, ==, parent);
    g_assert_cmpuint(call->depth, ==, parent < 0 ? 0 : tree->calls[parent].depth + 1);
    g_assert_cmpstr(call->function, ==, function);
    g_assert_cmpuint(call->frames_count, ==, frames);
    g_assert_cmpint(call->responsible, ==, responsible);
    g_assert_cmpfloat_with_epsilon(call->share_ratio, share, 1e-9);
    g_assert_cmpfloat_with_epsilon(call->final_bytes - call->base_bytes, call->growth.value, 1e-3);
}

// Frames that all go through are one line; it ends at the call that answers, and where they part.
static void test_where_stacks_part(void)
{
    HR_AUTO(test_world) world = test_world_new();
    const uint32_t stacks[] = {
        test_world_stack(world, "malloc<std::grow<app::Session::open<app::handle<app::main"),
        test_world_stack(world,
                         "malloc<std::insert<std::map<app::Session::open<app::handle<app::main"),
        test_world_stack(world,
                         "malloc<std::grow<app::Session::open<app::retry<app::handle<app::main"),
    };
    const uint64_t grown[] = {100, 60, 40};
    const struct hr_findings *findings = grow(world, stacks, grown, G_N_ELEMENTS(stacks));
    g_assert_cmpuint(findings->suspects_count, ==, 1);
    const struct hr_call_tree *tree = &findings->call_trees[0];
    g_assert_cmpuint(tree->calls_count, ==, 5);
    assert_call(tree, 0, -1, "app::handle", 2, false, 1);
    assert_call(tree, 1, 0, "app::Session::open", 1, true, 0.8);
    assert_call(tree, 2, 1, "std::grow", 1, false, 0.5);
    assert_call(tree, 3, 1, "std::map", 2, false,
                0.3); // nothing of the program's own: the outermost
    assert_call(tree, 4, 0, "app::Session::open", 2, true, 0.2); // what is in it goes one way
}

// A closure of the function answers for its own stacks: the function around it is the one marked.
static void test_closure_inside(void)
{
    HR_AUTO(test_world) world = test_world_new();
    const uint32_t stacks[] = {
        test_world_stack(world, "malloc<std::grow<app::Session::open<app::main"),
        test_world_stack(world, "malloc<std::grow<app::Session::open::{{closure}}<std::collect<"
                                "app::Session::open<app::main"),
    };
    const uint64_t grown[] = {100, 60};
    const struct hr_findings *findings = grow(world, stacks, grown, G_N_ELEMENTS(stacks));
    g_assert_cmpuint(findings->suspects_count, ==, 1);
    const struct hr_call_tree *tree = &findings->call_trees[0];
    g_assert_cmpuint(tree->calls_count, ==, 3);
    assert_call(tree, 0, -1, "app::Session::open", 2, true, 1);
    assert_call(tree, 1, 0, "std::grow", 1, false, 0.625);
    assert_call(tree, 2, 0, "app::Session::open::{{closure}}", 3, false, 0.375);
}

static void test_one_way(void)
{
    HR_AUTO(test_world) world = test_world_new();
    const uint32_t stack =
        test_world_stack(world, "je_prof<malloc<std::grow<app::Session::open<app::main");
    const uint64_t grown = 100;
    const struct hr_findings *findings = grow(world, &stack, &grown, 1);
    g_assert_cmpuint(findings->suspects_count, ==, 1);
    g_assert_cmpuint(findings->call_trees[0].calls_count, ==, 0);
}

// What has no line is summed: the parts of a line are all of it.
static void test_bounded(void)
{
    HR_AUTO(test_world) world = test_world_new();
    uint32_t stacks[BRANCHES];
    uint64_t grown[BRANCHES];
    double all = 0;
    for (uint32_t i = 0; i < BRANCHES; i++) {
        g_autofree char *names =
            g_strdup_printf("malloc<std::grow<app::Session::open<app::way%u<app::main", i);
        stacks[i] = test_world_stack(world, names);
        grown[i] = 20 * (1 + i);
        all += (double)grown[i];
    }
    const struct hr_findings *findings = grow(world, stacks, grown, BRANCHES);
    const struct hr_call_tree *tree = &findings->call_trees[0];
    g_assert_cmpuint(tree->calls_count, ==, HR_CALL_TREE_LINES_MAX);
    assert_call(tree, 0, -1, "app::main", 1, false, 1);
    double listed = 0;
    for (int32_t i = 1; i < HR_CALL_TREE_LINES_MAX - 1; i++) {
        const double share = 20 * (BRANCHES + 1 - i) / all;
        assert_call(tree, (size_t)i, 0, "app::Session::open", 2, true, share);
        listed += share;
    }
    assert_call(tree, HR_CALL_TREE_LINES_MAX - 1, 0, "(other)", 0, false, 1 - listed);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/call-tree/where-stacks-part", test_where_stacks_part);
    g_test_add_func("/call-tree/closure-inside", test_closure_inside);
    g_test_add_func("/call-tree/one-way", test_one_way);
    g_test_add_func("/call-tree/bounded", test_bounded);
    return g_test_run();
}
