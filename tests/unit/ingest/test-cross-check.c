// SPDX-License-Identifier: MIT
// Dumps of one process, one of them damaged: what each damage is told as.
#include "fixture.h"

#define STACK_A "@ 0x401234 0x402000\n"
#define STACK_B "@ 0x403000 0x402000\n"
#define COUNTS_A "  t*: 20: 2000 [0: 0]\n  t1: 15: 1500 [0: 0]\n  t2: 5: 500 [0: 0]\n"
#define COUNTS_B "  t*: 30: 300 [0: 0]\n  t1: 30: 300 [0: 0]\n"
#define HEADER "heap_v2/1024\n  t*: 50: 2300 [0: 0]\n  t1: 45: 1800 [0: 0]\n  t2: 5: 500 [0: 0]\n"
#define MAP "\nMAPPED_LIBRARIES:\n400000-409000 r-xp 00000000 fe:00 7   /srv/a\n"
#define GOOD HEADER STACK_A COUNTS_A STACK_B COUNTS_B MAP

#define NO_CODE ((enum hr_diagnostic_code)0)

static const enum hr_diagnostic_code codes[] = {
    HR_DIAG_DUMP_CONTRADICTS, HR_DIAG_DUMP_TOTAL_CONTRADICTS, HR_DIAG_DUMP_STACK_CHANGED,
    HR_DIAG_DUMP_LINES_SKIPPED, HR_DIAG_DUMP_CUT};

// Four dumps, of which `content` takes the place of one: it is told and marked, once, and the two
// that a report would stand on are damaged when it is one of them.
static void check(unsigned place, const char *content, enum hr_diagnostic_code expected)
{
    struct hr_fixture fixture;
    hr_fixture_init(&fixture);
    for (unsigned i = 0; i < 4; i++) {
        g_autofree char *name = g_strdup_printf("a.1.%u.i%u.heap", i, i);
        hr_fixture_add(&fixture, name, i == place ? content : GOOD, i);
    }
    hr_fixture_read(&fixture, true);
    const size_t ends[] = {0, 3};
    const bool damaged =
        hr_ingest_cross_check(fixture.run, &fixture.options, ends, 2, fixture.diagnostics);
    g_assert_false(
        hr_ingest_cross_check(fixture.run, &fixture.options, ends, 2, fixture.diagnostics));
    g_test_message("%u %s", place, content);
    for (size_t i = 0; i < G_N_ELEMENTS(codes); i++) {
        g_assert_cmpuint(hr_fixture_reports(&fixture, codes[i]), ==, codes[i] == expected);
    }
    const bool seen_here =
        expected == HR_DIAG_DUMP_CONTRADICTS || expected == HR_DIAG_DUMP_STACK_CHANGED;
    g_assert_true(damaged == (seen_here && (place == 0 || place == 3)));
    for (unsigned i = 0; i < 4; i++) {
        g_assert_true((fixture.run->dumps[i].damage != 0) == (expected != NO_CODE && i == place));
    }
    hr_fixture_clear(&fixture);
}

static void test_damage(void)
{
    static const struct {
        const char *content;
        enum hr_diagnostic_code code;
    } cases[] = {
        {GOOD, NO_CODE},
        // a digit of a stack's objects, its bytes, and of a thread
        {HEADER STACK_A "  t*: 90: 2000 [0: 0]\n" STACK_B COUNTS_B MAP,
         HR_DIAG_DUMP_TOTAL_CONTRADICTS},
        {HEADER STACK_A
         "  t*: 20: 2400 [0: 0]\n  t1: 15: 1500 [0: 0]\n  t2: 5: 500 [0: 0]\n" STACK_B COUNTS_B MAP,
         HR_DIAG_DUMP_CONTRADICTS},
        {HEADER STACK_A
         "  t*: 20: 2000 [0: 0]\n  t1: 95: 1500 [0: 0]\n  t2: 5: 500 [0: 0]\n" STACK_B COUNTS_B MAP,
         HR_DIAG_DUMP_CONTRADICTS},
        // another digit in one address
        {HEADER "@ 0x401236 0x402000\n" COUNTS_A STACK_B COUNTS_B MAP, HR_DIAG_DUMP_STACK_CHANGED},
        {HEADER "@ 0x401234 0xa02000\n" COUNTS_A STACK_B COUNTS_B MAP, HR_DIAG_DUMP_STACK_CHANGED},
        // two addresses, or two digits, are another stack
        {HEADER "@ 0x401235 0x402001\n" COUNTS_A STACK_B COUNTS_B MAP, NO_CODE},
        {HEADER "@ 0x401345 0x402000\n" COUNTS_A STACK_B COUNTS_B MAP, NO_CODE},
        // a few objects come and go
        {"heap_v2/1024\n  t*: 37: 1000 [0: 0]\n@ 0x401236 0x402000\n  t*: 7: 700 [0: 0]\n" STACK_B
             COUNTS_B MAP,
         NO_CODE},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        for (unsigned place = 0; place < 4; place++) {
            check(place, cases[i].content, cases[i].code);
        }
    }
}

// A newline that became something else hides the stack behind it, whose counts then stand alone.
static void test_lost_newline(void)
{
    struct hr_fixture fixture;
    hr_fixture_init(&fixture);
    hr_fixture_add(
        &fixture, "a.1.0.i0.heap",
        HEADER STACK_A "  t*: 20: 2000 [0: 0]\n  t1: 20: 2000 [0: 0]\b" STACK_B COUNTS_B MAP, 0);
    hr_fixture_read(&fixture, true);
    g_assert_cmpuint(hr_fixture_reports(&fixture, HR_DIAG_DUMP_LINES_SKIPPED), ==, 1);
    g_assert_cmpuint(hr_fixture_reports(&fixture, HR_DIAG_DUMP_TOTAL_CONTRADICTS), ==, 1);
    hr_fixture_clear(&fixture);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/cross-check/damage", test_damage);
    g_test_add_func("/cross-check/lost-newline", test_lost_newline);
    return g_test_run();
}
