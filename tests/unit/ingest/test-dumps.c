// SPDX-License-Identifier: MIT
#include "fixture.h"
#include "model/sample.h"

#include <math.h>
#include <string.h>

#define MAP_A "\nMAPPED_LIBRARIES:\n400000-401000 r-xp 00000000 fe:00 7   /srv/a\n"
#define MAP_B MAP_A "500000-501000 r-xp 00000000 fe:00 8   /srv/b\n"

// Sums of rows of each kind: many small samples, large objects, bytes without objects.
static void test_totals(void)
{
    struct hr_fixture fixture;
    hr_fixture_init(&fixture);
    hr_fixture_add(&fixture, "a.1.0.i0.heap",
                   "heap_v2/524288\n  t*: 105: 7440 [0: 0]\n@ 0x1\n  t*: 100: 6400 [0: 0]\n"
                   "@ 0x2\n  t*: 4: 16777216 [0: 0]\n@ 0x3\n  t*: 0: 77 [0: 0]\n" MAP_A,
                   0);
    hr_fixture_read(&fixture, false);
    const struct hr_dump *dump = &fixture.run->dumps[0];
    const double p = 1 - exp(-64.0 / 524288);
    const double q = 1 - exp(-8.0);
    g_assert_cmpfloat_with_epsilon(dump->live_bytes, 6400 / p + 16777216 / q + 77, 1e-3);
    g_assert_cmpfloat_with_epsilon(dump->live_objects, 100 / p + 4 / q, 1e-3);
    const double small = pow(64 / p, 2) * (1 - p);
    const double large = pow(4194304 / q, 2) * (1 - q);
    const double variance = 102 * small + 4 * large;
    g_assert_cmpfloat_with_epsilon(dump->live_variance / variance, 1, 1e-9);
    g_assert_null(dump->rows);
    g_assert_cmpuint(dump->rows_count, ==, 3);
    hr_fixture_clear(&fixture);
}

static void test_exact_dump_has_no_variance(void)
{
    struct hr_fixture fixture;
    hr_fixture_init(&fixture);
    hr_fixture_add(&fixture, "a.1.0.i0.heap",
                   "heap_v2/1\n  t*: 2: 30 [0: 0]\n@ 0x1\n  t*: 2: 30 [0: 0]\n" MAP_A, 0);
    hr_fixture_read(&fixture, false);
    g_assert_cmpfloat(fixture.run->dumps[0].live_bytes, ==, 30);
    g_assert_cmpfloat(fixture.run->dumps[0].live_variance, ==, 0);
    hr_fixture_clear(&fixture);
}

static void test_notes(void)
{
    static const struct {
        const char *content;
        bool used;
        enum hr_dump_note note;
        double kept_ratio;
    } cases[] = {
        {"heap_v2/1\n  t*: 0: 0 [0: 0]\n" MAP_A, false, HR_DUMP_NOTE_EMPTY, 1},
        {"heap_v2/1\n  t*: 4: 40 [0: 0]\n@ 0x1\n  t*: 4: 40 [0: 0]\n" MAP_A, true,
         HR_DUMP_NOTE_NONE, 1},
        {"heap_v2/1\n  t*: 4: 40 [0: 0]\n@ 0x1\n  t*: 3: 30 [0: 0]\n@ 0x", true, HR_DUMP_NOTE_CUT,
         0.75},
        {"heap_v2/1\n  t*: 4: 40 [0: 0]\n@ 0x1\n  t*: 1: 10 [0: 0]\n", true, HR_DUMP_NOTE_CUT,
         0.25},
        {"heap_v2/1\n  t*: 4: 40 [0: 0]\n", false, HR_DUMP_NOTE_CUT, 0},
        {"heap_v2/x\n", false, HR_DUMP_NOTE_MALFORMED, NAN},
        {"", false, HR_DUMP_NOTE_EMPTY, NAN},
        {"JAVA PROFILE", false, HR_DUMP_NOTE_FOREIGN, NAN},
        {"heap_v2/1\n  t*: 0: 0 [0: 0]\n" MAP_A, true, HR_DUMP_NOTE_NONE, 1},
        {"heap_v2/1\n  t*: 4: 40 [0: 0]\n@ 0x1\n  t*: 9223372036854775808: 40 [0: 0]\n" MAP_A,
         false, HR_DUMP_NOTE_MALFORMED, 1},
        {"heap_v2/1\n  t*: -4: 40 [0: 0]\n@ 0x1\n  t*: -4: 40 [0: 0]\n" MAP_A, false,
         HR_DUMP_NOTE_MALFORMED, 1},
    };
    struct hr_fixture fixture;
    hr_fixture_init(&fixture);
    for (unsigned i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *name = g_strdup_printf("a.1.%u.i%u.heap", i, i);
        hr_fixture_add(&fixture, name, cases[i].content, i);
    }
    hr_fixture_read(&fixture, true);
    g_assert_cmpuint(fixture.run->dumps_count, ==, G_N_ELEMENTS(cases));
    for (unsigned i = 0; i < G_N_ELEMENTS(cases); i++) {
        const struct hr_dump *dump = &fixture.run->dumps[i];
        g_assert_cmpint(dump->used, ==, cases[i].used);
        g_assert_cmpint(dump->note, ==, cases[i].note);
        g_assert_cmpint(dump->rows != NULL, ==, cases[i].used);
        if (!isnan(cases[i].kept_ratio)) {
            g_assert_cmpfloat(dump->kept_ratio, ==, cases[i].kept_ratio);
        }
    }
    g_assert_cmpuint(hr_fixture_reports(&fixture, HR_DIAG_DUMP_CUT), ==, 3);
    g_assert_cmpuint(hr_fixture_reports(&fixture, HR_DIAG_DUMP_EMPTY), ==, 2);
    hr_fixture_clear(&fixture);
}

