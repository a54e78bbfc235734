// SPDX-License-Identifier: MIT
#include "elf-support.h"
#include "symbolize/root.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct tree {
    char *top;
    char *root;
};

static void write_file(const char *directory, const char *name, const char *text)
{
    g_autofree char *path = g_build_filename(directory, name, NULL);
    g_assert_true(g_file_set_contents(path, text, -1, NULL));
}

static void link_to(const char *target, const char *directory, const char *name)
{
    g_autofree char *path = g_build_filename(directory, name, NULL);
    g_assert_cmpint(symlink(target, path), ==, 0);
}

// top/outside, top/root/lib/inside and links between them.
static struct tree make_tree(void)
{
    struct tree tree = {.top = hr_test_make_directory()};
    tree.root = g_build_filename(tree.top, "root", NULL);
    g_autofree char *lib = g_build_filename(tree.root, "lib", NULL);
    g_autofree char *fifo = g_build_filename(tree.root, "fifo", NULL);
    g_assert_cmpint(g_mkdir_with_parents(lib, 0700), ==, 0);
    write_file(tree.top, "outside", "outside");
    write_file(lib, "inside", "inside");
    link_to("/lib", tree.root, "absolute");
    link_to("lib/inside", tree.root, "relative");
    link_to("../../../outside", lib, "climbing");
    link_to("/outside", lib, "host");
    link_to("loop", tree.root, "loop");
    g_assert_cmpint(mkfifo(fifo, 0600), ==, 0);
    return tree;
}

static void free_tree(struct tree *tree)
{
    g_free(tree->root);
    hr_test_remove(tree->top);
}

static const struct {
    const char *path;
    bool opens;
} cases[] = {
    {"/lib/inside", true},
    {"/absolute/inside", true},
    {"/relative", true},
    {"/lib/../lib/inside", true},
    {"/../../lib/inside", true},
    {"/lib/climbing", false},
    {"/lib/host", false},
    {"/../outside", false},
    {"/loop", false},
    {"/fifo", false},
    {"/lib", false},
    {"/nothing", false},
    {"/lib/inside/deeper", false},
    {"/", false},
    {"", false},
};

static void expect_inside(int fd)
{
    char text[16] = "";
    g_assert_cmpint(read(fd, text, sizeof text - 1), ==, 6);
    g_assert_cmpstr(text, ==, "inside");
    close(fd);
}

static void test_stays_inside(void)
{
    struct tree tree = make_tree();
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GError) error = NULL;
        const int fd = hr_root_open(tree.root, cases[i].path, &error);
        g_test_message("%s", cases[i].path);
        g_assert_cmpint(fd >= 0, ==, cases[i].opens);
        if (fd >= 0) {
            expect_inside(fd);
        } else {
            g_assert_error(error, HR_ERROR, HR_ERROR_BINARY);
        }
    }
    free_tree(&tree);
}

// The same without openat2().
static void test_walk_by_hand(void)
{
    struct tree tree = make_tree();
    const int root = open(tree.root, O_PATH | O_DIRECTORY | O_CLOEXEC);
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_test_message("%s", cases[i].path);
        if (strcmp(cases[i].path, "/fifo") == 0) {
            continue; // opened without waiting, refused by hr_root_open()
        }
        const int fd = hr_root_walk(root, cases[i].path);
        struct stat status;
        const bool regular = fd >= 0 && fstat(fd, &status) == 0 && S_ISREG(status.st_mode);
        g_assert_cmpint(regular, ==, cases[i].opens);
        if (regular) {
            expect_inside(fd);
        } else if (fd >= 0) {
            close(fd);
        }
    }
    close(root);
    free_tree(&tree);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/root/stays-inside", test_stays_inside);
    g_test_add_func("/root/walk-by-hand", test_walk_by_hand);
    return g_test_run();
}
