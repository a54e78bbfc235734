// SPDX-License-Identifier: MIT
// What the threads of a dump have, and the order of a row's pairs by metric.
#include "fixture.h"

#include <math.h>

#define HEAD "heap_v2/1024\n  t*: 9: 900 [19: 1900]\n"
#define MAP "\nMAPPED_LIBRARIES:\n400000-409000 r-xp 00000000 fe:00 7   /srv/a\n"
#define STACK_A "@ 0x401234 0x402000\n  t*: 9: 900 [19: 1900]\n"
#define STACK_B "@ 0x403000 0x402000\n  t*: 9: 900 [19: 1900]\n"

static void read_two(struct hr_fixture *fixture, const char *base, const char *final)
{
    hr_fixture_add(fixture, "a.1.0.i0.heap", base, 0);
    hr_fixture_add(fixture, "a.1.1.i1.heap", final, 60);
    hr_fixture_read(fixture, true);
    hr_ingest_read_threads(fixture->run, &fixture->options, 0, 1, fixture->diagnostics);
}

static const struct hr_thread_row *row_at(const struct hr_fixture *fixture, size_t dump, uint32_t i)
{
    g_assert_cmpuint(i, <, fixture->run->dumps[dump].thread_rows_count);
    return &fixture->run->dumps[dump].thread_rows[i];
}

static const struct hr_thread *thread_of(const struct hr_fixture *fixture, size_t dump, uint32_t i)
{
    return &fixture->run->threads[row_at(fixture, dump, i)->thread];
}

static void test_rows(void)
{
    struct hr_fixture fixture;
    hr_fixture_init(&fixture);
    read_two(&fixture,
             HEAD "  t0: 4: 400 [4: 400]\n  t7: 5: 500 [15: 1500]\n" STACK_A
                  "  t0: 4: 400 [4: 400]\n  t7: 5: 500 [15: 1500]\n" MAP,
             HEAD
             "  t7: 9: 900 [19: 1900]  http worker \n  t18446744073709551615: 0: 0 [0: 0]\n" STACK_B
             "  t7: 9: 900 [19: 1900]\n" STACK_A "  t7: 9: 900 [19: 1900]\n" MAP);
    g_assert_cmpuint(fixture.run->threads_count, ==, 3);
    g_assert_cmpuint(fixture.run->dumps[0].thread_rows_count, ==, 2);
    g_assert_cmpuint(fixture.run->dumps[1].thread_rows_count, ==, 2);
    g_assert_cmpuint(thread_of(&fixture, 0, 0)->id, ==, 0);
    g_assert_null(thread_of(&fixture, 0, 0)->name);
    // a thread is called as the later dump calls it, in both
    g_assert_cmpuint(thread_of(&fixture, 0, 1)->id, ==, 7);
    g_assert_cmpstr(thread_of(&fixture, 0, 1)->name, ==, "http worker");
    g_assert_true(thread_of(&fixture, 1, 0) == thread_of(&fixture, 0, 1));
    // its stacks are the run's
    g_assert_cmpuint(row_at(&fixture, 0, 0)->row.stack, ==, fixture.run->dumps[0].rows[0].stack);
    g_assert_cmpuint(row_at(&fixture, 1, 1)->row.stack, ==, row_at(&fixture, 0, 1)->row.stack);
    g_assert_cmpuint(row_at(&fixture, 1, 0)->row.stack, !=, row_at(&fixture, 0, 1)->row.stack);
    g_assert_cmpuint(row_at(&fixture, 0, 1)->row.bytes, ==, 500);
    g_assert_cmpuint(row_at(&fixture, 0, 1)->row.accum_bytes, ==, 1500);
    g_assert_cmpuint(hr_fixture_reports(&fixture, HR_DIAG_THREADS_UNTOLD), ==, 0);
    hr_fixture_clear(&fixture);
}

// Lines that make no sense, threads of a stack that is none, and what stands in the map.
static void test_nonsense(void)
{
    struct hr_fixture fixture;
    hr_fixture_init(&fixture);
    read_two(&fixture,
             HEAD STACK_A "  t: 1: 2 [3: 4]\n  tx: 1: 2 [3: 4]\n  t1 1: 2 [3: 4]\n"
                          "  t1: 1: 2\n  t99999999999999999999: 1: 2 [3: 4]\n" MAP
                          "  t1: 1: 2 [3: 4]\n",
             HEAD STACK_A "  t2: 3: 300 [3: 300]\n@ no address\n  t3: 1: 2 [3: 4]\n" MAP);
    g_assert_cmpuint(fixture.run->dumps[0].thread_rows_count, ==, 0);
    g_assert_cmpuint(fixture.run->dumps[1].thread_rows_count, ==, 1);
    g_assert_cmpuint(row_at(&fixture, 1, 0)->row.bytes, ==, 300);
    g_assert_cmpuint(hr_fixture_reports(&fixture, HR_DIAG_THREADS_UNTOLD), ==, 1);
    hr_fixture_clear(&fixture);
}

static void test_metric(void)
{
    struct hr_fixture fixture;
    hr_fixture_init(&fixture);
    fixture.options.metric = HR_METRIC_ALLOCATED_BYTES;
    read_two(&fixture, HEAD STACK_A "  t1: 9: 900 [19: 1900]\n" MAP,
             HEAD STACK_A "  t1: 9: 900 [19: 1900]\n" MAP);
    const struct hr_dump *dump = &fixture.run->dumps[1];
    g_assert_true(fixture.run->accumulates);
    g_assert_cmpuint(dump->rows[0].bytes, ==, 1900);
    g_assert_cmpuint(dump->rows[0].objects, ==, 19);
    g_assert_cmpuint(dump->rows[0].accum_bytes, ==, 900);
    g_assert_cmpuint(row_at(&fixture, 1, 0)->row.bytes, ==, 1900);
    // the dump's totals are of what is live: 900 bytes in objects of 100, at R = 1024
    g_assert_cmpfloat_with_epsilon(dump->live_bytes, 900 / -expm1(-100.0 / 1024), 1e-6);
    hr_fixture_clear(&fixture);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/threads/rows", test_rows);
    g_test_add_func("/threads/nonsense", test_nonsense);
    g_test_add_func("/threads/metric", test_metric);
    return g_test_run();
}