// What is live was allocated: less is told, but for what rounding and scaling can make of it.
static void test_allocated_less(void)
{
    static const struct {
        const char *content;
        bool told;
    } cases[] = {
        {"heap_v2/1\n  t*: 4: 40 [0: 0]\n@ 0x1\n  t*: 4: 40 [0: 0]\n" MAP_A, false}, // not counted
        {"heap_v2/1\n  t*: 4: 40 [9: 90]\n@ 0x1\n  t*: 4: 40 [4: 40]\n" MAP_A, false},
        {"heap_v2/1\n  t*: 4: 40 [9: 90]\n@ 0x1\n  t*: 4: 40 [4: 39]\n" MAP_A, true},
        {"heap_v2/1\n  t*: 4: 40 [9: 90]\n@ 0x1\n  t*: 4: 40 [0: 0]\n" MAP_A, true},
        // A large object, and small ones that were freed: bent to fewer bytes, more once scaled.
        {"heap_v2/524288\n  t*: 1: 1048576 [3: 72]\n@ 0x1\n  t*: 1: 1048576 [3: 72]\n" MAP_A,
         false},
        {"heap_v2/524288\n  t*: 90: 9000 [90: 9000]\n@ 0x1\n  t*: 90: 9000 [9: 900]\n" MAP_A, true},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        struct hr_fixture fixture;
        hr_fixture_init(&fixture);
        hr_fixture_add(&fixture, "a.1.0.i0.heap", cases[i].content, 0);
        hr_fixture_read(&fixture, true);
        g_test_message("%zu", i);
        g_assert_cmpuint(hr_fixture_reports(&fixture, HR_DIAG_DUMP_ALLOCATED_LESS), ==,
                         cases[i].told ? 1 : 0);
        g_assert_cmpint(fixture.run->dumps[0].damage != 0, ==, cases[i].told);
        hr_fixture_clear(&fixture);
    }
}

// Dumps whose stacks come and go in changing order, cut ones and other maps among them.
static void add_changing_dumps(struct hr_fixture *fixture, unsigned dumps)
{
    for (unsigned i = 0; i < dumps; i++) {
        g_autoptr(GString) content = g_string_new("heap_v2/4096\n  t*: 1: 64 [1: 64]\n");
        for (unsigned k = 0; k < 60; k++) {
            const unsigned stack = (k * (i % 7 + 1) * 11 + i * 5) % 97;
            g_string_append_printf(content, "@ 0x%x 0x%x 0x7\n  t*: %u: %u [%u: %u]\n", stack,
                                   stack * 3, k + 1, (k + 1) * 64, k + 2, (k + 2) * 64);
        }
        g_string_append(content, i % 5 == 4 ? "@ 0x" : i % 2 ? MAP_A : MAP_B);
        g_autofree char *name = g_strdup_printf("a.1.%u.i%u.heap", i, i);
        hr_fixture_add(fixture, name, content->str, i);
    }
}

