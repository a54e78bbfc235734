// SPDX-License-Identifier: MIT
#include "fixture.h"

#include <math.h>
#include <string.h>
#include <sys/stat.h>

#define BODY "heap_v2/1\n  t*: 1: 1 [0: 0]\n@ 0x1\n  t*: 1: 1 [0: 0]\n\nMAPPED_LIBRARIES:\n"
#define VDSO(start) #start "000-" #start "fff r-xp 00000000 00:00 0   [vdso]\n"
#define STACK(end) "7ffc00000000-" #end " rw-p 00000000 00:00 0   [stack]\n"
#define FIRST_LIFE BODY VDSO(7f1111111) STACK(7ffc11111000)
#define SECOND_LIFE BODY VDSO(7f2222222) STACK(7ffc22222000)
#define THIRD_LIFE BODY VDSO(7f3333333) STACK(7ffc33333000)

struct file {
    const char *name; // NULL: end
    const char *content;
    double time_s;
};

struct expected {
    const char *title;
    int64_t pid; // --pid
    struct file files[13];
    const char *order; // names of the run's dumps
    const char *prefix;
    size_t other_runs;
    enum hr_time_axis axis;
    const char *times; // seconds after the start, or NULL
};

static const struct expected CASES[] = {
    {"numbers are numbers",
     -1,
     {{"a.7.10.i10.heap", BODY, 4},
      {"a.7.9.i9.heap", BODY, 3},
      {"a.7.0001.m0.heap", BODY, 1},
      {"a.7.11.f.heap", BODY, 5}},
     "a.7.0001.m0.heap a.7.9.i9.heap a.7.10.i10.heap a.7.11.f.heap",
     "a",
     0,
     HR_TIME_MTIME,
     "1 3 4 5"},
    {"the run with the newest dump",
     -1,
     {{"a.7.0.i0.heap", BODY, 1},
      {"a.7.1.i1.heap", BODY, 2},
      {"a.8.0.i0.heap", BODY, 3},
      {"b.7.0.i0.heap", BODY, 0}},
     "a.8.0.i0.heap",
     "a",
     2,
     HR_TIME_MTIME,
     "3"},
    {"another run by --pid",
     7,
     {{"a.7.0.i0.heap", BODY, 1}, {"a.7.1.i1.heap", BODY, 2}, {"a.8.0.i0.heap", BODY, 3}},
     "a.7.0.i0.heap a.7.1.i1.heap",
     "a",
     1,
     HR_TIME_MTIME,
     "1 2"},
    {"namespaces tell equal pids apart",
     -1,
     {{"a.4026531836.1.0.i0.heap", BODY, 1}, {"a.4026532000.1.0.i0.heap", BODY, 3}},
     "a.4026532000.1.0.i0.heap",
     "a",
     1,
     HR_TIME_MTIME,
     "3"},
    {"pid 1 again, told by maps",
     -1,
     {{"a.1.0.i0.heap", SECOND_LIFE, 20},
      {"a.1.1.i1.heap", SECOND_LIFE, 21},
      {"a.1.2.i2.heap", FIRST_LIFE, 12},
      {"a.1.3.i3.heap", FIRST_LIFE, 13},
      {"a.1.4.f.heap", FIRST_LIFE, 14}},
     "a.1.0.i0.heap a.1.1.i1.heap",
     "a",
     1,
     HR_TIME_MTIME,
     "20 21"},
    {"three lives, one dump without a map",
     -1,
     {{"a.1.0.i0.heap", THIRD_LIFE, 30},
      {"a.1.1.i1.heap", SECOND_LIFE, 21},
      {"a.1.2.i2.heap", "heap_v2/1\n", 22},
      {"a.1.3.i3.heap", SECOND_LIFE, 23},
      {"a.1.4.i4.heap", FIRST_LIFE, 14},
      {"a.1.5.i5.heap", FIRST_LIFE, 15}},
     "a.1.0.i0.heap",
     "a",
     2,
     HR_TIME_MTIME,
     "30"},
    {"pid 1 again, numbers among each other",
     -1,
     {{"a.1.0.i0.heap", SECOND_LIFE, 20},
      {"a.1.1.i1.heap", SECOND_LIFE, 21},
      {"a.1.1.m0.heap", FIRST_LIFE, 11},
      {"a.1.2.i2.heap", SECOND_LIFE, 22},
      {"a.1.3.m1.heap", FIRST_LIFE, 13}},
     "a.1.0.i0.heap a.1.1.i1.heap a.1.2.i2.heap",
     "a",
     1,
     HR_TIME_MTIME,
     "20 21 22"},
    {"pid 1 again, told by times alone",
     -1,
     {{"a.1.0.i0.heap", BODY, 20},
      {"a.1.1.i1.heap", BODY, 21},
      {"a.1.2.i2.heap", BODY, 12},
      {"a.1.3.i3.heap", BODY, 13}},
     "a.1.0.i0.heap a.1.1.i1.heap",
     "a",
     1,
     HR_TIME_MTIME,
     "20 21"},
    {"one process, times reversed by a copy",
     -1,
     {{"a.1.0.i0.heap", FIRST_LIFE, 23},
      {"a.1.1.i1.heap", FIRST_LIFE, 22},
      {"a.1.2.i2.heap", FIRST_LIFE, 21},
      {"a.1.3.i3.heap", FIRST_LIFE, 20}},
     "a.1.0.i0.heap a.1.1.i1.heap a.1.2.i2.heap a.1.3.i3.heap",
     "a",
     0,
     HR_TIME_SEQUENCE,
     NULL},
    {"no maps, times reversed by a copy",
     -1,
     {{"a.1.0.i0.heap", BODY, 33},
      {"a.1.1.i1.heap", BODY, 30},
      {"a.1.2.i2.heap", BODY, 24},
      {"a.1.3.i3.heap", BODY, 20}},
     "a.1.0.i0.heap a.1.1.i1.heap a.1.2.i2.heap a.1.3.i3.heap",
     "a",
     0,
     HR_TIME_SEQUENCE,
     NULL},
    {"whole seconds are spread",
     -1,
     {{"a.1.0.i0.heap", BODY, 1},
      {"a.1.1.i1.heap", BODY, 2},
      {"a.1.2.i2.heap", BODY, 2},
      {"a.1.3.i3.heap", BODY, 2},
      {"a.1.4.i4.heap", BODY, 2},
      {"a.1.5.i5.heap", BODY, 7}},
     "a.1.0.i0.heap a.1.1.i1.heap a.1.2.i2.heap a.1.3.i3.heap a.1.4.i4.heap a.1.5.i5.heap",
     "a",
     0,
     HR_TIME_MTIME,
     "1 2 2.25 2.5 2.75 7"},
    {"fractions are not",
     -1,
     {{"a.1.0.i0.heap", BODY, 1.5}, {"a.1.1.i1.heap", BODY, 3}, {"a.1.2.i2.heap", BODY, 3}},
     "a.1.0.i0.heap a.1.1.i1.heap a.1.2.i2.heap",
     "a",
     0,
     HR_TIME_MTIME,
     "1.5 3 3"},
    {"one other file with a fraction changes nothing",
     -1,
     {{"a.1.0.i0.heap", BODY, 1},
      {"a.1.1.i1.heap", BODY, 2},
      {"a.1.2.i2.heap", BODY, 2},
      {"a.1.3.i3.heap", BODY, 3},
      {"a.1.4.i4.heap", BODY, 4},
      {"a.1.5.i5.heap", "heap profile: 1: 2 [ 3: 4] @ growthz\n", 5.25},
      {"a.1.6.i6.heap", BODY, 6},
      {"a.1.7.i7.heap", BODY, 7},
      {"a.1.8.i8.heap", BODY, 8},
      {"a.1.9.i9.heap", BODY, 9},
      {"a.1.10.i10.heap", BODY, 10},
      {"a.1.11.i11.heap", BODY, 11}},
     "a.1.0.i0.heap a.1.1.i1.heap a.1.2.i2.heap a.1.3.i3.heap a.1.4.i4.heap a.1.5.i5.heap "
     "a.1.6.i6.heap a.1.7.i7.heap a.1.8.i8.heap a.1.9.i9.heap a.1.10.i10.heap a.1.11.i11.heap",
     "a",
     0,
     HR_TIME_MTIME,
     "1 2 2.5 3 4 5 6 7 8 9 10 11"},
    {"a copy without times, in order",
     -1,
     {{"a.1.0.i0.heap", BODY, 1.5}, {"a.1.1.i1.heap", BODY, 1.504}, {"a.1.2.i2.heap", BODY, 1.508}},
     "a.1.0.i0.heap a.1.1.i1.heap a.1.2.i2.heap",
     "a",
     0,
     HR_TIME_SEQUENCE,
     NULL},
    {"a copy without times, out of order",
     -1,
     {{"a.1.0.i0.heap", BODY, 1.508}, {"a.1.1.i1.heap", BODY, 1.5}, {"a.1.2.i2.heap", BODY, 1.504}},
     "a.1.0.i0.heap a.1.1.i1.heap a.1.2.i2.heap",
     "a",
     0,
     HR_TIME_SEQUENCE,
     NULL},
    {"a copy within one whole second",
     -1,
     {{"a.1.0.i0.heap", BODY, 2}, {"a.1.1.i1.heap", BODY, 2}},
     "a.1.0.i0.heap a.1.1.i1.heap",
     "a",
     0,
     HR_TIME_SEQUENCE,
     NULL},
    {"a single dump has a time",
     -1,
     {{"a.1.0.i0.heap", BODY, 1.5}},
     "a.1.0.i0.heap",
     "a",
     0,
     HR_TIME_MTIME,
     "1.5"},
    {"one time that does not fit",
     -1,
     {{"a.1.0.i0.heap", BODY, 1.5},
      {"a.1.1.i1.heap", BODY, 2},
      {"a.1.2.i2.heap", BODY, 3},
      {"a.1.3.i3.heap", BODY, 90},
      {"a.1.4.i4.heap", BODY, 5},
      {"a.1.5.i5.heap", BODY, 6},
      {"a.1.6.i6.heap", BODY, 7},
      {"a.1.7.i7.heap", BODY, 8},
      {"a.1.8.i8.heap", BODY, 9},
      {"a.1.9.i9.heap", BODY, 10}},
     "a.1.0.i0.heap a.1.1.i1.heap a.1.2.i2.heap a.1.3.i3.heap a.1.4.i4.heap a.1.5.i5.heap "
     "a.1.6.i6.heap a.1.7.i7.heap a.1.8.i8.heap a.1.9.i9.heap",
     "a",
     0,
     HR_TIME_MTIME,
     "1.5 2 3 4 5 6 7 8 9 10"},
    {"own names with a time",
     -1,
     {{"app.1796158810.heap", BODY, 900}, {"app.1796158805.heap", BODY, 901}},
     "app.1796158805.heap app.1796158810.heap",
     "app",
     0,
     HR_TIME_NAME,
     "5 10"},
    {"own names with a local time",
     -1,
     {{"app.20261201-220010.heap", BODY, 11}, {"app.20261201-220005.heap", BODY, 5}},
     "app.20261201-220005.heap app.20261201-220010.heap",
     "app",
     0,
     HR_TIME_NAME,
     "5 10"},
    {"own names with a number",
     -1,
     {{"app.2.heap", BODY, 1}, {"app.10.heap", BODY, 2}},
     "app.2.heap app.10.heap",
     "app",
     0,
     HR_TIME_MTIME,
     "1 2"},
    {"own names with both",
     -1,
     {{"app.2.heap", BODY, 5}, {"app.1796158805.heap", BODY, 3}},
     "app.1796158805.heap app.2.heap",
     "app",
     0,
     HR_TIME_MTIME,
     "3 5"},
    {"names without .heap, by content",
     -1,
     {{"jeprof.1", BODY, 1}, {"jeprof.2", BODY, 2}, {"notes.txt", "heap_v2 is nice\n", 3}},
     "jeprof.1 jeprof.2",
     "jeprof",
     0,
     HR_TIME_MTIME,
     "1 2"},
};

