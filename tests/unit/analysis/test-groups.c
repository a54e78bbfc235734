// SPDX-License-Identifier: MIT
#include "analysis/frame_kinds.h"
#include "analysis/groups.h"
#include "world.h"

#include <string.h>

static void test_globs(void)
{
    static const struct {
        const char *glob, *text;
        bool matches;
    } cases[] = {
        {"malloc", "malloc", true},
        {"malloc", "malloc_x", false},
        {"*malloc", "je_malloc", true},
        {"*a*b*c", "xaybzc", true},
        {"*a*b*c", "xaybz", false},
        {"?lloc", "alloc", true},
        {"", "", true},
        {"*", "", true},
        {"?", "", false},
        {"core::*", "core::fmt::x", true},
        {"*aab", "aaaaab", true},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_assert_cmpint(hr_glob_match(cases[i].glob, cases[i].text), ==, cases[i].matches);
    }
}

static void test_normalised_names(void)
{
    static const struct {
        const char *name, *normalised;
    } cases[] = {
        {"app::open", "app::open"},
        {"app::open::h0123456789abcdef", "app::open"},
        {"app::open::h0123456789abcdeg", "app::open::h0123456789abcdeg"},
        {"app::open::h0123456789abcdef.llvm.4711", "app::open"},
        {"app::open::{{closure}}::{{closure}}::h0123456789abcdef", "app::open"},
        {"app::{{closure}}::inner", "app::{{closure}}::inner"},
        {"parse.cold", "parse"},
        {"parse.isra.0.part.3", "parse"},
        {"parse(int) [clone .constprop.0]", "parse(int)"},
        {"::h0123456789abcdef", "::h0123456789abcdef"},
        {".cold", ".cold"},
        {"", ""},
    };
    HR_AUTO(hr_arena) arena = hr_arena_new();
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_assert_cmpstr(hr_group_normalise_name(arena, cases[i].name), ==, cases[i].normalised);
    }
    const char *fingerprint = hr_group_fingerprint(arena, "app::open");
    g_assert_cmpuint(strlen(fingerprint), ==, 12);
    g_assert_cmpstr(fingerprint, !=, hr_group_fingerprint(arena, "app::close"));
}

// Which function answers for a stack, and with which others it is grouped.
static void test_responsible_frames(void)
{
    static const struct {
        const char *stack, *answers;
    } cases[] = {
        {"malloc<std::grow<app::insert<app::main", "app::insert"},
        {"malloc<liba.so!qsort<app::insert.cold<app::main", "app::insert"},
        {"malloc<liba.so!inner<liba.so!outer<std::start", "inner"},
        {"malloc<std::inner<std::start", "std::inner"},
        {"malloc_outer", "malloc_outer"},
        {"", "[no stack recorded]"},
    };
    HR_AUTO(test_world) world = test_world_new();
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_assert_cmpuint(test_world_stack(world, cases[i].stack), ==, i);
    }
    struct hr_run *run = test_world_run(world);
    const struct hr_symbols *symbols = test_world_symbols(world);
    const enum hr_frame_kind *kinds =
        hr_frame_kinds_compute(run->arena, symbols, test_world_rules(world));
    const uint32_t *frames = hr_responsible_frames_compute(run->arena, run, symbols, kinds);
    const struct hr_groups groups = hr_groups_compute(run->arena, run, symbols, frames);
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_assert_cmpstr(groups.groups[groups.of_stack[i]].name, ==, cases[i].answers);
    }
    g_assert_cmpuint(groups.of_stack[0], ==, groups.of_stack[1]);
    g_assert_cmpuint(groups.count, ==, 5);
}

// Without names the frames that all stacks share are the allocator; what differs answers.
static void test_unnamed_stacks(void)
{
    HR_AUTO(test_world) world = test_world_new();
    struct hr_run *run = test_world_run(world);
    for (uint64_t i = 0; i < 4; i++) {
        test_world_stack(world, "?<?<?");
    }
    // three addresses each: rebuild the stacks so that they share the innermost one
    for (uint64_t i = 0; i < 4; i++) {
        const uint64_t addresses[] = {0x1000, 0x1001 + 3 * i, 0x1002};
        hr_stacks_intern(run->stacks, addresses, 3);
    }
    const struct hr_symbols *symbols = test_world_symbols(world);
    const enum hr_frame_kind *kinds =
        hr_frame_kinds_compute(run->arena, symbols, &(const struct hr_rules){0});
    const uint32_t *frames = hr_responsible_frames_compute(run->arena, run, symbols, kinds);
    const struct hr_groups groups = hr_groups_compute(run->arena, run, symbols, frames);
    for (uint32_t s = 4; s + 1 < hr_stacks_count(run->stacks); s++) {
        g_assert_cmpuint(groups.of_stack[s], !=, groups.of_stack[s + 1]);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/groups/globs", test_globs);
    g_test_add_func("/groups/normalised-names", test_normalised_names);
    g_test_add_func("/groups/responsible-frames", test_responsible_frames);
    g_test_add_func("/groups/unnamed-stacks", test_unnamed_stacks);
    return g_test_run();
}
