// SPDX-License-Identifier: MIT
// Preloaded into the program under test: makes the system fail as it does on bad nights. What it
// does is named in HR_FAULTS, words with blanks between:
//
//   short          reads and writes move a few bytes at a time
//   interrupted    every other read, write and sync is interrupted (EINTR)
//   unreadable     reading a file whose path holds HR_FAULTS_PATH gives EIO
//   lost           such a file is deleted when it is first opened for reading
//   truncated      such a file loses its second half when it was opened
//   growing        such a file gets another line at each read
//   full, quota    after HR_FAULTS_BYTES (else 4096), writing to a file gives ENOSPC, EDQUOT
//   sync, close    syncing, closing a written file gives EIO, EDQUOT
//   readonly       no file or directory can be made (EROFS)
//   denied         the same, for lack of permission (EACCES)
//   nofonts        the directories of the system's fonts are not there
//   vanishing      before a file is renamed, its directory is removed with all that is in it
//   slow           writing a file takes a second
//   clock          each look at the wall clock jumps, back and forth
//   noproc         nothing can be opened or read below /proc
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define SHORT_BYTES 1021
#define FULL_BYTES 4096

static atomic_ulong calls;
static atomic_ulong written_bytes;

static bool has(const char *fault)
{
    const char *faults = getenv("HR_FAULTS");
    const char *found = faults ? strstr(faults, fault) : NULL;
    const size_t length = strlen(fault);
    return found && (found[length] == ' ' || found[length] == '\0');
}

static bool is_meant(const char *path)
{
    const char *part = getenv("HR_FAULTS_PATH");
    return part && *part && strstr(path, part);
}

// The path of an open regular file; false for all else, and for what the test reads.
static bool path_of(int fd, char path[PATH_MAX])
{
    struct stat status;
    char link[64];
    if (fd <= STDERR_FILENO || fstat(fd, &status) != 0 || !S_ISREG(status.st_mode)) {
        return false;
    }
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    const long length = syscall(SYS_readlinkat, AT_FDCWD, link, path, PATH_MAX - 1);
    path[length > 0 ? length : 0] = '\0';
    return length > 0;
}

static bool is_interrupted(void)
{
    if (has("interrupted") && atomic_fetch_add(&calls, 1) % 2 == 0) {
        errno = EINTR;
        return true;
    }
    return false;
}

static bool fails_reading(int fd)
{
    char path[PATH_MAX];
    if (is_interrupted()) {
        return true;
    }
    if (!path_of(fd, path) || !is_meant(path)) {
        return false;
    }
    if (has("growing")) {
        const int more = (int)syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_APPEND);
        (void)!syscall(SYS_write, more, "@ 0x1 0x2\n", 10);
        syscall(SYS_close, more);
    }
    errno = EIO;
    return has("unreadable");
}

ssize_t read(int fd, void *bytes, size_t size)
{
    if (fails_reading(fd)) {
        return -1;
    }
    return syscall(SYS_read, fd, bytes, has("short") && size > SHORT_BYTES ? SHORT_BYTES : size);
}

ssize_t pread64(int fd, void *bytes, size_t size, off64_t at)
{
    if (fails_reading(fd)) {
        return -1;
    }
    return syscall(SYS_pread64, fd, bytes, has("short") && size > SHORT_BYTES ? SHORT_BYTES : size,
                   at);
}

ssize_t pread(int fd, void *bytes, size_t size, off_t at)
{
    return pread64(fd, bytes, size, at);
}

static bool fails_writing(int fd, size_t size)
{
    char path[PATH_MAX];
    if (is_interrupted()) {
        return true;
    }
    if (!path_of(fd, path)) {
        return false;
    }
    if (has("slow")) {
        const struct timespec second = {1, 0};
        syscall(SYS_nanosleep, &second, NULL);
    }
    errno = has("full") ? ENOSPC : EDQUOT;
    const char *limit = getenv("HR_FAULTS_BYTES");
    return (has("full") || has("quota")) &&
           atomic_fetch_add(&written_bytes, size) + size >
               (limit ? strtoul(limit, NULL, 10) : FULL_BYTES);
}

ssize_t write(int fd, const void *bytes, size_t size)
{
    if (fails_writing(fd, size)) {
        return -1;
    }
    return syscall(SYS_write, fd, bytes, has("short") && size > SHORT_BYTES ? SHORT_BYTES : size);
}

int fsync(int fd)
{
    char path[PATH_MAX];
    if (is_interrupted()) {
        return -1;
    }
    if (has("sync") && path_of(fd, path)) {
        errno = EIO;
        return -1;
    }
    return (int)syscall(SYS_fsync, fd);
}