static char *names_of(const struct hr_run *run)
{
    GString *names = g_string_new(NULL);
    for (size_t i = 0; i < run->dumps_count; i++) {
        g_string_append_printf(names, "%s%s", i > 0 ? " " : "", run->dumps[i].file);
    }
    return g_string_free(names, FALSE);
}

static char *times_of(const struct hr_run *run)
{
    GString *times = g_string_new(NULL);
    for (size_t i = 0; i < run->dumps_count; i++) {
        const double time_s = run->dumps[i].taken_at_s - HR_FIXTURE_START_S;
        g_string_append_printf(times, "%s%g", i > 0 ? " " : "", round(time_s * 1e4) / 1e4);
    }
    return g_string_free(times, FALSE);
}

// Files are made in the order given and in reverse: the order of a directory must not matter.
static void check_case(const struct expected *expected, bool reverse)
{
    struct hr_fixture fixture;
    hr_fixture_init(&fixture);
    size_t count = 0;
    while (expected->files[count].name) {
        count++;
    }
    for (size_t i = 0; i < count; i++) {
        const struct file *file = &expected->files[reverse ? count - 1 - i : i];
        hr_fixture_add(&fixture, file->name, file->content, file->time_s);
    }
    g_test_message("%s", expected->title);
    fixture.options.pid = expected->pid;
    hr_fixture_read(&fixture, true);
    const struct hr_run *run = fixture.run;
    g_autofree char *names = names_of(run);
    g_autofree char *times = times_of(run);
    g_assert_cmpstr(names, ==, expected->order);
    g_assert_cmpstr(run->key.prefix, ==, expected->prefix);
    g_assert_cmpuint(run->other_runs_count, ==, expected->other_runs);
    g_assert_cmpint(run->time_axis, ==, expected->axis);
    if (expected->times) {
        g_assert_cmpstr(times, ==, expected->times);
    } else {
        g_assert_true(isnan(run->dumps[0].taken_at_s));
    }
    hr_fixture_clear(&fixture);
}

