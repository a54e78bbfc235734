// SPDX-License-Identifier: MIT
#include "base/diagnostics.h"

static void test_folds_by_code(void)
{
    HR_AUTO(hr_diagnostics) sink = hr_diagnostics_new();
    for (int i = 0; i < 7; i++) {
        g_autofree char *file = g_strdup_printf("%d.heap", i);
        hr_diagnostics_add(sink, HR_DIAG_DUMP_CUT, file, "kept_ratio", i == 0 ? "0.5" : "0.9",
                           NULL);
    }
    g_assert_cmpuint(hr_diagnostics_count(sink), ==, 1);
    const struct hr_diagnostic *cut = hr_diagnostics_find(sink, HR_DIAG_DUMP_CUT);
    g_assert_cmpuint(cut->count, ==, 7);
    g_assert_cmpuint(cut->files_count, ==, HR_DIAGNOSTIC_FILES_MAX);
    g_assert_cmpstr(cut->files[4], ==, "4.heap");
    g_assert_cmpstr(cut->slots[0].value, ==, "0.5");
}

static void test_severe_first_and_merge(void)
{
    HR_AUTO(hr_diagnostics) sink = hr_diagnostics_new();
    HR_AUTO(hr_diagnostics) worker = hr_diagnostics_new();
    hr_diagnostics_add(sink, HR_DIAG_DUMP_CUT, "a.heap", NULL);
    hr_diagnostics_add(worker, HR_DIAG_BINARY_MISMATCH, NULL, "ratio", "0.1", NULL);
    hr_diagnostics_add(worker, HR_DIAG_DUMP_CUT, "b.heap", NULL);
    hr_diagnostics_merge(sink, worker);
    g_assert_cmpuint(hr_diagnostics_count(sink), ==, 2);
    g_assert_cmpint(hr_diagnostics_get(sink, 0)->code, ==, HR_DIAG_BINARY_MISMATCH);
    g_assert_cmpstr(hr_diagnostics_get(sink, 0)->slots[0].value, ==, "0.1");
    const struct hr_diagnostic *cut = hr_diagnostics_get(sink, 1);
    g_assert_cmpuint(cut->count, ==, 2);
    g_assert_cmpstr(cut->files[1], ==, "b.heap");
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/diagnostics/folds-by-code", test_folds_by_code);
    g_test_add_func("/diagnostics/severe-first-and-merge", test_severe_first_and_merge);
    return g_test_run();
}
