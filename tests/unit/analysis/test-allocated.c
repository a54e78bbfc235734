// SPDX-License-Identifier: MIT
// Findings on what was allocated, freed or not: counts that only rise.
#include "analyse.h"

#include <math.h>

#define RATE 16384
#define MIB 1048576.0

static const struct hr_findings *analyse(struct test_world *world)
{
    struct hr_run *run = test_world_run(world);
    run->metric = HR_METRIC_ALLOCATED_BYTES;
    run->accumulates = true;
    return test_analyse(world, 64 * MIB, NULL);
}

// A site that churns and one that stopped before base.
static void fill(struct test_world *world, size_t dumps)
{
    const uint32_t churn = test_world_stack(world, "malloc<app::parse<app::main");
    const uint32_t early = test_world_stack(world, "malloc<app::load<app::main");
    for (uint64_t i = 0; i < dumps; i++) {
        const struct test_row rows[] = {{churn, 100 + 60 * i, (100 + 60 * i) * 512},
                                        {early, 5000, 5000 * 512}};
        test_world_dump(world, 1e9 + 60.0 * (double)i, RATE, rows, 2);
    }
}

static void assert_open(const struct hr_findings *findings)
{
    const struct hr_verdict *verdict = &findings->verdict;
    g_assert_cmpint(verdict->class, ==, HR_CLASS_INCONCLUSIVE);
    g_assert_cmpuint(verdict->contributions_count, ==, 0);
    g_assert_cmpuint(verdict->rules_count, ==, HR_CLASSES_COUNT);
    for (unsigned i = 0; i < verdict->rules_count; i++) {
        g_assert_cmpint(verdict->rules[i].outcome, ==, HR_RULE_UNKNOWN);
    }
    g_assert_false(findings->forecast.known);
    g_assert_cmpuint(findings->balance_count, ==, 0);
    g_assert_true(isnan(findings->totals.smallest_detectable_bytes));
    g_assert_true(isnan(findings->totals.coverage_ratio));
}

// The same counts as live bytes would be a leak, and nothing but one.
static void test_no_leak_is_claimed(void)
{
    static const size_t dumps[] = {2, 5, 40};
    for (size_t i = 0; i < G_N_ELEMENTS(dumps); i++) {
        HR_AUTO(test_world) world = test_world_new();
        fill(world, dumps[i]);
        const struct hr_findings *findings = analyse(world);
        assert_open(findings);
        g_assert_cmpstr(findings->verdict.sentence.id, ==, "verdict-allocated");
        g_assert_cmpuint(findings->suspects_count, ==, 1);
        g_assert_cmpstr(findings->suspects[0].function, ==, "app::parse");
        g_assert_true(findings->suspects[0].significant);
        g_assert_true(findings->totals.significant);
    }
}

// What stood in both dumps is known to be the same: its error is none of the growth's.
static void test_error_of_the_samples_between(void)
{
    HR_AUTO(test_world) world = test_world_new();
    fill(world, 2);
    const struct hr_totals *totals = &analyse(world)->totals;
    const double weight = 512 / -expm1(-512.0 / RATE);
    g_assert_cmpfloat_with_epsilon(totals->growth.value, 60 * weight, 1);
    const double sigma = weight * sqrt((60 + 2) * exp(-512.0 / RATE));
    g_assert_cmpfloat_with_epsilon(totals->growth.high - totals->growth.value, 1.96 * sigma, 1);
}

static void test_one_dump(void)
{
    HR_AUTO(test_world) world = test_world_new();
    fill(world, 1);
    const struct hr_findings *findings = analyse(world);
    assert_open(findings);
    g_assert_cmpstr(findings->verdict.sentence.id, ==, "verdict-allocated-once");
    g_assert_cmpuint(findings->suspects_count, ==, 0);
}

// Samples as jemalloc 5.3 prints them: bent so that the formula of one size gives the sums.
struct printed {
    double bytes;
    double objects;
};

static void allocate(struct printed *printed, GRand *rand, unsigned count, double size)
{
    const double probability = -expm1(-size / RATE);
    for (unsigned i = 0; i < count; i++) {
        if (g_rand_double(rand) < probability) {
            printed->bytes += size / probability;
            printed->objects += 1 / probability;
        }
    }
}