static void test_cases(void)
{
    for (size_t i = 0; i < G_N_ELEMENTS(CASES); i++) {
        check_case(&CASES[i], false);
        check_case(&CASES[i], true);
    }
}

static void test_nothing_there(void)
{
    struct hr_fixture fixture;
    hr_fixture_init(&fixture);
    hr_fixture_read(&fixture, true);
    g_assert_cmpuint(fixture.run->dumps_count, ==, 0);
    fixture.options.pid = 7;
    g_assert_true(hr_ingest_find(fixture.run, &fixture.options, fixture.diagnostics, NULL));
    g_assert_cmpuint(fixture.run->dumps_count, ==, 0);
    g_assert_cmpint(fixture.run->key.pid, ==, 7);
    g_autoptr(GError) no_directory = NULL;
    g_autofree char *path = g_build_filename(fixture.directory, "none", NULL);
    g_assert_null(hr_source_new(path, fixture.diagnostics, &no_directory));
    g_assert_error(no_directory, HR_ERROR, HR_ERROR_INPUT);
    hr_fixture_clear(&fixture);
}

static void test_foreign(void)
{
    struct hr_fixture fixture;
    hr_fixture_init(&fixture);
    hr_fixture_add(&fixture, "z.0001.heap", "heap profile: 1: 8 [ 1: 8] @ growthz\n", 9);
    hr_fixture_add(&fixture, "b.heap", "", 9);
    hr_fixture_add(&fixture, "a.heap", "what is this\n", 9);
    hr_fixture_add(&fixture, "app.1.0.i0.heap", BODY, 1);
    hr_fixture_add(&fixture, "app.1.1.i1.heap", "--- symbol\n", 2);
    g_autofree char *pipe = g_build_filename(fixture.directory, "c.heap", NULL);
    g_assert_cmpint(mkfifo(pipe, 0600), ==, 0);
    hr_fixture_read(&fixture, true);
    const struct hr_run *run = fixture.run;
    g_assert_cmpuint(run->foreign_count, ==, 4);
    g_assert_cmpstr(run->foreign[0].file, ==, "a.heap");
    g_assert_cmpstr(run->foreign[0].note_detail, ==, NULL);
    g_assert_cmpint(run->foreign[1].note, ==, HR_DUMP_NOTE_EMPTY);
    g_assert_cmpint(run->foreign[2].note, ==, HR_DUMP_NOTE_UNREADABLE);
    g_assert_cmpstr(run->foreign[3].note_detail, ==, "gperftools growth profile");
    g_assert_cmpuint(run->dumps_count, ==, 2);
    g_assert_false(run->dumps[1].used);
    g_assert_cmpint(run->dumps[1].note, ==, HR_DUMP_NOTE_FOREIGN);
    g_assert_cmpuint(hr_fixture_reports(&fixture, HR_DIAG_NOT_A_DUMP), ==, 5);
    hr_fixture_clear(&fixture);
}

