// SPDX-License-Identifier: MIT
#include "analysis/comparison.h"
#include "analysis/findings.h"
#include "world.h"

#include <math.h>
#include <string.h>

#define RATE 524288
#define MIB 1048576.0

static struct hr_comparison_side side_of(struct test_world *world, const char *build_id)
{
    const struct hr_symbols *symbols = test_world_symbols(world);
    for (uint32_t m = 0; m < symbols->modules_count; m++) {
        ((struct hr_module *)(uintptr_t)&symbols->modules[m])->build_id = build_id;
    }
    return (struct hr_comparison_side){test_world_run(world), symbols, 0};
}

// Findings of base against final; *joined is the caller's.
static const struct hr_findings *compare(struct test_world *base, struct test_world *final,
                                         const char *base_id, const char *final_id,
                                         struct hr_run **joined)
{
    const struct hr_comparison_side from = side_of(base, base_id);
    const struct hr_comparison_side to = side_of(final, final_id);
    const struct hr_symbols *symbols = NULL;
    *joined = hr_comparison_new(&from, &to, &symbols);
    static const size_t points[] = {0, 1};
    struct hr_choice *choice = HR_ARENA_NEW((*joined)->arena, struct hr_choice);
    *choice = (struct hr_choice){.base = 0,
                                 .final = 1,
                                 .peak = 1,
                                 .teardown = HR_CHOICE_NONE,
                                 .points = points,
                                 .points_count = 2};
    const struct hr_analysis_options options = {.limit_bytes = NAN};
    HR_AUTO(hr_diagnostics) diagnostics = hr_diagnostics_new();
    return hr_findings_compute((*joined)->arena, *joined, symbols, choice, test_world_rules(final),
                               &options, diagnostics);
}

static const struct hr_suspect *suspect_of(const struct hr_findings *findings, const char *function)
{
    for (size_t i = 0; i < findings->suspects_count; i++) {
        if (strcmp(findings->suspects[i].function, function) == 0) {
            return &findings->suspects[i];
        }
    }
    return NULL;
}

// Other addresses, other order, another directory: the names are the same.
static void test_rebuilt(void)
{
    HR_AUTO(test_world) base = test_world_new();
    HR_AUTO(test_world) final = test_world_new();
    const uint32_t open = test_world_stack(base, "malloc<app::open@/a/src/open.c<app::main@/a/m.c");
    const uint32_t fill = test_world_stack(base, "malloc<app::fill@/a/src/fill.c<app::main@/a/m.c");
    const struct test_row before[] = {{open, 100, 6400}, {fill, 200, 12800}};
    test_world_dump(base, 5000, RATE, before, 2);
    const uint32_t late = test_world_stack(final, "malloc<app::late@/b/src/l.c<app::main@/b/m.c");
    const uint32_t fill_now =
        test_world_stack(final, "malloc<app::fill@/b/src/fill.c<app::main@/b/m.c");
    const uint32_t open_now =
        test_world_stack(final, "malloc<app::open@/b/src/open.c<app::main@/b/m.c");
    const struct test_row after[] = {
        {open_now, 100, 6400}, {fill_now, 300, 19200}, {late, 50, 3200}};
    test_world_dump(final, 1000, RATE, after, 3);

    HR_AUTO(hr_run) joined = NULL;
    const struct hr_findings *findings = compare(base, final, "11", "22", &joined);
    const struct hr_comparison *comparison = joined->comparison;
    g_assert_cmpfloat_with_epsilon(comparison->by_symbol_ratio, 1, 1e-9);
    g_assert_cmpfloat(comparison->by_offset_ratio, ==, 0);
    g_assert_cmpfloat_with_epsilon(comparison->found_again_ratio, 1, 1e-9);
    g_assert_null(suspect_of(findings, "app::open"));
    const struct hr_suspect *grown = suspect_of(findings, "app::fill");
    g_assert_cmpfloat_with_epsilon(grown->growth.value / MIB, 50, 0.1);
    g_assert_true(grown->significant);
    g_assert_cmpuint(grown->stacks_count, ==, 1); // one stack, met in both
    const struct hr_suspect *fresh = suspect_of(findings, "app::late");
    g_assert_cmpfloat(fresh->base.value, ==, 0);
    g_assert_true(fresh->significant);
    g_assert_cmpuint(findings->breaks_count, ==, 0); // the earlier time is no restart
    g_assert_null(findings->point_times_s);
    g_assert_true(isnan(findings->totals.trend.rate_bytes_per_hour.value));
    g_assert_cmpint(findings->verdict.class, ==, HR_CLASS_HEAP_GROWTH);
    g_assert_cmpstr(findings->verdict.sentence.id, ==, "verdict-compared-more");
    g_assert_cmpint(findings->verdict.confidence, ==, HR_CONFIDENCE_MEDIUM);
}

