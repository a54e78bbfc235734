// SPDX-License-Identifier: MIT
#include "analyse.h"

#include <math.h>

#define RATE 524288
#define MIB 1048576.0

static const struct hr_findings *analyse(struct test_world *world)
{
    return test_analyse(world, NAN, NULL);
}

// list + rest = total and grown - shrunk = growth, whatever the run.
static void assert_sums(const struct hr_findings *findings)
{
    const struct hr_totals *totals = &findings->totals;
    double listed = findings->suspects_rest.value;
    for (size_t i = 0; i < findings->suspects_count; i++) {
        listed += findings->suspects[i].growth.value;
    }
    const double tolerance = 1e-9 * fmax(totals->final.value, totals->base.value);
    g_assert_cmpfloat_with_epsilon(listed, totals->growth.value, tolerance);
    g_assert_cmpfloat_with_epsilon(totals->grown_bytes - totals->shrunk_bytes, totals->growth.value,
                                   tolerance);
    g_assert_cmpfloat_with_epsilon(totals->final.value - totals->base.value, totals->growth.value,
                                   tolerance);
    g_assert_cmpfloat_with_epsilon(findings->flame[0].final_bytes, totals->final.value, tolerance);
}

// A leak of 4 samples a dump beside a steady site and a shrinking one.
static void test_leak(void)
{
    HR_AUTO(test_world) world = test_world_new();
    const uint32_t leak = test_world_stack(world, "malloc<std::grow<app::Session::open<app::main");
    const uint32_t steady = test_world_stack(world, "malloc<app::cache<app::main");
    const uint32_t gone = test_world_stack(world, "malloc<app::startup<app::main");
    for (uint64_t i = 0; i < 40; i++) {
        const struct test_row rows[] = {{leak, 10 + 4 * i, (10 + 4 * i) * 640},
                                        {steady, 100 + i % 3, (100 + i % 3) * 64},
                                        {gone, 30 - i / 4, (30 - i / 4) * 64}};
        test_world_dump(world, 1e9 + 60.0 * (double)i, RATE, rows, 3);
    }
    const struct hr_findings *findings = analyse(world);
    assert_sums(findings);
    g_assert_cmpuint(findings->suspects_count, ==, 1);
    const struct hr_suspect *suspect = &findings->suspects[0];
    g_assert_cmpstr(suspect->id, ==, "S1");
    g_assert_cmpstr(suspect->function, ==, "app::Session::open");
    g_assert_cmpstr(suspect->category, ==, "session");
    g_assert_cmpstr(suspect->keywords[1], ==, "Session");
    g_assert_true(suspect->significant);
    g_assert_cmpint(suspect->trend.shape, ==, HR_SHAPE_LINEAR);
    g_assert_cmpfloat_with_epsilon(suspect->growth.value / MIB, 78, 0.1);
    g_assert_cmpfloat(suspect->growth.low / MIB, <, 70);
    g_assert_cmpfloat(suspect->sampled_base_count, ==, 10);
    g_assert_cmpfloat(suspect->sampled_final_count, ==, 166);
    g_assert_cmpfloat_with_epsilon(suspect->mean_object_bytes, 640, 1);
    g_assert_cmpuint(findings->shrunk_count, ==, 1);
    g_assert_cmpstr(findings->shrunk[0].function, ==, "app::startup");
    g_assert_true(findings->totals.significant);
    // what allocated the change itself, then callers by what changed in all they call
    g_assert_cmpstr(findings->functions[0].function, ==, "std::grow");
    g_assert_cmpstr(findings->functions[1].function, ==, "app::startup");
    g_assert_cmpstr(findings->functions[2].function, ==, "app::Session::open");
    g_assert_cmpstr(findings->functions[3].function, ==, "app::main"); // what shrank is in it
    g_assert_cmpstr(findings->functions[4].function, ==, "malloc");
    g_assert_cmpfloat(findings->functions[4].final_flat_bytes, ==, 0);
    g_assert_cmpfloat(findings->functions[0].final_flat_bytes, ==, suspect->final.value);
    g_assert_cmpfloat(findings->symbol_quality.named_bytes_ratio, ==, 1);
}

