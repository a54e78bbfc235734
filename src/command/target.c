// SPDX-License-Identifier: MIT
#include "command/target.h"

#include "base/files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define LINKS_MAX 8
#define NAMES_TRIED_MAX 100
#define DESCRIPTORS "/proc/self/fd"

struct hr_target {
    char *path;
    char *name;        // below directory_fd
    int directory_fd;  // -1: none
    struct stat there; // what stands in the place now
    bool is_there;
    int fd;          // filled and without a name, so that not even a crash leaves it; -1: none
    char *temporary; // filled under this name; NULL: not
};

void hr_target_free(struct hr_target *target)
{
    if (!target) {
        return;
    }
    if (target->temporary) {
        unlinkat(target->directory_fd, target->temporary, 0);
    }
    if (target->fd >= 0) {
        close(target->fd);
    }
    if (target->directory_fd >= 0) {
        close(target->directory_fd);
    }
    g_free(target->temporary);
    g_free(target->name);
    g_free(target->path);
    g_free(target);
}

static bool fail(const struct hr_target *target, GError **error, const char *reason)
{
    g_set_error(error, HR_ERROR, HR_ERROR_OUTPUT, "cannot write %s: %s", target->path, reason);
    return false;
}

static bool open_directory(struct hr_target *target, const char *path, GError **error)
{
    g_autofree char *directory = g_path_get_dirname(path);
    if (target->directory_fd >= 0) {
        close(target->directory_fd);
    }
    target->directory_fd = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (target->directory_fd < 0) {
        g_autofree char *reason = g_strdup_printf("%s: %s", directory, g_strerror(errno));
        return fail(target, error, reason);
    }
    g_free(target->name);
    target->name = g_path_get_basename(path);
    return true;
}

// In /tmp and its like anybody may lay a link under the name of a report.
static bool may_follow_link(const struct hr_target *target)
{
    struct stat directory;
    return fstat(target->directory_fd, &directory) == 0 &&
           !((directory.st_mode & S_ISVTX) && (directory.st_mode & S_IWOTH));
}

// Reads where a link that stands in the place leads to; NULL where there is no link.
static char *read_link(const char *path)
{
    g_autofree char *there = g_file_read_link(path, NULL);
    if (!there || g_path_is_absolute(there)) {
        return g_steal_pointer(&there);
    }
    g_autofree char *directory = g_path_get_dirname(path);
    return g_build_filename(directory, there, NULL);
}

static bool resolve(struct hr_target *target, GError **error)
{
    g_autofree char *path = g_strdup(target->path);
    for (int links = 0; links <= LINKS_MAX; links++) {
        if (!open_directory(target, path, error)) {
            return false;
        }
        target->is_there =
            fstatat(target->directory_fd, target->name, &target->there, AT_SYMLINK_NOFOLLOW) == 0;
        if (!target->is_there || !S_ISLNK(target->there.st_mode)) {
            return true;
        }
        if (!may_follow_link(target)) {
            return fail(target, error, "it is a link in a directory that everybody can write to");
        }
        char *next = read_link(path);
        if (!next) {
            return fail(target, error, "its link cannot be read");
        }
        g_free(path);
        path = next;
    }
    return fail(target, error, "too many links");
}

static bool check_place(const struct hr_target *target, GError **error)
{
    if (target->is_there && S_ISDIR(target->there.st_mode)) {
        return fail(target, error, "it is a directory");
    }
    if (target->is_there && !S_ISREG(target->there.st_mode)) {
        return fail(target, error, "it is no regular file");
    }
    if (faccessat(target->directory_fd, ".", W_OK | X_OK, 0) != 0) {
        g_autofree char *reason = g_strdup_printf("its directory: %s", g_strerror(errno));
        return fail(target, error, reason);
    }
    return true;
}

struct hr_target *hr_target_new(const char *path, GError **error)
{
    HR_AUTO(hr_target) target = g_new0(struct hr_target, 1);
    target->path = g_strdup(path);
    target->directory_fd = -1;
    target->fd = -1;
    if (!resolve(target, error) || !check_place(target, error)) {
        return NULL;
    }
    return HR_STEAL(target);
}

const char *hr_target_path(const struct hr_target *target)
{
    return target->path;
}

int hr_target_directory(const struct hr_target *target)
{
    return target->directory_fd;
}