int close(int fd)
{
    char path[PATH_MAX];
    const int flags = (int)syscall(SYS_fcntl, fd, F_GETFL);
    const bool fails = has("close") && path_of(fd, path) && (flags & O_ACCMODE) != O_RDONLY;
    const int result = (int)syscall(SYS_close, fd);
    errno = fails ? EDQUOT : errno;
    return fails ? -1 : result;
}

static void spoil(const char *path)
{
    struct stat status;
    if (has("lost")) {
        syscall(SYS_unlink, path);
    }
    if (has("truncated") && stat(path, &status) == 0) {
        syscall(SYS_truncate, path, status.st_size / 2);
    }
}

static bool fails_making(void)
{
    errno = has("readonly") ? EROFS : EACCES;
    return has("readonly") || has("denied");
}

static int open_at(int directory, const char *path, int flags, mode_t mode)
{
    const bool makes = (flags & O_CREAT) || (flags & O_TMPFILE) == O_TMPFILE;
    if (makes && fails_making()) {
        return -1;
    }
    if (has("noproc") && strncmp(path, "/proc", 5) == 0) {
        errno = ENOENT;
        return -1;
    }
    const int fd = (int)syscall(SYS_openat, directory, path, flags, mode);
    if (fd >= 0 && (flags & O_ACCMODE) == O_RDONLY && is_meant(path)) {
        spoil(path);
    }
    return fd;
}

static mode_t mode_from(int flags, va_list list)
{
    return (flags & O_CREAT) || (flags & O_TMPFILE) == O_TMPFILE ? va_arg(list, mode_t) : 0;
}

#define DEFINE_OPEN(name)                                                                          \
    int name(const char *path, int flags, ...)                                                     \
    {                                                                                              \
        va_list list;                                                                              \
        va_start(list, flags);                                                                     \
        const mode_t mode = mode_from(flags, list);                                                \
        va_end(list);                                                                              \
        return open_at(AT_FDCWD, path, flags, mode);                                               \
    }
DEFINE_OPEN(open)
DEFINE_OPEN(open64)

#define DEFINE_OPENAT(name)                                                                        \
    int name(int directory, const char *path, int flags, ...)                                      \
    {                                                                                              \
        va_list list;                                                                              \
        va_start(list, flags);                                                                     \
        const mode_t mode = mode_from(flags, list);                                                \
        va_end(list);                                                                              \
        return open_at(directory, path, flags, mode);                                              \
    }
DEFINE_OPENAT(openat)
DEFINE_OPENAT(openat64)

int mkdir(const char *path, mode_t mode)
{
    return fails_making() ? -1 : (int)syscall(SYS_mkdirat, AT_FDCWD, path, mode);
}

int mkdirat(int directory, const char *path, mode_t mode)
{
    return fails_making() ? -1 : (int)syscall(SYS_mkdirat, directory, path, mode);
}

DIR *opendir(const char *path)
{
    if (has("nofonts") && strstr(path, "/share/fonts")) {
        errno = ENOENT;
        return NULL;
    }
    DIR *(*next)(const char *);
    *(void **)&next = dlsym(RTLD_NEXT, "opendir");
    return next(path);
}

ssize_t readlink(const char *path, char *target, size_t size)
{
    if (has("noproc") && strncmp(path, "/proc", 5) == 0) {
        errno = ENOENT;
        return -1;
    }
    return syscall(SYS_readlinkat, AT_FDCWD, path, target, size);
}

static void remove_below(int directory)
{
    char path[PATH_MAX];
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", directory);
    const long length = syscall(SYS_readlinkat, AT_FDCWD, link, path, PATH_MAX - 1);
    DIR *stream = length > 0 ? (path[length] = '\0', opendir(path)) : NULL;
    for (const struct dirent *there; stream && (there = readdir(stream));) {
        unlinkat(directory, there->d_name, 0);
    }
    if (stream) {
        closedir(stream);
        rmdir(path);
    }
}

int renameat(int from_directory, const char *from, int to_directory, const char *to)
{
    if (has("vanishing")) {
        remove_below(to_directory);
    }
    return (int)syscall(SYS_renameat, from_directory, from, to_directory, to);
}

int clock_gettime(clockid_t clock, struct timespec *time)
{
    const int result = (int)syscall(SYS_clock_gettime, clock, time);
    if (has("clock") && clock == CLOCK_REALTIME) {
        time->tv_sec += (atomic_fetch_add(&calls, 1) % 3) * 86400 - 86400;
    }
    return result;
}

time_t time(time_t *out)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (out) {
        *out = now.tv_sec;
    }
    return now.tv_sec;
}
