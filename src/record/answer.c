// SPDX-License-Identifier: MIT
#include "record/answer.h"

#include "base/files.h"

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <math.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/wait.h>
#include <unistd.h>

#define ANSWER_BYTES_MAX (1u << 20)
#define OBJECTS_MAX 4096
#define ASK_AGAIN_US 5000

extern char **environ;

static const char *const counters[] = {"allocated", "active", "metadata",
                                       "resident",  "mapped", "retained"};

// Its own process group, so that what it started ends with it.
static pid_t spawn_shell(const char *command, int output_fd)
{
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&files, output_fd, STDOUT_FILENO);
    sigset_t none;
    sigset_t ignored_by_us;
    sigemptyset(&none);
    sigemptyset(&ignored_by_us);
    sigaddset(&ignored_by_us, SIGPIPE);
    sigaddset(&ignored_by_us, SIGXFSZ);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &ignored_by_us);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK |
                                              POSIX_SPAWN_SETSIGDEF);
    g_autofree char *text = g_strdup(command);
    char *argv[] = {(char[]){"sh"}, (char[]){"-c"}, text, NULL};
    pid_t pid = -1;
    const int failed = posix_spawn(&pid, "/bin/sh", &files, &attributes, argv, environ);
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&attributes);
    return failed ? -1 : pid;
}

// Reads to the end; false when time or size run out.
static bool read_output(GString *text, int fd, gint64 end_us)
{
    char chunk[4096];
    while (text->len <= ANSWER_BYTES_MAX && hr_file_wait(fd, end_us)) {
        const ssize_t got = read(fd, chunk, sizeof chunk);
        if (got == 0) {
            return true;
        }
        if (got < 0 && errno != EINTR && errno != EAGAIN) {
            return false;
        }
        if (got > 0) {
            g_string_append_len(text, chunk, got);
        }
    }
    return false;
}

// Where the kernel, or a container, has no descriptors of processes, it is asked now and then.
static bool ask_for_end(pid_t pid, gint64 end_us)
{
    siginfo_t ended = {0};
    while (waitid(P_PID, (id_t)pid, &ended, WEXITED | WNOWAIT | WNOHANG) == 0 &&
           ended.si_pid == 0 && g_get_monotonic_time() < end_us) {
        g_usleep(ASK_AGAIN_US);
    }
    return ended.si_pid == pid;
}

static bool wait_for_end(pid_t pid, gint64 end_us)
{
    const int process_fd = pidfd_open(pid, 0);
    if (process_fd < 0) {
        return ask_for_end(pid, end_us);
    }
    const bool ended = hr_file_wait(process_fd, end_us);
    close(process_fd);
    return ended;
}

// A command may close its output and go on: its end is waited for no longer than its words. What it
// left behind ends with it, while its number, and so that of the group, is still its own.
static bool end_command(pid_t pid, gint64 end_us)
{
    const bool ended = wait_for_end(pid, end_us);
    kill(-pid, SIGKILL);
    int status;
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
    }
    return ended && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static bool run(GString *text, const char *command, double limit_s)
{
    const gint64 end_us = g_get_monotonic_time() + (gint64)(limit_s * 1e6);
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) {
        return false;
    }
    const pid_t pid = spawn_shell(command, ends[1]);
    close(ends[1]);
    const bool complete = pid > 0 && read_output(text, ends[0], end_us);
    close(ends[0]);
    return pid > 0 && end_command(pid, complete ? end_us : 0) && complete;
}

// Breadth first, so that the totals of jemalloc's own statistics come before those of an arena.
static const json_t *find_counters(json_t *answer)
{
    g_autoptr(GPtrArray) queue = g_ptr_array_new();
    g_ptr_array_add(queue, answer);
    for (guint i = 0; i < queue->len; i++) {
        json_t *object = queue->pdata[i];
        if (json_is_number(json_object_get(object, counters[0]))) {
            return object;
        }
        const char *key;
        json_t *value;
        json_object_foreach(object, key, value)
        {
            if (json_is_object(value) && queue->len < OBJECTS_MAX) {
                g_ptr_array_add(queue, value);
            }
        }
    }
    return NULL;
}

static bool append_counters(GString *out, const json_t *object)
{
    g_autoptr(GString) group = g_string_new(NULL);
    for (size_t i = 0; object && i < G_N_ELEMENTS(counters); i++) {
        const double value = json_number_value(json_object_get(object, counters[i]));
        if (json_is_number(json_object_get(object, counters[i])) && value >= 0 && value < 0x1p63) {
            g_string_append_printf(group, "%s\"%s_bytes\":%.0f", group->len > 0 ? "," : "",
                                   counters[i], value);
        }
    }
    if (group->len == 0) {
        return false;
    }
    g_string_append_printf(out, "%s\"allocator\":{%s}", out->len > 0 ? "," : "", group->str);
    return true;
}

bool hr_answer_sample(GString *out, const char *command, double limit_s)
{
    g_autoptr(GString) text = g_string_new(NULL);
    if (!run(text, command, limit_s)) {
        return false;
    }
    json_t *answer = json_loadb(text->str, text->len, 0, NULL);
    const bool found = answer && append_counters(out, find_counters(answer));
    json_decref(answer);
    return found;
}