bool hr_target_equal(const struct hr_target *a, const struct hr_target *b)
{
    struct stat left;
    struct stat right;
    return strcmp(a->name, b->name) == 0 && fstat(a->directory_fd, &left) == 0 &&
           fstat(b->directory_fd, &right) == 0 && left.st_dev == right.st_dev &&
           left.st_ino == right.st_ino;
}

bool hr_target_is_file(const struct hr_target *target, const char *path)
{
    struct stat status;
    return target->is_there && stat(path, &status) == 0 && status.st_dev == target->there.st_dev &&
           status.st_ino == target->there.st_ino;
}

// A name beside the place that nobody else takes.
static char *choose_name(const struct hr_target *target)
{
    return g_strdup_printf(".%.200s.%08x", target->name, (unsigned)g_random_int());
}

// Readable to no more people than the file that it replaces.
static mode_t mode_of(const struct hr_target *target)
{
    return target->is_there ? target->there.st_mode & 0666 : 0666;
}

// Not every file system has files without a name, and without /proc they cannot be given one.
static bool open_nameless(struct hr_target *target)
{
    if (access(DESCRIPTORS, X_OK) == 0) {
        target->fd =
            openat(target->directory_fd, ".", O_WRONLY | O_TMPFILE | O_CLOEXEC, mode_of(target));
    }
    return target->fd >= 0;
}

static int create_temporary(struct hr_target *target)
{
    for (int tried = 0; tried < NAMES_TRIED_MAX; tried++) {
        g_autofree char *name = choose_name(target);
        const int fd =
            openat(target->directory_fd, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                   mode_of(target));
        if (fd >= 0) {
            target->temporary = g_steal_pointer(&name);
            return fd;
        }
        if (errno != EEXIST) {
            return -1;
        }
    }
    return -1;
}

static bool sync_down(int fd)
{
    int status;
    do {
        status = fsync(fd);
    } while (status != 0 && errno == EINTR);
    return status == 0;
}

static bool fill(struct hr_target *target, int fd, const void *bytes, size_t size)
{
    if (target->is_there && fchmod(fd, target->there.st_mode & 0777) != 0) {
        return false;
    }
    return hr_file_write_all(fd, bytes, size) && sync_down(fd);
}

// A file system may report a full disk as late as here.
static bool close_filled(struct hr_target *target, int fd, GError **error)
{
    return close(fd) == 0 || fail(target, error, g_strerror(errno));
}

bool hr_target_fill(struct hr_target *target, const void *bytes, size_t size, GError **error)
{
    g_assert(!target->temporary && target->fd < 0);
    const int fd = open_nameless(target) ? target->fd : create_temporary(target);
    if (fd < 0) {
        return fail(target, error, g_strerror(errno));
    }
    const bool filled = fill(target, fd, bytes, size) || fail(target, error, g_strerror(errno));
    if (fd == target->fd) {
        return filled;
    }
    return close_filled(target, fd, filled ? error : NULL) && filled;
}

// A link cannot replace a file, so what has no name gets one beside the place first.
static bool give_name(struct hr_target *target, GError **error)
{
    g_autofree char *descriptor = g_strdup_printf(DESCRIPTORS "/%d", target->fd);
    for (int tried = 0; tried < NAMES_TRIED_MAX; tried++) {
        g_autofree char *name = choose_name(target);
        if (linkat(AT_FDCWD, descriptor, target->directory_fd, name, AT_SYMLINK_FOLLOW) == 0) {
            target->temporary = g_steal_pointer(&name);
            return close_filled(target, g_steal_fd(&target->fd), error);
        }
        if (errno != EEXIST) {
            break;
        }
    }
    return fail(target, error, g_strerror(errno));
}

bool hr_target_commit(struct hr_target *target, GError **error)
{
    g_assert(target->temporary || target->fd >= 0);
    if (target->fd >= 0 && !give_name(target, error)) {
        return false;
    }
    if (renameat(target->directory_fd, target->temporary, target->directory_fd, target->name) !=
        0) {
        return fail(target, error, g_strerror(errno));
    }
    g_clear_pointer(&target->temporary, g_free);
    // Makes the new name last too; some file systems refuse, and the report is there all the same.
    (void)fsync(target->directory_fd);
    return true;
}
