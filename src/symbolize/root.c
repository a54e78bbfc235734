// SPDX-License-Identifier: MIT
#include "symbolize/root.h"

#include "base/files.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

// Long enough for any chain that ends; the kernel's own bound.
#define LINKS_MAX 40

static int set_errno_error(GError **error, int code)
{
    g_set_error_literal(error, HR_ERROR, HR_ERROR_BINARY, g_strerror(code));
    return -1;
}

static int open_inside(int root_fd, const char *path)
{
    const struct open_how how = {
        .flags = O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK,
        .resolve = RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS,
    };
    return (int)syscall(SYS_openat2, root_fd, path, &how, sizeof how);
}

// Pushes the components of `path` before those still to come.
static void push_components(GQueue *pending, const char *path)
{
    g_auto(GStrv) parts = g_strsplit(path, "/", -1);
    for (guint i = g_strv_length(parts); i-- > 0;) {
        if (*parts[i] && strcmp(parts[i], ".") != 0) {
            g_queue_push_head(pending, g_strdup(parts[i]));
        }
    }
}

static void pop_directory(GArray *open_fds)
{
    if (open_fds->len > 1) {
        close(g_array_index(open_fds, int, open_fds->len - 1));
        g_array_set_size(open_fds, open_fds->len - 1);
    }
}

static void close_to_root(GArray *open_fds)
{
    while (open_fds->len > 1) {
        pop_directory(open_fds);
    }
}

// Takes one step of a path by hand: returns the file at the last one, -1 with errno 0 to go on.
static int step_inside(GArray *open_fds, GQueue *pending, const char *name, unsigned *links)
{
    const int here = g_array_index(open_fds, int, open_fds->len - 1);
    char target[4096];
    const ssize_t length = readlinkat(here, name, target, sizeof target - 1);
    errno = 0;
    if (length >= 0) {
        if (++*links > LINKS_MAX) {
            errno = ELOOP;
            return -1;
        }
        target[length] = '\0';
        if (target[0] == '/') {
            close_to_root(open_fds);
        }
        push_components(pending, target);
        return -1;
    }
    if (g_queue_is_empty(pending)) {
        return openat(here, name, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK | O_NOFOLLOW);
    }
    const int next = openat(here, name, O_PATH | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
    if (next >= 0) {
        errno = 0;
        g_array_append_val(open_fds, next);
    }
    return -1;
}

// For kernels before 5.6: each component is opened without following, each link read by hand.
int hr_root_walk(int root_fd, const char *path)
{
    GQueue *pending = g_queue_new();
    GArray *open_fds = g_array_new(FALSE, FALSE, sizeof(int));
    g_array_append_val(open_fds, root_fd);
    push_components(pending, path);
    unsigned links = 0;
    int opened = -1;
    errno = ENOENT;
    while (opened < 0 && !g_queue_is_empty(pending)) {
        g_autofree char *name = g_queue_pop_head(pending);
        if (strcmp(name, "..") == 0) {
            pop_directory(open_fds);
            errno = EISDIR;
            continue;
        }
        opened = step_inside(open_fds, pending, name, &links);
        if (opened < 0 && errno != 0) {
            break;
        }
        errno = opened < 0 ? EISDIR : 0;
    }
    const int reason = errno;
    close_to_root(open_fds);
    g_array_free(open_fds, TRUE);
    g_queue_free_full(pending, g_free);
    errno = reason;
    return opened;
}

static int open_below(const char *root, const char *path, GError **error)
{
    const int root_fd = open(root, O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (root_fd < 0) {
        return set_errno_error(error, errno);
    }
    int fd = open_inside(root_fd, path);
    if (fd < 0 && (errno == ENOSYS || errno == EPERM || errno == E2BIG)) {
        fd = hr_root_walk(root_fd, path);
    }
    const int reason = errno;
    close(root_fd);
    return fd < 0 ? set_errno_error(error, reason) : fd;
}

int hr_root_open(const char *root, const char *path, GError **error)
{
    int fd = -1;
    struct stat status;
    if (!root || strcmp(root, "/") == 0) {
        g_autoptr(GError) reason = NULL;
        if (!hr_file_open(path, &fd, &status, &reason)) {
            g_set_error_literal(error, HR_ERROR, HR_ERROR_BINARY, reason->message);
            return -1;
        }
        return fd;
    }
    fd = open_below(root, path, error);
    if (fd < 0) {
        return -1;
    }
    if (fstat(fd, &status) != 0 || !S_ISREG(status.st_mode)) {
        close(fd);
        g_set_error_literal(error, HR_ERROR, HR_ERROR_BINARY, "not a regular file");
        return -1;
    }
    return fd;
}