// However often pid 1 came back, no two of its lives are taken for one.
static void test_many_lives(void)
{
    enum { LIVES = 600 };
    struct hr_fixture fixture;
    hr_fixture_init(&fixture);
    for (unsigned life = 0; life < LIVES; life++) {
        for (unsigned sequence = 0; sequence < 2; sequence++) {
            g_autofree char *name = g_strdup_printf("a.1.%u.i%u.heap", sequence, life);
            g_autofree char *body =
                g_strdup_printf(BODY "7f%07x000-7f%07xfff r-xp 00000000 00:00 0   [vdso]\n"
                                     "7ffc00000000-7ffc%07x0 rw-p 00000000 00:00 0   [stack]\n",
                                life, life, life % 7 + 1);
            hr_fixture_add(&fixture, name, body, 10 * life + sequence);
        }
    }
    hr_fixture_read(&fixture, false);
    g_assert_cmpuint(fixture.run->dumps_count, ==, 2);
    g_assert_cmpstr(fixture.run->dumps[0].file, ==, "a.1.0.i599.heap");
    g_assert_cmpstr(fixture.run->dumps[1].file, ==, "a.1.1.i599.heap");
    g_assert_cmpuint(fixture.run->other_runs_count, ==, LIVES - 1);
    hr_fixture_clear(&fixture);
}