static void append_run(GString *text, const struct hr_run *run)
{
    for (size_t i = 0; i < run->dumps_count; i++) {
        const struct hr_dump *dump = &run->dumps[i];
        g_string_append_printf(text, "%s %a %a %a %d %g\n", dump->file, dump->live_bytes,
                               dump->live_objects, dump->live_variance, dump->note,
                               dump->kept_ratio);
        for (uint32_t k = 0; dump->rows && k < dump->rows_count; k++) {
            const struct hr_row *row = &dump->rows[k];
            g_assert_true(k == 0 || row->stack > dump->rows[k - 1].stack);
            g_string_append_printf(text, " %u:%lu:%lu:%lu:%lu", row->stack, row->objects,
                                   row->bytes, row->accum_objects, row->accum_bytes);
        }
    }
    for (uint32_t i = 0; i < hr_stacks_count(run->stacks); i++) {
        const struct hr_stack stack = hr_stacks_get(run->stacks, i);
        for (uint32_t k = 0; k < stack.depth; k++) {
            g_string_append_printf(text, " %lx",
                                   hr_stacks_location_address(run->stacks, stack.locations[k]));
        }
    }
    for (size_t i = 0; i < run->mappings_count; i++) {
        g_string_append_printf(text, "\n%lx %s", run->mappings[i].start, run->mappings[i].path);
    }
}

// Headers of a real program without a reset: eight buffers of 16 MiB, then small objects beside
// them. What is printed falls to a sixtieth; what was allocated does not.
static void test_births_are_scaled(void)
{
    struct hr_fixture fixture;
    hr_fixture_init(&fixture);
    hr_fixture_add(&fixture, "a.1.1.i1.heap",
                   "heap_v2/524288\n  t*: 15: 134784038 [15: 134784038]\n@ 0x1\n"
                   "  t*: 15: 134784038 [15: 134784038]\n" MAP_A,
                   0);
    hr_fixture_add(&fixture, "a.1.2.i2.heap",
                   "heap_v2/524288\n  t*: 257: 2128983 [257: 2128983]\n@ 0x1\n"
                   "  t*: 257: 2128983 [257: 2128983]\n" MAP_A,
                   0);
    hr_fixture_read(&fixture, false);
    const struct hr_dump *dumps = fixture.run->dumps;
    g_assert_cmpfloat(dumps[0].born_bytes, >, 134e6);
    g_assert_cmpfloat(dumps[1].born_bytes, >, dumps[0].born_bytes);
    g_assert_cmpfloat(dumps[1].born_bytes, <, 140e6);
    hr_fixture_clear(&fixture);
}

static char *read_changing_dumps(unsigned jobs, bool two_passes)
{
    struct hr_fixture fixture;
    hr_fixture_init(&fixture);
    add_changing_dumps(&fixture, 40);
    fixture.options.jobs = jobs;
    hr_fixture_read(&fixture, !two_passes);
    bool wanted[40];
    memset(wanted, true, sizeof wanted);
    hr_ingest_read_dumps(fixture.run, &fixture.options, wanted, fixture.diagnostics);
    g_assert_true(fixture.run->accumulates);
    g_assert_cmpfloat_with_epsilon(fixture.run->dumps[0].born_bytes, 64 / (1 - exp(-64.0 / 4096)),
                                   1e-6);
    g_assert_cmpuint(hr_run_used_count(fixture.run), ==, 40);
    g_assert_cmpuint(hr_fixture_reports(&fixture, HR_DIAG_DUMP_CUT), ==, 8);
    GString *text = g_string_new(NULL);
    append_run(text, fixture.run);
    hr_fixture_clear(&fixture);
    return g_string_free(text, FALSE);
}

static void test_jobs_and_passes_change_nothing(void)
{
    g_autofree char *once = read_changing_dumps(1, false);
    g_assert_nonnull(strstr(once, "/srv/b"));
    for (unsigned jobs = 1; jobs <= 8; jobs *= 2) {
        g_autofree char *one_pass = read_changing_dumps(jobs, false);
        g_autofree char *two_passes = read_changing_dumps(jobs, true);
        g_assert_cmpstr(one_pass, ==, once);
        g_assert_cmpstr(two_passes, ==, once);
    }
}

static void test_only_wanted_rows(void)
{
    struct hr_fixture fixture;
    hr_fixture_init(&fixture);
    add_changing_dumps(&fixture, 6);
    hr_fixture_read(&fixture, false);
    g_assert_cmpuint(hr_stacks_count(fixture.run->stacks), ==, 0);
    const bool wanted[6] = {true, false, false, true, false, false};
    hr_ingest_read_dumps(fixture.run, &fixture.options, wanted, fixture.diagnostics);
    for (size_t i = 0; i < 6; i++) {
        g_assert_cmpint(fixture.run->dumps[i].rows != NULL, ==, wanted[i]);
    }
    g_assert_cmpint(fixture.run->dumps[1].note, ==, HR_DUMP_NOTE_THINNED);
    g_assert_cmpint(fixture.run->dumps[4].note, ==, HR_DUMP_NOTE_CUT);
    hr_fixture_clear(&fixture);
}