// A cache that filled ends the heap's growth, so the trend does not count; noise it is not. Beside
// it a heap that churns at one level stays noise.
static void test_total_of_a_filled_cache(void)
{
    HR_AUTO(test_world) filled = test_world_new();
    HR_AUTO(test_world) level = test_world_new();
    for (uint64_t i = 0; i < 40; i++) {
        const uint64_t cache = 20 + 15 * MIN(i, 12) + i % 3;
        const uint64_t churn = 200 + i * 7919 % 23;
        const struct test_row rising = {test_world_stack(filled, "malloc<app::cache<app::main"),
                                        cache, cache * 64};
        const struct test_row swinging = {test_world_stack(level, "malloc<app::cache<app::main"),
                                          churn, churn * 64};
        test_world_dump(filled, 1e9 + 60.0 * (double)i, RATE, &rising, 1);
        test_world_dump(level, 1e9 + 60.0 * (double)i, RATE, &swinging, 1);
    }
    const struct hr_totals *totals = &analyse(filled)->totals;
    g_assert_false(totals->trend.counts);
    g_assert_cmpfloat(totals->growth.low, >, 0);
    g_assert_true(totals->significant);
    g_assert_false(analyse(level)->totals.significant);
}

static void test_one_dump_and_the_same_twice(void)
{
    HR_AUTO(test_world) world = test_world_new();
    const uint32_t stack = test_world_stack(world, "malloc<app::main");
    const struct test_row row = {stack, 10, 640};
    test_world_dump(world, NAN, RATE, &row, 1);
    const struct hr_findings *findings = analyse(world);
    g_assert_cmpfloat(findings->totals.final.value, >, 0);
    g_assert_true(isnan(findings->totals.growth.value)); // not 0: nothing was compared
    g_assert_true(isnan(findings->totals.growth.high));
    g_assert_true(isnan(findings->totals.growth_objects));
    g_assert_true(isnan(findings->totals.grown_bytes) && isnan(findings->totals.shrunk_bytes));
    g_assert_true(isnan(findings->totals.smallest_detectable_bytes));
    g_assert_false(findings->totals.significant);
    g_assert_cmpuint(findings->suspects_count, ==, 0);
    g_assert_null(findings->point_times_s);

    test_world_dump(world, NAN, RATE, &row, 1);
    findings = analyse(world);
    assert_sums(findings);
    g_assert_cmpfloat(findings->totals.growth.value, ==, 0);
    g_assert_cmpuint(findings->suspects_count, ==, 0);
    g_assert_cmpuint(findings->shrunk_count, ==, 0);
    g_assert_false(findings->totals.significant);
}

static void test_no_dumps(void)
{
    HR_AUTO(test_world) world = test_world_new();
    const struct hr_findings *findings = analyse(world);
    g_assert_true(isnan(findings->totals.growth.value));
    g_assert_true(isnan(findings->totals.smallest_detectable_bytes));
    g_assert_cmpuint(findings->suspects_count, ==, 0);
    g_assert_cmpuint(findings->flame_count, ==, 0);
}

// The mixed stack of docs/method.md 1: one live heap, four processes, counts from 8 to 258. Nothing
// grew, and the counts must not say so.
static void test_mixed_sizes(void)
{
    static const uint64_t SEEN[][2] = {
        {8, 134217728}, {253, 4157273}, {256, 2112216}, {258, 1423002}};
    HR_AUTO(test_world) world = test_world_new();
    const uint32_t stack = test_world_stack(world, "malloc<app::mixed<app::main");
    for (size_t i = 0; i < 40; i++) {
        const uint64_t *seen = SEEN[i * 4 / 40];
        const struct test_row row = {stack, seen[0], seen[1]};
        test_world_dump(world, 60.0 * (double)i, RATE, &row, 1);
    }
    const struct hr_findings *findings = analyse(world);
    assert_sums(findings);
    for (size_t i = 0; i < findings->suspects_count; i++) {
        const struct hr_suspect *suspect = &findings->suspects[i];
        g_assert_true(suspect->mixed_sizes);
        g_assert_false(suspect->significant);
        g_assert_true(isnan(suspect->sampled_base_count));
    }
    g_assert_false(findings->totals.significant);
}

// Few dumps of a mixed stack are never significant, however much it grew.
static void test_mixed_sizes_of_few_dumps(void)
{
    HR_AUTO(test_world) world = test_world_new();
    const uint32_t stack = test_world_stack(world, "malloc<app::mixed<app::main");
    for (uint64_t i = 0; i < 4; i++) {
        const struct test_row row = {stack, 20 + 200 * i, (20 + 200 * i) * (262144 + 262144 * i)};
        test_world_dump(world, 60.0 * (double)i, RATE, &row, 1);
    }
    const struct hr_findings *findings = analyse(world);
    g_assert_cmpuint(findings->suspects_count, ==, 1);
    g_assert_true(findings->suspects[0].mixed_sizes);
    g_assert_false(findings->suspects[0].significant);
}

