// SPDX-License-Identifier: MIT
#include "doctor/unit.h"

#include <glib.h>
#include <glib/gstdio.h>

static const struct hr_unit *read_pair(struct hr_arena *arena, const char *first,
                                       const char *second)
{
    g_autofree char *directory = g_dir_make_tmp("hr-unit-XXXXXX", NULL);
    g_autofree char *a = g_build_filename(directory, "app.service", NULL);
    g_autofree char *b = g_build_filename(directory, "override.conf", NULL);
    g_assert_true(g_file_set_contents(a, first, -1, NULL));
    g_assert_true(g_file_set_contents(b, second ? second : "", -1, NULL));
    g_autoptr(GError) error = NULL;
    const struct hr_unit *unit = hr_unit_read(arena, (const char *[]){a, b, NULL}, &error);
    g_assert_no_error(error);
    g_unlink(a);
    g_unlink(b);
    g_rmdir(directory);
    return unit;
}

static void test_words(void)
{
    HR_AUTO(hr_arena) arena = hr_arena_new();
    const struct hr_unit *unit =
        read_pair(arena,
                  "[Unit]\nUser=nobody\n[Service]\n# Environment=NO=1\n"
                  "Environment=\"A=b c\" D=e 'F=g\"h' G=100%% \\\n  H=i\\\"j\n"
                  "ExecStart=-/opt/app serve\nUser = app\nPrivateTmp=yes\n"
                  "LogsDirectory=app\nReadWritePaths=/a -/b\n",
                  NULL);
    const char *const expected[] = {"A=b c", "D=e", "F=g\"h", "G=100%", "H=i\"j", NULL};
    for (size_t i = 0; i < G_N_ELEMENTS(expected); i++) {
        g_assert_cmpstr(unit->environment[i], ==, expected[i]);
    }
    g_assert_cmpstr(unit->name, ==, "app.service");
    g_assert_cmpstr(unit->program, ==, "/opt/app");
    g_assert_cmpstr(unit->user, ==, "app");
    g_assert_true(unit->private_tmp);
    g_assert_cmpstr(unit->writable[0], ==, "/var/log/app");
    g_assert_cmpstr(unit->writable[2], ==, "-/b");
    g_assert_null(unit->writable[3]);
}

static void test_drop_in(void)
{
    HR_AUTO(hr_arena) arena = hr_arena_new();
    const struct hr_unit *unit = read_pair(
        arena, "[Service]\nEnvironment=A=1 B=2\nExecStart=/old\nUser=app\n",
        "[Service]\nEnvironment=\nEnvironment=A=3\nExecStart=\nExecStart=/new serve\nUser=\n");
    g_assert_cmpstr(unit->environment[0], ==, "A=3");
    g_assert_null(unit->environment[1]);
    g_assert_cmpstr(unit->program, ==, "/new");
    g_assert_null(unit->user);
}

static void test_odd(void)
{
    HR_AUTO(hr_arena) arena = hr_arena_new();
    const struct hr_unit *unit = read_pair(
        arena, "Environment=A=1\n[Service\nno key\n=\n[Service]\nEnvironment=\"open\\", "\\");
    g_assert_cmpstr(unit->environment[0], ==, "open\\");
    g_autoptr(GError) error = NULL;
    g_assert_null(hr_unit_read(arena, (const char *[]){"/nowhere/app.service", NULL}, &error));
    g_assert_error(error, HR_ERROR, HR_ERROR_INPUT);
}

// Comments are no part of what they stand between, and join nothing.
static void test_comments(void)
{
    HR_AUTO(hr_arena) arena = hr_arena_new();
    const struct hr_unit *unit = read_pair(arena,
                                           "[Service]\n# off: \\\nEnvironment=A=1 \\\n"
                                           "; B=2 \\\n  # C=3\n D=4\nUser=app\\\\\nGroup=g\n",
                                           "[Service]\r\nEnvironment=E=5 \\\r\n F=6\r\n");
    const char *const expected[] = {"A=1", "D=4", "E=5", "F=6", NULL};
    for (size_t i = 0; i < G_N_ELEMENTS(expected); i++) {
        g_assert_cmpstr(unit->environment[i], ==, expected[i]);
    }
    g_assert_cmpstr(unit->user, ==, "app\\\\");
    g_assert_cmpstr(unit->group, ==, "g");
}

// Files win over the unit whatever the order, and what is unset goes last.
static void test_environment_files(void)
{
    HR_AUTO(hr_arena) arena = hr_arena_new();
    g_autofree char *directory = g_dir_make_tmp("hr-unit-XXXXXX", NULL);
    g_autofree char *path = g_build_filename(directory, "env", NULL);
    g_assert_true(g_file_set_contents(path,
                                      "# A=no\nA= from file, with blanks \r\nB=\"x \\\"y\" 'z '\n"
                                      "C=one\\\ntwo\nno assignment\nD=100%%\nG=1\n",
                                      -1, NULL));
    g_autofree char *text =
        g_strdup_printf("[Service]\nEnvironmentFile=%s\nEnvironment=A=unit E=5 F=6 G=1\n"
                        "UnsetEnvironment=E F=7 G=1\nEnvironmentFile=-/nowhere/env\n",
                        path);
    const struct hr_unit *unit = read_pair(arena, text, NULL);
    const char *const expected[] = {
        "A=unit", "F=6", "A=from file, with blanks", "B=x \"y z ", "C=onetwo", "D=100%%", NULL};
    for (size_t i = 0; i < G_N_ELEMENTS(expected); i++) {
        g_assert_cmpstr(unit->environment[i], ==, expected[i]);
    }
    g_assert_null(unit->unread_file);
    unit = read_pair(arena, text, "[Service]\nEnvironmentFile=/nowhere/env\n");
    g_assert_cmpstr(unit->unread_file, ==, "/nowhere/env");
    unit = read_pair(arena, text, "[Service]\nEnvironmentFile=/nowhere/env\nEnvironmentFile=\n");
    g_assert_null(unit->unread_file);
    g_assert_cmpstr(unit->environment[2], ==, NULL);
    g_unlink(path);
    g_rmdir(directory);
}

static void test_specifiers(void)
{
    HR_AUTO(hr_arena) arena = hr_arena_new();
    const struct hr_unit *unit = read_pair(
        arena, "[Service]\nEnvironment=A=%S/%p B=%N%% C=%L%i D=%Z E=%\nWorkingDirectory=-%V\n",
        NULL);
    const char *const expected[] = {"A=/var/lib/app", "B=app%", "C=/var/log", "D=%Z", "E=%", NULL};
    for (size_t i = 0; i < G_N_ELEMENTS(expected); i++) {
        g_assert_cmpstr(unit->environment[i], ==, expected[i]);
    }
    g_assert_cmpstr(unit->working_directory, ==, "/var/tmp");
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/unit/words", test_words);
    g_test_add_func("/unit/drop-in", test_drop_in);
    g_test_add_func("/unit/odd", test_odd);
    g_test_add_func("/unit/comments", test_comments);
    g_test_add_func("/unit/environment-files", test_environment_files);
    g_test_add_func("/unit/specifiers", test_specifiers);
    return g_test_run();
}
