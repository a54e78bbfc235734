// SPDX-License-Identifier: MIT
#include "base/files.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

static void test_write_all(void)
{
    static const char text[] = "heap_v2/524288\n";
    char back[sizeof text];
    const int fd = memfd_create("written", MFD_CLOEXEC);
    g_assert_true(hr_file_write_all(fd, text, sizeof text));
    g_assert_cmpint(pread(fd, back, sizeof back, 0), ==, sizeof back);
    g_assert_cmpmem(back, sizeof back, text, sizeof text);
    close(fd);
}

static void test_write_nowhere(void)
{
    const int fd = open("/dev/full", O_WRONLY | O_CLOEXEC);
    g_assert_false(hr_file_write_all(fd, "x", 1));
    g_assert_cmpint(errno, ==, ENOSPC);
    g_assert_true(hr_file_write_all(fd, "", 0));
    close(fd);
}

// A pipe that nobody empties takes a part and then refuses: a part is not all.
static void test_write_part(void)
{
    int ends[2];
    g_assert_cmpint(pipe2(ends, O_NONBLOCK | O_CLOEXEC), ==, 0);
    static const char bytes[1024 * 1024];
    g_assert_false(hr_file_write_all(ends[1], bytes, sizeof bytes));
    g_assert_cmpint(errno, ==, EAGAIN);
    close(ends[0]);
    close(ends[1]);
}

static void test_wait(void)
{
    int ends[2];
    g_assert_cmpint(pipe2(ends, O_CLOEXEC), ==, 0);
    g_assert_false(hr_file_wait(ends[0], g_get_monotonic_time() + 1000));
    g_assert_true(hr_file_write_all(ends[1], "x", 1));
    g_assert_true(hr_file_wait(ends[0], g_get_monotonic_time() + G_USEC_PER_SEC));
    // What is there already is no reason to look when the time is over.
    g_assert_false(hr_file_wait(ends[0], g_get_monotonic_time() - 1));
    close(ends[0]);
    close(ends[1]);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/files/write-all", test_write_all);
    g_test_add_func("/files/write-nowhere", test_write_nowhere);
    g_test_add_func("/files/write-part", test_write_part);
    g_test_add_func("/files/wait", test_wait);
    return g_test_run();
}
