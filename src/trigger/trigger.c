// SPDX-License-Identifier: MIT
#include "trigger/trigger.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

// 1 MiB: jemalloc unwinds and writes on this stack.
#define STACK_BYTES ((size_t)1024 * 1024)
#define ANSWER_BYTES 1024
#define PATIENCE_S 2
#define UNREAD_MAX 16 // more than that is not waited for

typedef int mallctl_function(const char *name, void *old, size_t *old_size, void *new_value,
                             size_t new_size);

// Linked in under one of these names, or not at all.
extern mallctl_function mallctl __attribute__((weak));
extern mallctl_function _rjem_mallctl __attribute__((weak));
extern mallctl_function je_mallctl __attribute__((weak));

// One a process, written before the thread begins.
static struct {
    pid_t owner; // a forked child has the memory, but not the thread
    int socket_fd;
    struct sockaddr_un address;
    char directory[sizeof(((struct sockaddr_un *)NULL)->sun_path)];
    long limit_ms;
    mallctl_function *ctl;
    int64_t last_dump_ms; // the thread's alone
    bool dumped;
} trigger = {.socket_fd = -1};

static mallctl_function *find_mallctl(void)
{
    static const char *const names[] = {"mallctl", "_rjem_mallctl", "je_mallctl"};
    const char *own = secure_getenv(HR_TRIGGER_MALLCTL_VARIABLE);
    void *found = own ? dlsym(RTLD_DEFAULT, own) : NULL;
    mallctl_function *function = NULL;
    if (!found && !own) {
        if (mallctl || _rjem_mallctl || je_mallctl) {
            return mallctl ? mallctl : _rjem_mallctl ? _rjem_mallctl : je_mallctl;
        }
        for (size_t i = 0; !found && i < sizeof names / sizeof *names; i++) {
            found = dlsym(RTLD_DEFAULT, names[i]);
        }
    }
    memcpy(&function, &found, sizeof function);
    return function;
}

static void say(const char *format, ...) __attribute__((format(printf, 1, 2)));

// One line on standard error, without the C library's buffers.
static void say(const char *format, ...)
{
    char line[512] = "heapreport-trigger: ";
    const size_t head = strlen(line);
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(line + head, sizeof line - head - 1, format, arguments);
    va_end(arguments);
    size_t size = head + (length < 0 ? 0 : (size_t)length);
    size = size < sizeof line - 1 ? size : sizeof line - 2;
    line[size++] = '\n';
    if (write(STDERR_FILENO, line, size) < 0) {
        return; // nobody to tell
    }
}

static int64_t now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

// A dump writes to the disk and stops allocations meanwhile: not at anybody's pace.
static bool is_too_soon(void)
{
    const int64_t at_ms = now_ms();
    if (trigger.dumped && at_ms - trigger.last_dump_ms < trigger.limit_ms) {
        return true;
    }
    trigger.dumped = true;
    trigger.last_dump_ms = at_ms;
    return false;
}

static bool is_plain_name(const char *name)
{
    const size_t length = strlen(name);
    const char suffix[] = ".heap";
    return name[0] != '.' && length > sizeof suffix - 1 &&
           strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-") ==
               length &&
           strcmp(name + length - (sizeof suffix - 1), suffix) == 0;
}

static void answer_result(char *answer, int failed, const char *path)
{
    if (failed) {
        snprintf(answer, ANSWER_BYTES, "error jemalloc: %s%s\n", strerrordesc_np(failed),
                 failed == ENOENT ? " (is prof:true set, and was it built with profiling?)" : "");
    } else {
        snprintf(answer, ANSWER_BYTES, "ok%s%s\n", path ? " " : "", path ? path : "");
    }
}

static void dump(char *answer, const char *name)
{
    char path[PATH_MAX];
    const char *file = NULL;
    struct stat status;
    if (*name && !is_plain_name(name)) {
        snprintf(answer, ANSWER_BYTES,
                 "error the name must be a plain NAME.heap: dumps stay in the directory\n");
        return;
    }
    if (*name) {
        snprintf(path, sizeof path, "%s/%s", trigger.directory, name);
        file = path;
    }
    if (file && lstat(file, &status) == 0) {
        snprintf(answer, ANSWER_BYTES, "error there is such a file already\n");
        return;
    }
    if (is_too_soon()) {
        snprintf(answer, ANSWER_BYTES, "error too soon: one dump in %ld ms\n", trigger.limit_ms);
        return;
    }
    answer_result(answer,
                  trigger.ctl("prof.dump", NULL, NULL, file ? &file : NULL, file ? sizeof file : 0),
                  file);
}

