// SPDX-License-Identifier: MIT
#include "command/target.h"

#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct place {
    char *directory;
};

static void place_setup(struct place *place, const void *unused)
{
    (void)unused;
    place->directory = g_dir_make_tmp("heapreport-target-XXXXXX", NULL);
    g_assert_nonnull(place->directory);
    g_assert_cmpint(chdir(place->directory), ==, 0);
}

static void place_teardown(struct place *place, const void *unused)
{
    (void)unused;
    g_autoptr(GDir) directory = g_dir_open(".", 0, NULL);
    for (const char *name = g_dir_read_name(directory); name; name = g_dir_read_name(directory)) {
        g_remove(name);
    }
    g_assert_cmpint(chdir("/"), ==, 0);
    g_assert_cmpint(g_rmdir(place->directory), ==, 0);
    g_free(place->directory);
}

static unsigned count_files(void)
{
    unsigned count = 0;
    g_autoptr(GDir) directory = g_dir_open(".", 0, NULL);
    while (g_dir_read_name(directory)) {
        count++;
    }
    return count;
}

static void assert_content(const char *path, const char *expected)
{
    g_autofree char *content = NULL;
    g_assert_true(g_file_get_contents(path, &content, NULL, NULL));
    g_assert_cmpstr(content, ==, expected);
}

static void test_replaces_whole(struct place *place, const void *unused)
{
    (void)place;
    (void)unused;
    g_assert_true(g_file_set_contents("report.txt", "old", -1, NULL));
    g_assert_cmpint(g_chmod("report.txt", 0640), ==, 0);
    HR_AUTO(hr_target) target = hr_target_new("report.txt", NULL);
    g_assert_true(hr_target_fill(target, "new", 3, NULL));
    assert_content("report.txt", "old");
    g_assert_cmpuint(count_files(), <=, 2); // 1 where what is filled has no name yet
    g_assert_true(hr_target_commit(target, NULL));
    assert_content("report.txt", "new");
    g_assert_cmpuint(count_files(), ==, 1);
    struct stat status;
    g_assert_cmpint(stat("report.txt", &status), ==, 0);
    g_assert_cmpint(status.st_mode & 0777, ==, 0640);
}

static void test_leaves_nothing(struct place *place, const void *unused)
{
    (void)place;
    (void)unused;
    struct hr_target *target = hr_target_new("report.txt", NULL);
    g_assert_true(hr_target_fill(target, "new", 3, NULL));
    hr_target_free(target);
    g_assert_cmpuint(count_files(), ==, 0);
}

static void test_follows_links(struct place *place, const void *unused)
{
    (void)place;
    (void)unused;
    g_assert_true(g_file_set_contents("real.txt", "old", -1, NULL));
    g_assert_cmpint(symlink("real.txt", "latest.txt"), ==, 0);
    HR_AUTO(hr_target) target = hr_target_new("latest.txt", NULL);
    g_assert_nonnull(target);
    g_assert_true(hr_target_is_file(target, "real.txt"));
    HR_AUTO(hr_target) same = hr_target_new("./real.txt", NULL);
    g_assert_true(hr_target_equal(target, same));
    g_assert_true(hr_target_fill(target, "new", 3, NULL));
    g_assert_true(hr_target_commit(target, NULL));
    assert_content("real.txt", "new");
    g_assert_true(g_file_test("latest.txt", G_FILE_TEST_IS_SYMLINK));
}

static void assert_refused(const char *path, const char *reason)
{
    g_autoptr(GError) error = NULL;
    g_assert_null(hr_target_new(path, &error));
    g_assert_error(error, HR_ERROR, HR_ERROR_OUTPUT);
    g_assert_nonnull(strstr(error->message, path));
    g_assert_nonnull(strstr(error->message, reason));
}

static void test_refuses(struct place *place, const void *unused)
{
    (void)unused;
    g_assert_cmpint(symlink("loop.txt", "loop.txt"), ==, 0);
    assert_refused("loop.txt", "too many links");
    assert_refused("missing/report.txt", "No such file");
    assert_refused("/", "directory");
    assert_refused("/dev/null", "no regular file");
    // A link that another user of a shared directory may have laid there.
    g_assert_cmpint(symlink("/dev/null", "planted.txt"), ==, 0);
    g_assert_cmpint(g_chmod(place->directory, 01777), ==, 0);
    assert_refused("planted.txt", "link");
    g_assert_cmpint(g_chmod(place->directory, 0500), ==, 0);
    if (geteuid() != 0) { // root may write everywhere
        assert_refused("report.txt", "Permission denied");
    }
    g_assert_cmpint(g_chmod(place->directory, 0700), ==, 0);
}

static void add(const char *name, void (*test)(struct place *, const void *))
{
    g_test_add(name, struct place, NULL, place_setup, test, place_teardown);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    add("/target/replaces-whole", test_replaces_whole);
    add("/target/leaves-nothing", test_leaves_nothing);
    add("/target/follows-links", test_follows_links);
    add("/target/refuses", test_refuses);
    return g_test_run();
}