static void test_changed_between_the_passes(void)
{
    struct hr_fixture fixture;
    hr_fixture_init(&fixture);
    add_changing_dumps(&fixture, 2);
    hr_fixture_read(&fixture, false);
    hr_fixture_add(&fixture, "a.1.1.i1.heap",
                   "heap_v2/1\n  t*: 2: 30 [0: 0]\n@ 0x1\n  t*: 2: 30 [0: 0]\n" MAP_A, 9);
    const bool wanted[2] = {true, true};
    hr_ingest_read_dumps(fixture.run, &fixture.options, wanted, fixture.diagnostics);
    g_assert_true(fixture.run->dumps[0].used);
    g_assert_false(fixture.run->dumps[1].used);
    g_assert_cmpint(fixture.run->dumps[1].note, ==, HR_DUMP_NOTE_GROWING);
    hr_fixture_clear(&fixture);
}

// A dump that is left out may be the first with the map of all: profiling switched on late.
static void test_map_of_a_dump_left_out(void)
{
    for (unsigned jobs = 1; jobs <= 2; jobs++) {
        struct hr_fixture fixture;
        hr_fixture_init(&fixture);
        hr_fixture_add(&fixture, "a.1.0.i0.heap", "heap_v2/1\n  t*: 0: 0 [0: 0]\n" MAP_A, 0);
        hr_fixture_add(&fixture, "a.1.1.i1.heap", "heap_v2/1\n  t*: 0: 0 [0: 0]\n" MAP_A, 1);
        hr_fixture_add(&fixture, "a.1.2.i2.heap",
                       "heap_v2/1\n  t*: 4: 40 [0: 0]\n@ 0x1\n  t*: 4: 40 [0: 0]\n" MAP_A, 2);
        fixture.options.jobs = jobs;
        hr_fixture_read(&fixture, true);
        g_assert_false(fixture.run->dumps[1].used);
        g_assert_true(fixture.run->dumps[2].used);
        g_assert_cmpuint(fixture.run->mappings_count, ==, 1);
        hr_fixture_clear(&fixture);
    }
}

// A map can end inside a line, between two lines and right behind its heading.
static void test_cut_maps(void)
{
    static const struct {
        const char *map;
        bool cut;
    } cases[] = {
        {MAP_B, false},
        {MAP_B "60", true},
        {MAP_A, true},
        {MAP_A "500000-501000 rw-p 00000000 00:00 0 \n", false},
        {"\nMAPPED_LIBRARIES:\n", true},
        {"\nMAPPED_LIBRARIES:\n400000-401000 r-x", true},
    };
    for (unsigned i = 0; i < G_N_ELEMENTS(cases); i++) {
        struct hr_fixture fixture;
        hr_fixture_init(&fixture);
        g_autofree char *content = g_strconcat(
            "heap_v2/1\n  t*: 4: 40 [0: 0]\n@ 0x1\n  t*: 4: 40 [0: 0]\n", cases[i].map, NULL);
        hr_fixture_add(&fixture, "a.1.0.i0.heap",
                       "heap_v2/1\n  t*: 4: 40 [0: 0]\n@ 0x1\n  t*: 4: 40 [0: 0]\n" MAP_B, 0);
        hr_fixture_add(&fixture, "a.1.1.i1.heap", content, 1);
        hr_fixture_read(&fixture, true);
        g_test_message("%s", cases[i].map);
        g_assert_true(fixture.run->dumps[1].used);
        g_assert_cmpuint(hr_fixture_reports(&fixture, HR_DIAG_MAP_CUT), ==, cases[i].cut);
        hr_fixture_clear(&fixture);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/dumps/totals", test_totals);
    g_test_add_func("/dumps/exact-dump-has-no-variance", test_exact_dump_has_no_variance);
    g_test_add_func("/dumps/notes", test_notes);
    g_test_add_func("/dumps/allocated-less", test_allocated_less);
    g_test_add_func("/dumps/jobs-and-passes-change-nothing", test_jobs_and_passes_change_nothing);
    g_test_add_func("/dumps/cut-maps", test_cut_maps);
    g_test_add_func("/dumps/map-of-a-dump-left-out", test_map_of_a_dump_left_out);
    g_test_add_func("/dumps/births-are-scaled", test_births_are_scaled);
    g_test_add_func("/dumps/only-wanted-rows", test_only_wanted_rows);
    g_test_add_func("/dumps/changed-between-the-passes", test_changed_between_the_passes);
    return g_test_run();
}