// A vector that doubles is one object of ever new size: mixed, and no count can be tested.
static void test_doubling_vector(void)
{
    HR_AUTO(test_world) world = test_world_new();
    const uint32_t stack = test_world_stack(world, "malloc<std::grow<app::push<app::main");
    for (uint64_t i = 0; i < 20; i++) {
        const struct test_row row = {stack, 1, (uint64_t)65536 << (i / 2)};
        test_world_dump(world, 60.0 * (double)i, RATE, &row, 1);
    }
    const struct hr_findings *findings = analyse(world);
    assert_sums(findings);
    g_assert_cmpuint(findings->suspects_count, ==, 1);
    g_assert_true(findings->suspects[0].mixed_sizes);
    g_assert_true(isnan(findings->suspects[0].sampled_final_count));
    g_assert_cmpfloat_with_epsilon(findings->suspects[0].final.value / MIB, 32, 0.1);
}

static void test_odd_rates(void)
{
    static const struct {
        uint64_t interval, objects, bytes;
        double final_mib;
        enum hr_sampling sampling;
    } cases[] = {
        {1, 1000, 64000, 0.061035, HR_SAMPLING_EVERY},
        {0, 1000, 64000, 0.061035, HR_SAMPLING_EVERY},
        {(uint64_t)1 << 30, 6, 6 * 4096, 6144.01, HR_SAMPLING_SAMPLED},
        {(uint64_t)1 << 63, 1, 81920, 0.078125, HR_SAMPLING_OFF},
        {RATE, 0, 4096, 0.00390625, HR_SAMPLING_SAMPLED},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        HR_AUTO(test_world) world = test_world_new();
        const uint32_t stack = test_world_stack(world, "malloc<app::main");
        const struct test_row row = {stack, cases[i].objects, cases[i].bytes};
        test_world_dump(world, 0, cases[i].interval, &row, 1);
        test_world_dump(world, 60, cases[i].interval, &row, 1);
        const struct hr_findings *findings = analyse(world);
        assert_sums(findings);
        g_assert_cmpfloat_with_epsilon(findings->totals.final.value / MIB, cases[i].final_mib,
                                       0.01);
        g_assert_cmpint(findings->sampling, ==, cases[i].sampling);
        g_assert_cmpfloat(findings->totals.growth.value, ==, 0);
    }
}

// Exact dumps need no test: two of them show a growth for certain.
static void test_exact_growth(void)
{
    HR_AUTO(test_world) world = test_world_new();
    const uint32_t stack = test_world_stack(world, "malloc<app::main");
    const struct test_row rows[] = {{stack, 2, 2000}, {stack, 3, 3000}};
    test_world_dump(world, 0, 1, &rows[0], 1);
    test_world_dump(world, 60, 1, &rows[1], 1);
    const struct hr_findings *findings = analyse(world);
    g_assert_cmpfloat(findings->suspects[0].growth.low, ==, 1000);
    g_assert_cmpfloat(findings->suspects[0].growth.high, ==, 1000);
    g_assert_true(findings->suspects[0].significant);
}

static void test_rate_change_in_one_run(void)
{
    HR_AUTO(test_world) world = test_world_new();
    const uint32_t stack = test_world_stack(world, "malloc<app::main");
    for (uint64_t i = 0; i < 6; i++) {
        const struct test_row row = {stack, 10, 640};
        test_world_dump(world, 60.0 * (double)i, i < 2 ? RATE : RATE / 4, &row, 1);
    }
    const struct hr_findings *findings = analyse(world);
    g_assert_cmpint(findings->sampling, ==, HR_SAMPLING_VARYING);
    g_assert_cmpuint(findings->breaks_count, ==, 1);
    g_assert_cmpint(findings->breaks[0].kind, ==, HR_BREAK_RATE_CHANGE);
    g_assert_cmpuint(findings->breaks[0].dump, ==, 2);
    g_assert_cmpfloat(findings->totals.growth.value, ==, 0);
    g_assert_cmpfloat_with_epsilon(findings->totals.base.value / MIB, 1.25, 0.01);
}