static struct test_row print(uint32_t stack, const struct printed *printed)
{
    const double probability = -expm1(-printed->bytes / printed->objects / RATE);
    return (struct test_row){stack, (uint64_t)llround(printed->objects * probability),
                             (uint64_t)llround(printed->bytes * probability)};
}

// In how many of 400 runs the interval holds what was allocated between the two dumps.
static unsigned count_covered(const double sizes[2], const unsigned before[2],
                              const unsigned between[2])
{
    g_autoptr(GRand) rand = g_rand_new_with_seed(20261203);
    unsigned covered = 0;
    for (int run = 0; run < 400; run++) {
        HR_AUTO(test_world) world = test_world_new();
        const uint32_t stack = test_world_stack(world, "malloc<app::parse<app::main");
        struct printed printed = {0, 0};
        double truth = 0;
        struct test_row rows[2];
        for (int dump = 0; dump < 2; dump++) {
            for (int size = 0; size < 2; size++) {
                allocate(&printed, rand, dump ? between[size] : before[size], sizes[size]);
                truth += dump ? between[size] * sizes[size] : 0;
            }
            rows[dump] = print(stack, &printed);
            test_world_dump(world, 1e9 + 60.0 * dump, RATE, &rows[dump], 1);
        }
        const struct hr_estimate growth = analyse(world)->totals.growth;
        covered += growth.low <= truth && truth <= growth.high;
    }
    return covered;
}

static void test_intervals_hold(void)
{
    static const struct {
        double sizes[2];
        unsigned before[2], between[2];
    } cases[] = {
        {{1024, 1024}, {2000, 0}, {500, 0}},     // some 30 samples
        {{1024, 1024}, {20000, 0}, {50, 0}},     // 3 of them
        {{64, 131072}, {2000, 20}, {2000, 20}},  // small ones beside ones that are always seen
        {{64, 131072}, {10000, 0}, {1000, 200}}, // a row whose mean size turns
        {{16384, 64}, {300, 1000}, {30, 3000}},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        const unsigned covered = count_covered(cases[i].sizes, cases[i].before, cases[i].between);
        g_test_message("case %zu: %u of 400", i, covered);
        g_assert_cmpuint(covered, >=, 372); // 93 %
    }
}

static void test_threads(void)
{
    HR_AUTO(test_world) world = test_world_new();
    fill(world, 2);
    struct hr_run *run = test_world_run(world);
    static const struct hr_thread threads[] = {{4, "worker"}, {9, NULL}, {6, "worker"}, {2, "t9"}};
    static const struct hr_thread_row base[] = {{0, {.objects = 1, .bytes = 65536}},
                                                {1, {.objects = 1, .bytes = 131072}}};
    static const struct hr_thread_row final[] = {{2, {.objects = 1, .bytes = 131072}},
                                                 {1, {.objects = 1, .bytes = 131072}},
                                                 {3, {.objects = 0, .bytes = 0}}};
    run->threads = threads;
    run->threads_count = G_N_ELEMENTS(threads);
    run->dumps[0].thread_rows = base;
    run->dumps[0].thread_rows_count = G_N_ELEMENTS(base);
    run->dumps[1].thread_rows = final;
    run->dumps[1].thread_rows_count = G_N_ELEMENTS(final);
    const struct hr_findings *findings = analyse(world);
    const double large = 131072 / -expm1(-131072.0 / RATE);
    g_assert_cmpuint(findings->threads_count, ==, 2);
    g_assert_cmpstr(findings->threads[0].name, ==, "worker");
    g_assert_cmpuint(findings->threads[0].threads_count, ==, 2);
    g_assert_cmpfloat_with_epsilon(findings->threads[0].base_bytes, 65536 / -expm1(-65536.0 / RATE),
                                   1e-6);
    g_assert_cmpfloat_with_epsilon(findings->threads[0].final_bytes, large, 1e-6);
    g_assert_cmpstr(findings->threads[1].name, ==, "t9");
    g_assert_cmpfloat_with_epsilon(findings->threads[1].base_bytes, large, 1e-6);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/allocated/no-leak-is-claimed", test_no_leak_is_claimed);
    g_test_add_func("/allocated/error-of-the-samples-between", test_error_of_the_samples_between);
    g_test_add_func("/allocated/one-dump", test_one_dump);
    g_test_add_func("/allocated/intervals-hold", test_intervals_hold);
    g_test_add_func("/allocated/threads", test_threads);
    return g_test_run();
}
