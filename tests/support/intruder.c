// SPDX-License-Identifier: MIT
// Preloaded into the program under test: plays an attacker who has taken it over while it reads
// dumps ("ingest": when the first dump is opened) and while it puts reports in place ("render":
// when the first file is renamed). Tries what it should not be able to do and writes one line each,
// "STAGE ATTEMPT done|refused", to the open descriptor HR_INTRUDER_FD. HR_INTRUDER_DIR is a
// directory of its own with the files victim, secret and tool (a program); HR_INTRUDER_DUMP a dump.
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

static atomic_bool tried_ingest;
static atomic_bool tried_render;

static int open_file(const char *path, int flags)
{
    return (int)syscall(SYS_openat, AT_FDCWD, path, flags, 0600);
}

static void tell(const char *stage, const char *attempt, bool done)
{
    char line[128];
    const char *fd = getenv("HR_INTRUDER_FD");
    const int length =
        snprintf(line, sizeof line, "%s %s %s\n", stage, attempt, done ? "done" : "refused");
    if (fd) {
        (void)!syscall(SYS_write, atoi(fd), line, (size_t)length);
    }
}

static void path_in(char path[PATH_MAX], const char *name)
{
    const char *directory = getenv("HR_INTRUDER_DIR");
    snprintf(path, PATH_MAX, "%s/%s", directory ? directory : "/nonexistent", name);
}

static bool can_open(const char *path, int flags)
{
    const int fd = open_file(path, flags);
    if (fd >= 0) {
        syscall(SYS_close, fd);
    }
    return fd >= 0;
}

static void try_files(const char *stage)
{
    char victim[PATH_MAX];
    char fresh[PATH_MAX];
    char secret[PATH_MAX];
    const char *dump = getenv("HR_INTRUDER_DUMP");
    path_in(victim, "victim");
    path_in(fresh, "fresh");
    path_in(secret, "secret");
    tell(stage, "read-passwd", can_open("/etc/passwd", O_RDONLY));
    tell(stage, "read-secret", can_open(secret, O_RDONLY));
    tell(stage, "read-dump", dump && can_open(dump, O_RDONLY));
    tell(stage, "write", can_open(victim, O_WRONLY));
    tell(stage, "create", can_open(fresh, O_WRONLY | O_CREAT));
    tell(stage, "remove", syscall(SYS_unlinkat, AT_FDCWD, fresh, 0) == 0);
    tell(stage, "truncate", truncate(victim, 1) == 0);
    tell(stage, "chmod", syscall(SYS_fchmodat, AT_FDCWD, victim, 0600) == 0);
    tell(stage, "chown", syscall(SYS_fchownat, AT_FDCWD, victim, getuid(), getgid(), 0) == 0);
    tell(stage, "touch", syscall(SYS_utimensat, AT_FDCWD, victim, NULL, 0) == 0);
}

static void try_network(const char *stage)
{
    const int families[] = {AF_INET, AF_INET6, AF_UNIX};
    const char *const names[] = {"socket-inet", "socket-inet6", "socket-unix"};
    for (size_t i = 0; i < sizeof families / sizeof *families; i++) {
        const int fd = (int)syscall(SYS_socket, families[i], SOCK_STREAM, 0);
        tell(stage, names[i], fd >= 0 || errno == EAFNOSUPPORT);
        if (fd >= 0) {
            syscall(SYS_close, fd);
        }
    }
}

// The program is run in a process of its own where there can be one; where not, this one asks for
// a program that is not there, and learns whether it may ask.
static void try_programs(const char *stage)
{
    char tool[PATH_MAX];
    path_in(tool, "tool");
    char *const arguments[] = {tool, NULL};
    const pid_t child = fork();
    tell(stage, "fork", child >= 0);
    if (child == 0) {
        syscall(SYS_execve, tool, arguments, environ);
        _exit(1);
    }
    int status = 1;
    if (child > 0) {
        waitpid(child, &status, 0);
        tell(stage, "exec", status == 0);
    } else {
        syscall(SYS_execve, "/nonexistent", arguments, environ);
        tell(stage, "exec", errno == ENOENT);
    }
    tell(stage, "signal", kill(getppid(), 0) == 0);
    tell(stage, "ring", syscall(SYS_io_uring_setup, 1, NULL) >= 0 || errno == EFAULT);
}

// The other end of a socket of ours hands out descriptors.
static bool ask(int socket, uint32_t kind, const char *text)
{
    struct iovec parts[] = {{&kind, sizeof kind}, {(char *)(uintptr_t)text, strlen(text)}};
    char got[65536];
    union {
        struct cmsghdr header;
        char bytes[CMSG_SPACE(sizeof(int))];
    } control = {0};
    struct iovec part = {got, sizeof got};
    const struct msghdr question = {.msg_iov = parts, .msg_iovlen = 2};
    struct msghdr answer = {.msg_iov = &part,
                            .msg_iovlen = 1,
                            .msg_control = control.bytes,
                            .msg_controllen = sizeof control.bytes};
    if (sendmsg(socket, &question, MSG_NOSIGNAL) < 0 || recvmsg(socket, &answer, 0) <= 0) {
        return false;
    }
    const struct cmsghdr *header = CMSG_FIRSTHDR(&answer);
    if (header) {
        int fd;
        memcpy(&fd, CMSG_DATA(header), sizeof fd);
        syscall(SYS_close, fd);
    }
    return header != NULL;
}

static void try_helper(const char *stage)
{
    char tool[PATH_MAX];
    char secret[PATH_MAX];
    path_in(tool, "tool");
    path_in(secret, "secret");
    for (int fd = STDERR_FILENO + 1; fd < 64; fd++) {
        int type = 0;
        socklen_t size = sizeof type;
        if (getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &size) == 0 && type == SOCK_SEQPACKET) {
            tell(stage, "helper", true);
            tell(stage, "helper-program", ask(fd, 0, tool));
            tell(stage, "helper-secret", ask(fd, 0, secret));
            tell(stage, "helper-passwd", ask(fd, 0, "/etc/passwd"));
            tell(stage, "helper-server", ask(fd, 2, "../../../etc/passwd"));
            tell(stage, "helper-nonsense", ask(fd, 77, secret));
            return;
        }
    }
    tell(stage, "helper", false);
}

static void try_all(const char *stage)
{
    try_files(stage);
    try_network(stage);
    try_programs(stage);
    try_helper(stage);
}

static bool ends_in(const char *path, const char *suffix)
{
    const size_t length = strlen(path);
    const size_t suffix_length = strlen(suffix);
    return length >= suffix_length && strcmp(path + length - suffix_length, suffix) == 0;
}

#define DEFINE_OPEN(name)                                                                          \
    int name(const char *path, int flags, ...)                                                     \
    {                                                                                              \
        va_list list;                                                                              \
        va_start(list, flags);                                                                     \
        const mode_t mode =                                                                        \
            (flags & O_CREAT) || (flags & O_TMPFILE) == O_TMPFILE ? va_arg(list, mode_t) : 0;      \
        va_end(list);                                                                              \
        if (ends_in(path, ".heap") && !atomic_exchange(&tried_ingest, true)) {                     \
            try_all("ingest");                                                                     \
        }                                                                                          \
        return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);                              \
    }
DEFINE_OPEN(open)
DEFINE_OPEN(open64)

int renameat(int from_directory, const char *from, int to_directory, const char *to)
{
    if (!atomic_exchange(&tried_render, true)) {
        try_all("render");
    }
    return (int)syscall(SYS_renameat, from_directory, from, to_directory, to);
}