static void set_active(char *answer, const char *word)
{
    bool active = strcmp(word, "on") == 0;
    if (!active && strcmp(word, "off") != 0) {
        snprintf(answer, ANSWER_BYTES, "error active on, or active off\n");
        return;
    }
    answer_result(answer, trigger.ctl("prof.active", NULL, NULL, &active, sizeof active), NULL);
}

static void reset(char *answer)
{
    if (is_too_soon()) {
        snprintf(answer, ANSWER_BYTES, "error too soon: one dump in %ld ms\n", trigger.limit_ms);
        return;
    }
    answer_result(answer, trigger.ctl("prof.reset", NULL, NULL, NULL, 0), NULL);
}

static void tell_stats(char *answer)
{
    static const char *const names[] = {"allocated", "active", "metadata",
                                        "resident",  "mapped", "retained"};
    uint64_t epoch = 1;
    size_t length = 0;
    // The counters are those of the last epoch.
    int failed = trigger.ctl("epoch", NULL, NULL, &epoch, sizeof epoch);
    for (size_t i = 0; !failed && i < sizeof names / sizeof *names; i++) {
        char name[32];
        size_t bytes = 0;
        size_t size = sizeof bytes;
        snprintf(name, sizeof name, "stats.%s", names[i]);
        failed = trigger.ctl(name, &bytes, &size, NULL, 0);
        length += (size_t)snprintf(answer + length, ANSWER_BYTES - length, "%c\"%s\":%zu",
                                   i == 0 ? '{' : ',', names[i], bytes);
    }
    if (failed) {
        answer_result(answer, failed, NULL);
    } else {
        snprintf(answer + length, ANSWER_BYTES - length, "}\n");
    }
}

static void answer_request(char *answer, const char *request)
{
    if (strcmp(request, "dump") == 0 || strncmp(request, "dump ", 5) == 0) {
        dump(answer, request[4] ? request + 5 : "");
    } else if (strncmp(request, "active ", 7) == 0) {
        set_active(answer, request + 7);
    } else if (strcmp(request, "reset") == 0) {
        reset(answer);
    } else if (strcmp(request, "stats") == 0) {
        tell_stats(answer);
    } else {
        snprintf(answer, ANSWER_BYTES, "error unknown request\n");
    }
}

// Only the user whose memory it is, and root.
static bool is_allowed(int fd)
{
    struct ucred peer;
    socklen_t size = sizeof peer;
    return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 &&
           (peer.uid == geteuid() || peer.uid == 0);
}

static bool read_request(int fd, char request[static HR_TRIGGER_REQUEST_BYTES_MAX])
{
    size_t size = 0;
    while (size < HR_TRIGGER_REQUEST_BYTES_MAX - 1) {
        const ssize_t got = recv(fd, request + size, HR_TRIGGER_REQUEST_BYTES_MAX - 1 - size, 0);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got <= 0) {
            return false;
        }
        size += (size_t)got;
        request[size] = '\0';
        char *end = memchr(request, '\n', size);
        if (end) {
            *end = '\0';
            return true;
        }
    }
    return false;
}

static void serve(int fd)
{
    char request[HR_TRIGGER_REQUEST_BYTES_MAX];
    char answer[ANSWER_BYTES];
    const struct timeval patience = {.tv_sec = PATIENCE_S};
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    if (!is_allowed(fd)) {
        snprintf(answer, sizeof answer, "error not allowed: another user\n");
    } else if (!read_request(fd, request)) {
        snprintf(answer, sizeof answer, "error a request is one line\n");
    } else {
        answer_request(answer, request);
    }
    (void)!send(fd, answer, strlen(answer), MSG_NOSIGNAL);
    // Closed over what was not read, the answer would be lost with the connection.
    shutdown(fd, SHUT_WR);
    for (int i = 0; i < UNREAD_MAX && recv(fd, answer, sizeof answer, 0) > 0; i++) {
    }
    close(fd);
}