// One binary: places without a name are told by their offset all the same.
static void test_same_binary(void)
{
    HR_AUTO(test_world) base = test_world_new();
    HR_AUTO(test_world) final = test_world_new();
    const struct test_row before = {test_world_stack(base, "malloc<?<?"), 100, 6400};
    const struct test_row after = {test_world_stack(final, "malloc<?<?"), 104, 6656};
    test_world_dump(base, 1, RATE, &before, 1);
    test_world_dump(final, 2, RATE, &after, 1);
    HR_AUTO(hr_run) joined = NULL;
    const struct hr_findings *findings = compare(base, final, "11", "11", &joined);
    g_assert_cmpfloat_with_epsilon(joined->comparison->by_offset_ratio, 1, 1e-9);
    g_assert_cmpuint(hr_stacks_count(joined->stacks), ==, 1);
    g_assert_cmpfloat(findings->totals.growth.low, <, 0);
    g_assert_cmpfloat(findings->totals.growth.high, >, 0);
    g_assert_false(findings->totals.significant);
}

// Neither one build nor names: nothing is guessed, and the share says so.
static void test_unmatched(void)
{
    HR_AUTO(test_world) base = test_world_new();
    HR_AUTO(test_world) final = test_world_new();
    const struct test_row before = {test_world_stack(base, "malloc<?"), 100, 6400};
    const struct test_row after = {test_world_stack(final, "malloc<?"), 100, 6400};
    test_world_dump(base, 1, RATE, &before, 1);
    test_world_dump(final, 2, RATE, &after, 1);
    HR_AUTO(hr_run) joined = NULL;
    const struct hr_findings *findings = compare(base, final, "11", "22", &joined);
    g_assert_cmpfloat_with_epsilon(joined->comparison->matched_ratio, 0, 1e-9);
    g_assert_cmpuint(hr_stacks_count(joined->stacks), ==, 2);
    g_assert_cmpint(findings->verdict.confidence, ==, HR_CONFIDENCE_LOW);
}

// Two call sites of one function have one key: paired in their order where there are as many, else
// left apart, and their function's sum is right either way.
static void test_call_sites(void)
{
    HR_AUTO(test_world) base = test_world_new();
    HR_AUTO(test_world) final = test_world_new();
    // the module before '!' and the file behind '@' make two places of one name
    const uint32_t one = test_world_stack(base, "malloc<app::f@/x/f.c<app::main");
    const uint32_t two = test_world_stack(base, "malloc<app::f@/y/f.c<app::main");
    const struct test_row before[] = {{one, 100, 6400}, {two, 20, 1280}};
    test_world_dump(base, 1, RATE, before, 2);
    const uint32_t one_now = test_world_stack(final, "malloc<app::f@/x/f.c<app::main");
    const uint32_t two_now = test_world_stack(final, "malloc<app::f@/y/f.c<app::main");
    const uint32_t new_now = test_world_stack(final, "malloc<app::f@/z/f.c<app::main");
    const struct test_row same[] = {{one_now, 100, 6400}, {two_now, 20, 1280}};
    const struct test_row more[] = {{one_now, 100, 6400}, {two_now, 20, 1280}, {new_now, 20, 1280}};
    test_world_dump(final, 2, RATE, same, 2);
    HR_AUTO(hr_run) joined = NULL;
    const struct hr_findings *findings = compare(base, final, "11", "22", &joined);
    g_assert_cmpuint(hr_stacks_count(joined->stacks), ==, 2);
    g_assert_cmpfloat(findings->totals.grown_bytes, ==, 0);

    HR_AUTO(test_world) third = test_world_new();
    test_world_stack(third, "malloc<app::f@/x/f.c<app::main");
    test_world_stack(third, "malloc<app::f@/y/f.c<app::main");
    test_world_stack(third, "malloc<app::f@/z/f.c<app::main");
    test_world_dump(third, 2, RATE, more, 3);
    HR_AUTO(hr_run) again = NULL;
    findings = compare(base, third, "11", "22", &again);
    g_assert_cmpuint(hr_stacks_count(again->stacks), ==, 5);
    g_assert_cmpfloat_with_epsilon(suspect_of(findings, "app::f")->growth.value / MIB, 10, 0.1);
    g_assert_cmpfloat_with_epsilon(again->comparison->found_again_ratio, 1, 1e-9);
}

// The same heap sampled eight times as finely: eight times the samples are no growth.
static void test_other_rate(void)
{
    HR_AUTO(test_world) base = test_world_new();
    HR_AUTO(test_world) final = test_world_new();
    const struct test_row before[] = {{test_world_stack(base, "malloc<app::small"), 100, 6400},
                                      {test_world_stack(base, "malloc<app::large"), 40, 40 << 24}};
    const struct test_row after[] = {{test_world_stack(final, "malloc<app::small"), 800, 51200},
                                     {test_world_stack(final, "malloc<app::large"), 40, 40 << 24}};
    test_world_dump(base, 1, RATE, before, 2);
    test_world_dump(final, 2, RATE / 8, after, 2);
    HR_AUTO(hr_run) joined = NULL;
    const struct hr_findings *findings = compare(base, final, "11", "11", &joined);
    g_assert_false(findings->totals.significant);
    for (size_t i = 0; i < findings->suspects_count; i++) {
        g_assert_false(findings->suspects[i].significant);
    }
    g_assert_cmpint(findings->sampling, ==, HR_SAMPLING_VARYING);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/comparison/rebuilt", test_rebuilt);
    g_test_add_func("/comparison/same-binary", test_same_binary);
    g_test_add_func("/comparison/unmatched", test_unmatched);
    g_test_add_func("/comparison/call-sites", test_call_sites);
    g_test_add_func("/comparison/other-rate", test_other_rate);
    return g_test_run();
}
