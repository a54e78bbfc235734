// SPDX-License-Identifier: MIT
#include "ingest/name.h"

#include <glib.h>
#include <math.h>
#include <string.h>

static void test_jemalloc_names(void)
{
    static const struct {
        const char *name;
        const char *prefix; // NULL: not such a name
        int64_t pid_namespace;
        int64_t pid;
        uint64_t sequence;
        enum hr_dump_kind kind;
    } cases[] = {
        {"jeprof.1.0.i0.heap", "jeprof", -1, 1, 0, HR_DUMP_INTERVAL},
        {"jeprof.out.77.0010.m9.heap", "jeprof.out", -1, 77, 10, HR_DUMP_MANUAL},
        {"a.9.u3.12.7.u7.heap", "a.9.u3", -1, 12, 7, HR_DUMP_GDUMP},
        {"a.1.2.3.4.f.heap", "a.1.2", -1, 3, 4, HR_DUMP_FINAL},
        {"a.4026531836.3.4.f.heap", "a", 4026531836, 3, 4, HR_DUMP_FINAL},
        {"a.4026532500.77.0.i0.heap", "a", 4026532500, 77, 0, HR_DUMP_INTERVAL},
        {"a.4294967296.77.0.i0.heap", "a.4294967296", -1, 77, 0, HR_DUMP_INTERVAL},
        {"a b\xff.1.18446744073709551615.m0.heap", "a b\xff", -1, 1, UINT64_MAX, HR_DUMP_MANUAL},
        {"a.1.18446744073709551616.m0.heap", NULL, 0, 0, 0, 0},
        {"a.4294967296.1.m0.heap", NULL, 0, 0, 0, 0},
        {"a.1.2.f0.heap", NULL, 0, 0, 0, 0},
        {"a.1.2.i.heap", NULL, 0, 0, 0, 0},
        {"a.1.2.x3.heap", NULL, 0, 0, 0, 0},
        {"1.2.i3.heap", NULL, 0, 0, 0, 0},
        {".1.2.i3.heap", NULL, 0, 0, 0, 0},
        {"a.1.-2.i3.heap", NULL, 0, 0, 0, 0},
        {"a.1.2.i3.heap.tmp", NULL, 0, 0, 0, 0},
        {"app.1796160604.heap", NULL, 0, 0, 0, 0},
        {".heap", NULL, 0, 0, 0, 0},
        {"", NULL, 0, 0, 0, 0},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        struct hr_dump_name name;
        g_autofree char *shown = g_strescape(cases[i].name, NULL);
        g_test_message("%s", shown);
        g_assert_cmpint(hr_dump_name_read(cases[i].name, &name), ==, cases[i].prefix != NULL);
        if (!cases[i].prefix) {
            continue;
        }
        g_assert_cmpmem(cases[i].name, name.prefix_length, cases[i].prefix,
                        strlen(cases[i].prefix));
        g_assert_cmpint(name.pid_namespace, ==, cases[i].pid_namespace);
        g_assert_cmpint(name.pid, ==, cases[i].pid);
        g_assert_cmpuint(name.sequence, ==, cases[i].sequence);
        g_assert_cmpint(name.kind, ==, cases[i].kind);
        g_assert_true(name.has_sequence);
    }
}

static void test_own_names(void)
{
    static const struct {
        const char *name;
        const char *prefix;
        double time_s; // NAN: none
        bool zoned;
        bool has_sequence;
        uint64_t sequence;
    } cases[] = {
        {"app.1796160604.heap", "app", 1796160604, true, false, 0},
        {"app-1796160604250.heap", "app", 1796160604.25, true, false, 0},
        {"app.20261201-210605.heap", "app", 1796159165, false, false, 0},
        {"app.20261201T210605Z.heap", "app", 1796159165, true, false, 0},
        {"app_2026-12-01_21:06:05.5.heap", "app", 1796159165.5, false, false, 0},
        {"app.2026-12-01T22:06:05+01:00.heap", "app", 1796159165, true, false, 0},
        {"app.2026-12-01T19:36:05-0130.heap", "app", 1796159165, true, false, 0},
        {"app.20261301-210605.heap", "app.20261301", NAN, false, true, 210605},
        {"v2.app.0012.heap", "v2.app", NAN, false, true, 12},
        {"heap_7_done.heap", "heap", NAN, false, true, 7},
        {"dump12.heap", "dump", NAN, false, true, 12},
        {"jemalloc530.closed.heap", "jemalloc530.closed", NAN, false, false, 0},
        {"lib7z.3.amd.heap", "lib7z", NAN, false, true, 3},
        {"before.heap", "before", NAN, false, false, 0},
        {"99999999999999999999999.heap", "99999999999999999999999", NAN, false, false, 0},
        {".heap", "", NAN, false, false, 0},
        {"jeprof.77", "jeprof", NAN, false, true, 77},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        struct hr_dump_name name;
        g_test_message("%s", cases[i].name);
        hr_dump_name_read_own(cases[i].name, &name);
        g_assert_cmpmem(cases[i].name, name.prefix_length, cases[i].prefix,
                        strlen(cases[i].prefix));
        g_assert_true(isnan(name.time_s) ? isnan(cases[i].time_s)
                                         : fabs(name.time_s - cases[i].time_s) < 1e-3);
        g_assert_cmpint(name.time_is_zoned, ==, cases[i].zoned);
        g_assert_cmpint(name.has_sequence, ==, cases[i].has_sequence);
        g_assert_cmpuint(name.sequence, ==, cases[i].sequence);
        g_assert_cmpint(name.pid, ==, -1);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/name/jemalloc-names", test_jemalloc_names);
    g_test_add_func("/name/own-names", test_own_names);
    return g_test_run();
}