static void *listen_on(void *unused)
{
    for (;;) {
        const int fd = accept4(trigger.socket_fd, NULL, NULL, SOCK_CLOEXEC);
        if (fd >= 0) {
            serve(fd);
        } else if (errno != EINTR && errno != ECONNABORTED) {
            const struct timespec pause = {.tv_sec = 1}; // out of descriptors: it may pass
            nanosleep(&pause, NULL);
        }
    }
    return unused;
}

// A directory that others may write to could hold a socket of theirs in our place.
static bool check_directory(const char *directory)
{
    struct stat status;
    // Asked from elsewhere, or after the service went to another directory, it would be another.
    if (*directory != '/') {
        say("%s is no absolute path", directory);
        return false;
    }
    if (lstat(directory, &status) != 0 || !S_ISDIR(status.st_mode)) {
        say("%s is no directory", directory);
        return false;
    }
    if ((status.st_uid != geteuid() && status.st_uid != 0) || (status.st_mode & S_IWOTH) != 0) {
        say("%s belongs to another user, or all may write there", directory);
        return false;
    }
    return true;
}

static bool open_socket(const char *directory)
{
    const int length = snprintf(trigger.address.sun_path, sizeof trigger.address.sun_path,
                                "%s/heapreport-trigger.%ld.sock", directory, (long)trigger.owner);
    if (length < 0 || (size_t)length >= sizeof trigger.address.sun_path) {
        say("%s: the path is too long for a socket", directory);
        return false;
    }
    trigger.address.sun_family = AF_UNIX;
    trigger.socket_fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    // Of an earlier process that had our number, and was killed.
    unlink(trigger.address.sun_path);
    // The mode that the file will have, before there is one: no moment in which others get in.
    if (trigger.socket_fd < 0 || fchmod(trigger.socket_fd, 0600) != 0 ||
        bind(trigger.socket_fd, (const struct sockaddr *)&trigger.address,
             sizeof trigger.address) != 0 ||
        listen(trigger.socket_fd, 16) != 0) {
        say("%s: %s", trigger.address.sun_path, strerrordesc_np(errno));
        return false;
    }
    return true;
}

// The service's signals stay its own.
static bool start_thread(void)
{
    sigset_t all;
    sigset_t before;
    pthread_attr_t attributes;
    pthread_t thread;
    sigfillset(&all);
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_attr_setstacksize(&attributes, STACK_BYTES);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const int failed = pthread_create(&thread, &attributes, listen_on, NULL);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    return failed == 0;
}

static void read_limit(void)
{
    const char *text = secure_getenv(HR_TRIGGER_LIMIT_VARIABLE);
    char *end = NULL;
    const long limit_ms = text ? strtol(text, &end, 10) : HR_TRIGGER_LIMIT_MS;
    trigger.limit_ms =
        limit_ms >= 0 && (!text || (end != text && *end == '\0')) ? limit_ms : HR_TRIGGER_LIMIT_MS;
}

__attribute__((destructor)) static void remove_socket(void)
{
    if (trigger.socket_fd >= 0 && trigger.owner == getpid()) {
        unlink(trigger.address.sun_path);
    }
}

__attribute__((visibility("default"), constructor)) void hr_trigger_start(void)
{
    const char *directory = secure_getenv(HR_TRIGGER_DIRECTORY_VARIABLE);
    if (!directory || !*directory || trigger.socket_fd >= 0) {
        return;
    }
    trigger.ctl = find_mallctl();
    if (!trigger.ctl) {
        say("no mallctl: jemalloc is not in this program, or linked in without exporting it; link "
            "libheapreport-trigger in as well");
        return;
    }
    trigger.owner = getpid();
    read_limit();
    if (strlen(directory) >= sizeof trigger.directory) {
        say("%s: the path is too long for a socket", directory);
        return;
    }
    memcpy(trigger.directory, directory, strlen(directory) + 1);
    if (check_directory(directory) && open_socket(directory) && !start_thread()) {
        say("no thread could be started");
        remove_socket(); // who connects would wait for nobody
    }
}