static void test_flame_is_bounded(void)
{
    HR_AUTO(test_world) world = test_world_new();
    enum { STACKS = 3000 };
    g_autofree struct test_row *rows = g_new(struct test_row, STACKS);
    for (unsigned i = 0; i < STACKS; i++) {
        g_autofree char *name = g_strdup_printf("malloc<app::f%u<app::g%u<app::main", i, i % 50);
        rows[i] = (struct test_row){test_world_stack(world, name), 1 + i % 7, (1 + i % 7) * 64};
    }
    test_world_dump(world, 0, RATE, rows, STACKS);
    test_world_dump(world, 60, RATE, rows, STACKS);
    const struct hr_findings *findings = analyse(world);
    assert_sums(findings);
    g_assert_cmpuint(findings->flame_count, <=, 4000);
    g_assert_cmpuint(findings->flame_count, >, 3000);
    double roots = 0;
    bool other = false;
    for (size_t i = 0; i < findings->flame_count; i++) {
        const struct hr_flame_node *node = &findings->flame[i];
        g_assert_cmpint(node->parent_index, <, (int32_t)i);
        roots += node->parent_index == 0 ? node->final_bytes : 0;
        other = other || g_str_equal(node->function, "(other)");
    }
    g_assert_true(other);
    g_assert_cmpfloat_with_epsilon(roots, findings->totals.final.value, 1);
    g_assert_cmpuint(findings->functions_count, ==, 200);
}

static char *make_deep_stack(unsigned depth)
{
    GString *text = g_string_new("malloc");
    for (unsigned i = 1; i < depth; i++) {
        g_string_append_printf(text, "<app::level%u", i);
    }
    return g_string_free(text, FALSE);
}

// Half of the bytes stand under a good stack, the other half under one that something is wrong
// with: exactly that is told, with its share.
static void test_stacks_worth_mending(void)
{
    g_autofree char *cut = make_deep_stack(128);
    g_autofree char *whole = make_deep_stack(127);
    const struct {
        const char *stack;
        bool has_map;
        int code; // 0: nothing
        const char *share;
    } cases[] = {
        {cut, true, HR_DIAG_STACKS_CUT, "0.6000"},
        {whole, true, 0, NULL},
        {"malloc<?<app::main", true, HR_DIAG_FRAMES_OUTSIDE, "0.6000"},
        {"malloc<?<app::main", false, 0, NULL},
        {"malloc", true, HR_DIAG_ONE_FRAME_STACKS, "0.6000"},
    };
    static const int codes[] = {HR_DIAG_STACKS_CUT, HR_DIAG_FRAMES_OUTSIDE,
                                HR_DIAG_ONE_FRAME_STACKS};
    static const struct hr_mapping line = {.start = 1, .end = 2, .path = "/bin/a"};
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        HR_AUTO(test_world) world = test_world_new();
        HR_AUTO(hr_diagnostics) diagnostics = hr_diagnostics_new();
        const struct test_row rows[] = {{test_world_stack(world, "malloc<app::main"), 40, 1 << 20},
                                        {test_world_stack(world, cases[i].stack), 60, 3 << 19}};
        test_world_dump(world, 1e9, 0, rows, 2);
        if (cases[i].has_map) {
            test_world_run(world)->mappings = &line;
            test_world_run(world)->mappings_count = 1;
        }
        test_analyse(world, NAN, diagnostics);
        for (size_t k = 0; k < G_N_ELEMENTS(codes); k++) {
            const struct hr_diagnostic *told =
                hr_diagnostics_find(diagnostics, (enum hr_diagnostic_code)codes[k]);
            g_assert_cmpint(told != NULL, ==, codes[k] == cases[i].code);
            g_assert_cmpstr(told ? told->slots[0].value : NULL, ==, told ? cases[i].share : NULL);
        }
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/findings/leak", test_leak);
    g_test_add_func("/findings/total-of-a-filled-cache", test_total_of_a_filled_cache);
    g_test_add_func("/findings/one-dump-and-the-same-twice", test_one_dump_and_the_same_twice);
    g_test_add_func("/findings/no-dumps", test_no_dumps);
    g_test_add_func("/findings/mixed-sizes", test_mixed_sizes);
    g_test_add_func("/findings/mixed-sizes-of-few-dumps", test_mixed_sizes_of_few_dumps);
    g_test_add_func("/findings/doubling-vector", test_doubling_vector);
    g_test_add_func("/findings/odd-rates", test_odd_rates);
    g_test_add_func("/findings/exact-growth", test_exact_growth);
    g_test_add_func("/findings/rate-change-in-one-run", test_rate_change_in_one_run);
    g_test_add_func("/findings/flame-is-bounded", test_flame_is_bounded);
    g_test_add_func("/findings/stacks-worth-mending", test_stacks_worth_mending);
    return g_test_run();
}
