// SPDX-License-Identifier: MIT
// Dumps that jemalloc wrote (testdata/dumps/README.md), against what jeprof says of them.
#include "ingest/ingest.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <utime.h>

static const struct expected {
    const char *prefix;
    size_t dumps;
    double last_bytes; // jeprof's
    double last_objects;
    uint32_t last_rows;
    bool accumulates;
} CASES[] = {
    {"sort", 1, 95847, 73, 8, false},
    {"accum", 1, 565976, 2062, 88, true},
    {"awk", 4, 999023, 3231, 7, false},
};

// Copies keep a time each, a minute for each number: one made here and now would have no clock.
static void copy_dump(const char *from, const char *to, int sequence)
{
    g_autofree char *text = NULL;
    gsize size;
    g_assert_true(g_file_get_contents(from, &text, &size, NULL));
    g_assert_true(g_file_set_contents(to, text, (gssize)size, NULL));
    const time_t taken_at_s = 1796158800 + 60 * sequence;
    g_assert_cmpint(utime(to, &(struct utimbuf){taken_at_s, taken_at_s}), ==, 0);
}

// Reads one program's dumps from a directory of their own.
static struct hr_run *read_run(const char *prefix, struct hr_diagnostics *diagnostics)
{
    struct hr_run *run = hr_run_new();
    const struct hr_ingest_options options = {
        .pid = -1, .since_s = NAN, .until_s = NAN, .every = 1, .jobs = 2};
    GError *error = NULL;
    g_autofree char *directory = g_dir_make_tmp("hr-XXXXXX", &error);
    g_assert_no_error(error);
    GDir *stream = g_dir_open(HR_TESTDATA "/dumps", 0, NULL);
    const char *name;
    g_autoptr(GPtrArray) copies = g_ptr_array_new_with_free_func(g_free);
    while ((name = g_dir_read_name(stream))) {
        g_autofree char *from = g_build_filename(HR_TESTDATA "/dumps", name, NULL);
        int sequence;
        if (g_str_has_prefix(name, prefix)) {
            g_assert_cmpint(sscanf(name + strlen(prefix), ".4711.%d.", &sequence), ==, 1);
            char *to = g_build_filename(directory, name, NULL);
            copy_dump(from, to, sequence);
            g_ptr_array_add(copies, to);
        }
    }
    g_dir_close(stream);
    struct hr_ingest_options copied = options;
    HR_AUTO(hr_source) source = hr_source_new(directory, diagnostics, &error);
    g_assert_no_error(error);
    copied.source = source;
    hr_ingest_find(run, &copied, diagnostics, &error);
    g_assert_no_error(error);
    g_autofree bool *wanted = g_new(bool, run->dumps_count);
    memset(wanted, true, run->dumps_count);
    hr_ingest_read_dumps(run, &copied, wanted, diagnostics);
    for (guint i = 0; i < copies->len; i++) {
        g_assert_cmpint(remove(g_ptr_array_index(copies, i)), ==, 0);
    }
    g_assert_cmpint(remove(directory), ==, 0);
    return run;
}

static void test_totals_are_those_of_jeprof(void)
{
    for (size_t i = 0; i < G_N_ELEMENTS(CASES); i++) {
        HR_AUTO(hr_diagnostics) diagnostics = hr_diagnostics_new();
        HR_AUTO(hr_run) run = read_run(CASES[i].prefix, diagnostics);
        g_test_message("%s", CASES[i].prefix);
        g_assert_cmpuint(run->dumps_count, ==, CASES[i].dumps);
        g_assert_cmpuint(hr_run_used_count(run), ==, CASES[i].dumps);
        const struct hr_dump *last = &run->dumps[run->dumps_count - 1];
        g_assert_cmpint(last->kind, ==, HR_DUMP_FINAL);
        g_assert_cmpuint(last->rows_count, ==, CASES[i].last_rows);
        g_assert_cmpfloat(last->live_bytes, >=, CASES[i].last_bytes);
        g_assert_cmpfloat(last->live_bytes, <, CASES[i].last_bytes + CASES[i].last_rows + 1);
        g_assert_cmpfloat(fabs(last->live_objects - CASES[i].last_objects), <=, last->rows_count);
        g_assert_cmpint(run->accumulates, ==, CASES[i].accumulates);
        g_assert_cmpuint(hr_diagnostics_count(diagnostics), ==, 0);
        g_assert_cmpuint(run->mappings_count, >, 20);
    }
}

// Every address of every stack lies in executable memory of the merged map.
static void test_addresses_lie_in_code(void)
{
    for (size_t i = 0; i < G_N_ELEMENTS(CASES); i++) {
        HR_AUTO(hr_diagnostics) diagnostics = hr_diagnostics_new();
        HR_AUTO(hr_run) run = read_run(CASES[i].prefix, diagnostics);
        for (uint32_t k = 0; k < hr_stacks_location_count(run->stacks); k++) {
            const uint64_t address = hr_stacks_location_address(run->stacks, k);
            const struct hr_mapping *mapping = hr_run_find_mapping(run, address - 1);
            g_assert_nonnull(mapping);
            g_assert_true(mapping->executable);
        }
    }
}

static void test_inactive_profiling_is_no_state(void)
{
    HR_AUTO(hr_diagnostics) diagnostics = hr_diagnostics_new();
    HR_AUTO(hr_run) run = read_run("inactive", diagnostics);
    g_assert_cmpuint(run->dumps_count, ==, 1);
    g_assert_cmpuint(hr_run_used_count(run), ==, 0);
    g_assert_cmpint(run->dumps[0].note, ==, HR_DUMP_NOTE_EMPTY);
    g_assert_nonnull(hr_diagnostics_find(diagnostics, HR_DIAG_DUMP_EMPTY));
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/real-dumps/totals-are-those-of-jeprof", test_totals_are_those_of_jeprof);
    g_test_add_func("/real-dumps/addresses-lie-in-code", test_addresses_lie_in_code);
    g_test_add_func("/real-dumps/inactive-profiling", test_inactive_profiling_is_no_state);
    return g_test_run();
}
