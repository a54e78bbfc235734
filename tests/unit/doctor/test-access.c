// SPDX-License-Identifier: MIT
#include "doctor/access.h"

#include <glib.h>
#include <glib/gstdio.h>
#include <sys/stat.h>
#include <unistd.h>

// Asked for users that need not exist: only numbers count.
static void test_users(void)
{
    g_autofree char *directory = g_dir_make_tmp("hr-access-XXXXXX", NULL);
    const gid_t group = getgid();
    const struct {
        mode_t mode;
        struct hr_doctor_user user;
        enum hr_access expected;
    } cases[] = {
        {0755, {.uid = getuid(), .gid = 60001}, HR_ACCESS_MAY_WRITE},
        {0755, {.uid = 60001, .gid = 60001}, HR_ACCESS_OTHER_USER},
        {0777, {.uid = 60001, .gid = 60001}, HR_ACCESS_MAY_WRITE},
        {0775, {.uid = 60001, .gid = group}, HR_ACCESS_MAY_WRITE},
        {0775,
         {.uid = 60001, .gid = 60001, .groups = &group, .groups_count = 1},
         HR_ACCESS_MAY_WRITE},
        {0707, {.uid = 60001, .gid = group}, HR_ACCESS_OTHER_USER}, // the group counts, not all
        {0772, {.uid = 60001, .gid = 60001}, HR_ACCESS_OTHER_USER}, // no passing through
        {0000, {.uid = 0, .gid = 0}, HR_ACCESS_MAY_WRITE},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_test_message("%zu", i);
        g_assert_cmpint(g_chmod(directory, cases[i].mode), ==, 0);
        g_assert_cmpint(hr_access_look(directory, &cases[i].user), ==, cases[i].expected);
    }
    g_assert_cmpint(g_chmod(directory, 0755), ==, 0);
    g_assert_cmpint(hr_access_look(directory, NULL), ==, HR_ACCESS_MAY_WRITE);
    g_assert_cmpfloat(hr_access_free_bytes(directory, NULL), >=, 0);
    g_rmdir(directory);
    g_assert_cmpint(hr_access_look(directory, NULL), ==, HR_ACCESS_MISSING);
    g_assert_cmpint(hr_access_look("/proc/self/maps", NULL), ==, HR_ACCESS_NO_DIRECTORY);
}

// What counts is where a link leads, and the way there.
static void test_links(void)
{
    g_autofree char *directory = g_dir_make_tmp("hr-access-XXXXXX", NULL);
    g_autofree char *closed = g_build_filename(directory, "closed", NULL);
    g_autofree char *heap = g_build_filename(closed, "heap", NULL);
    g_autofree char *link = g_build_filename(directory, "link", NULL);
    const struct hr_doctor_user user = {.uid = 60001, .gid = 60001};
    g_assert_cmpint(g_chmod(directory, 0755), ==, 0);
    g_assert_cmpint(g_mkdir_with_parents(heap, 0700), ==, 0);
    g_assert_cmpint(g_chmod(heap, 0777), ==, 0);
    g_assert_cmpint(symlink(heap, link), ==, 0);
    g_assert_cmpint(hr_access_look(link, &user), ==, HR_ACCESS_NO_WAY);
    g_assert_cmpint(g_chmod(closed, 0711), ==, 0);
    g_assert_cmpint(hr_access_look(link, &user), ==, HR_ACCESS_MAY_WRITE);
    g_assert_true(hr_access_may_add_file(link));
    g_unlink(link);
    g_rmdir(heap);
    g_rmdir(closed);
    g_rmdir(directory);
}

static void test_find_user(void)
{
    static const char *const none[] = {"4294967296", "4294967295", "-1", "+0", " 0", "0x0", ""};
    struct hr_doctor_user user;
    g_autofree gid_t *groups = NULL;
    g_assert_true(hr_access_find_user("root", &user, &groups));
    g_assert_cmpuint(user.uid, ==, 0);
    g_assert_cmpuint(user.groups_count, >=, 1);
    g_free(g_steal_pointer(&groups));
    g_assert_true(hr_access_find_user("60001", &user, &groups));
    g_assert_cmpuint(user.uid, ==, 60001);
    g_free(g_steal_pointer(&groups));
    g_assert_false(hr_access_find_user("no-such-user", &user, &groups));
    for (size_t i = 0; i < G_N_ELEMENTS(none); i++) {
        g_assert_false(hr_access_find_user(none[i], &user, &groups));
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/access/users", test_users);
    g_test_add_func("/access/links", test_links);
    g_test_add_func("/access/find-user", test_find_user);
    return g_test_run();
}