static void add_series(struct hr_fixture *fixture, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        g_autofree char *name = g_strdup_printf("a.1.%u.i%u.heap", i, i);
        hr_fixture_add(fixture, name, BODY, 10 * i);
    }
}

static char *used_of(const struct hr_run *run)
{
    GString *used = g_string_new(NULL);
    for (size_t i = 0; i < run->dumps_count; i++) {
        g_string_append_c(used, run->dumps[i].used ? 'x' : '-');
        g_assert_cmpint(run->dumps[i].note, ==,
                        run->dumps[i].used ? HR_DUMP_NOTE_NONE : HR_DUMP_NOTE_EXCLUDED);
    }
    return g_string_free(used, FALSE);
}

static void test_bounds(void)
{
    static const struct {
        double since_s;
        double until_s;
        unsigned every;
        const char *used;
    } cases[] = {
        {NAN, NAN, 1, "xxxxxxxx"}, {20, NAN, 1, "--xxxxxx"},    {NAN, 49, 1, "xxxxx---"},
        {NAN, NAN, 3, "x--x--xx"}, {15, 61, 2, "--x-x-x-"},     {900, NAN, 1, "--------"},
        {15, 51, 3, "--x--x--"},   {NAN, NAN, 100, "x------x"}, {NAN, NAN, 0, "xxxxxxxx"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        struct hr_fixture fixture;
        hr_fixture_init(&fixture);
        add_series(&fixture, 8);
        fixture.options.since_s = HR_FIXTURE_START_S + cases[i].since_s;
        fixture.options.until_s = HR_FIXTURE_START_S + cases[i].until_s;
        fixture.options.every = cases[i].every;
        hr_fixture_read(&fixture, true);
        g_autofree char *used = used_of(fixture.run);
        g_assert_cmpstr(used, ==, cases[i].used);
        hr_fixture_clear(&fixture);
    }
}

static void test_bounds_need_a_clock(void)
{
    struct hr_fixture fixture;
    hr_fixture_init(&fixture);
    hr_fixture_add(&fixture, "a.1.0.i0.heap", FIRST_LIFE, 9);
    hr_fixture_add(&fixture, "a.1.1.i1.heap", FIRST_LIFE, 5);
    hr_fixture_add(&fixture, "a.1.2.i2.heap", FIRST_LIFE, 1);
    fixture.options.since_s = HR_FIXTURE_START_S;
    g_autoptr(GError) error = NULL;
    g_assert_false(hr_ingest_find(fixture.run, &fixture.options, fixture.diagnostics, &error));
    g_assert_error(error, HR_ERROR, HR_ERROR_USAGE);
    hr_fixture_clear(&fixture);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/find/cases", test_cases);
    g_test_add_func("/find/nothing-there", test_nothing_there);
    g_test_add_func("/find/foreign", test_foreign);
    g_test_add_func("/find/many-lives", test_many_lives);
    g_test_add_func("/find/bounds", test_bounds);
    g_test_add_func("/find/bounds-need-a-clock", test_bounds_need_a_clock);
    return g_test_run();
}
