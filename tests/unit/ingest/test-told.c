// SPDX-License-Identifier: MIT
// What the dumps of a directory can have against them: each kind is told by its own code, as often
// as it is there, and a directory without it tells of nothing.
#include "fixture.h"

#include <string.h>

#define ROW(address, bytes) "@ " address "\n  t*: 1: " bytes " [0: 0]\n"
#define HEAD "heap_v2/1\n  t*: 1: 1 [0: 0]\n"
#define MAPS "\nMAPPED_LIBRARIES:\n"
#define LIBRARY(name) "7f0000000000-7f0000010000 r-xp 00000000 00:00 1   /lib/" name "\n"
#define VDSO(start) #start "000-" #start "fff r-xp 00000000 00:00 0   [vdso]\n"
#define STACK(end) "7ffc00000000-" #end " rw-p 00000000 00:00 0   [stack]\n"
#define DUMP HEAD ROW("0x1", "1") MAPS
#define FIRST_LIFE DUMP VDSO(7f1111111) STACK(7ffc11111000)
#define SECOND_LIFE DUMP VDSO(7f2222222) STACK(7ffc22222000)
#define LEADING "warning: cannot open the log\n" DUMP

#define STEP(number, time_s)                                                                       \
    {                                                                                              \
        "a.7." number ".i" number ".heap", DUMP, time_s                                            \
    }

struct file {
    const char *name; // NULL: end
    const char *content;
    double time_s;
};

// Two dumps with nothing against them, a minute apart.
#define FINE                                                                                       \
    {"a.7.0.i0.heap", DUMP, 0},                                                                    \
    {                                                                                              \
        "a.7.1.i1.heap", DUMP, 60                                                                  \
    }

static const struct told {
    const char *title;
    enum hr_diagnostic_code code;
    unsigned count;
    struct file files[13];
} CASES[] = {
    {"a rate that is none",
     HR_DIAG_DUMP_MALFORMED,
     1,
     {FINE, {"a.7.2.i2.heap", "heap_v2/many\n" ROW("0x1", "1"), 120}}},
    {"stacks of which no line makes sense",
     HR_DIAG_DUMP_MALFORMED,
     2,
     {FINE,
      {"a.7.2.i2.heap", HEAD "@ zz\n  t*: 1: 1 [0: 0]\n" MAPS, 120},
      {"a.7.3.i3.heap", HEAD "@ 0xyy\n  t*: 1: 1 [0: 0]\n" MAPS, 180}}},
    {"messages before the header",
     HR_DIAG_DUMP_LEADING_LINES,
     2,
     {{"a.7.0.i0.heap", DUMP, 0}, {"a.7.1.i1.heap", LEADING, 60}, {"a.7.2.i2.heap", LEADING, 120}}},
    {"two more processes",
     HR_DIAG_OTHER_RUN,
     2,
     {{"a.5.0.i0.heap", DUMP, -50}, {"a.6.0.i0.heap", DUMP, -40}, FINE}},
    {"a process id that came again",
     HR_DIAG_PID_REUSED,
     1,
     {{"a.1.0.i0.heap", SECOND_LIFE, 20},
      {"a.1.1.i1.heap", SECOND_LIFE, 30},
      {"a.1.2.i2.heap", FIRST_LIFE, 12},
      {"a.1.3.i3.heap", FIRST_LIFE, 13}}},
    {"file times that step back, and no map",
     HR_DIAG_PID_REUSED_OR_CLOCK_SET,
     1,
     {{"a.1.0.i0.heap", HEAD ROW("0x1", "1"), 20},
      {"a.1.1.i1.heap", HEAD ROW("0x1", "1"), 30},
      {"a.1.2.i2.heap", HEAD ROW("0x1", "1"), 12},
      {"a.1.3.i3.heap", HEAD ROW("0x1", "1"), 13}}},
    {"names without an order",
     HR_DIAG_ORDER_BY_FILE_TIME,
     1,
     {{"app.5.heap", DUMP, 60}, {"app.1796158805.heap", DUMP, 0}}},
    {"all copied within a second",
     HR_DIAG_FILE_TIMES_NO_CLOCK,
     1,
     {{"a.7.0.i0.heap", DUMP, 0}, {"a.7.1.i1.heap", DUMP, 0.1}, {"a.7.2.i2.heap", DUMP, 0.2}}},
    {"one copied later than the rest",
     HR_DIAG_FILE_TIMES_REPLACED,
     1,
     {FINE, STEP("2", 120), STEP("3", 180), STEP("4", 240), STEP("5", 300), STEP("6", 5000),
      STEP("7", 420), STEP("8", 480), STEP("9", 540), STEP("10", 600), STEP("11", 660)}},
    {"one library where another was",
     HR_DIAG_MAPS_CHANGED,
     1,
     {{"a.7.0.i0.heap", HEAD ROW("0x7f0000000123", "1") MAPS LIBRARY("one.so"), 0},
      {"a.7.1.i1.heap", HEAD ROW("0x7f0000000123", "1") MAPS LIBRARY("two.so"), 60}}},
};

static unsigned reports(const struct told *told, enum hr_diagnostic_code code)
{
    struct hr_fixture fixture;
    hr_fixture_init(&fixture);
    for (size_t i = 0; i < G_N_ELEMENTS(told->files) && told->files[i].name; i++) {
        const struct file *file = &told->files[i];
        hr_fixture_add(&fixture, file->name, file->content, file->time_s);
    }
    hr_fixture_read(&fixture, true);
    const unsigned count = hr_fixture_reports(&fixture, code);
    for (guint i = 0; i < hr_diagnostics_count(fixture.diagnostics); i++) {
        const struct hr_diagnostic *one = hr_diagnostics_get(fixture.diagnostics, i);
        g_test_message("HR-%03d, %u times", (int)one->code, one->count);
    }
    hr_fixture_clear(&fixture);
    return count;
}

static void test_told(const void *user)
{
    const struct told *told = user;
    const struct told fine = {.files = {FINE}};
    g_assert_cmpuint(reports(told, told->code), ==, told->count);
    g_assert_cmpuint(reports(&fine, told->code), ==, 0);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    for (size_t i = 0; i < G_N_ELEMENTS(CASES); i++) {
        g_autofree char *path = g_strconcat("/ingest/told/", CASES[i].title, NULL);
        g_test_add_data_func(path, &CASES[i], test_told);
    }
    return g_test_run();
}
