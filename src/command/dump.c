// SPDX-License-Identifier: MIT
// heapreport dump: asks a running service, through libheapreport-trigger, for a dump or its
// counters (the requests stand in trigger/trigger.h).
#include "base/files.h"
#include "command/verbs.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#define VARIABLE "HEAPREPORT_TRIGGER_DIR="
#define ENVIRONMENT_BYTES_MAX ((size_t)16 * 1024 * 1024)
#define ANSWER_BYTES_MAX 4096
#define STATUS_BYTES_MAX 65536
#define PATIENCE_S 60 // a dump of a large heap takes its time

static bool check_options(const struct hr_options *options, GError **error)
{
    const int wishes = (options->stats ? 1 : 0) + (options->reset ? 1 : 0) +
                       (options->active ? 1 : 0) + (options->dump_name ? 1 : 0);
    if (options->pid < 0 || wishes > 1) {
        g_set_error_literal(error, HR_ERROR, HR_ERROR_USAGE,
                            "dump needs a process and one wish: heapreport dump --pid N [--name "
                            "NAME.heap | --stats | --active on | --reset]");
        return false;
    }
    if (options->dump_name && strpbrk(options->dump_name, "\r\n")) {
        g_set_error_literal(error, HR_ERROR, HR_ERROR_USAGE, "--name: a name is one line");
        return false;
    }
    if (options->active && strcmp(options->active, "on") != 0 &&
        strcmp(options->active, "off") != 0) {
        g_set_error(error, HR_ERROR, HR_ERROR_USAGE, "--active: \"%s\" is neither on nor off",
                    options->active);
        return false;
    }
    return true;
}

// The directory that the service was told, from its environment.
static char *find_directory(int64_t pid, GError **error)
{
    g_autofree char *path = g_strdup_printf("/proc/%" PRId64 "/environ", pid);
    g_autofree char *text = NULL;
    size_t size;
    if (!hr_file_read(path, ENVIRONMENT_BYTES_MAX, &text, &size, error)) {
        g_prefix_error(error, "%s: ", path);
        return NULL;
    }
    for (size_t at = 0; at < size; at += strlen(text + at) + 1) {
        if (g_str_has_prefix(text + at, VARIABLE)) {
            return g_strdup(text + at + strlen(VARIABLE));
        }
    }
    g_set_error(error, HR_ERROR, HR_ERROR_INPUT,
                "process %" PRId64 " has no HEAPREPORT_TRIGGER_DIR: start it with that variable, "
                "and with libheapreport-trigger linked in (or preloaded, where jemalloc is a "
                "shared library)",
                pid);
    return NULL;
}

static int connect_to(const char *path, GError **error)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    const struct timeval patience = {.tv_sec = PATIENCE_S};
    if (g_strlcpy(address.sun_path, path, sizeof address.sun_path) >= sizeof address.sun_path) {
        g_set_error(error, HR_ERROR, HR_ERROR_INPUT, "%s: too long for a socket", path);
        return -1;
    }
    const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    // Of a service that stands still even the queue of those who wait may be full.
    if (fd >= 0) {
        setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    }
    if (fd < 0 || connect(fd, (const struct sockaddr *)&address, sizeof address) != 0) {
        g_set_error(error, HR_ERROR, HR_ERROR_INPUT, "%s: %s", path,
                    errno == EAGAIN ? "nobody answers" : g_strerror(errno));
        if (fd >= 0) {
            close(fd);
        }
        return -1;
    }
    return fd;
}

// What a process is called in its own namespace; 0 when that cannot be read.
static int64_t innermost_pid(pid_t pid)
{
    g_autofree char *path = g_strdup_printf("/proc/%d/status", (int)pid);
    g_autofree char *text = NULL;
    size_t size;
    const char *ids =
        hr_file_read(path, STATUS_BYTES_MAX, &text, &size, NULL) ? strstr(text, "\nNSpid:") : NULL;
    int64_t last = 0;
    ids = ids ? ids + strlen("\nNSpid:") : "";
    for (char *end; *ids && *ids != '\n'; ids = end + strspn(end, " \t")) {
        last = g_ascii_strtoll(ids, &end, 10);
    }
    return last;
}

// A socket of that name may have been left behind, or laid there by somebody else: what listens
// must be the process that was named, which in a container's directory has the container's number.
static bool check_listener(int fd, const struct hr_options *options, const char *path,
                           GError **error)
{
    struct ucred peer = {0};
    socklen_t size = sizeof peer;
    if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0) {
        g_set_error(error, HR_ERROR, HR_ERROR_INPUT, "%s: %s", path, g_strerror(errno));
        return false;
    }
    if (peer.pid == options->pid ||
        (options->directory && innermost_pid(peer.pid) == options->pid)) {
        return true;
    }
    g_set_error(error, HR_ERROR, HR_ERROR_INPUT,
                "%s: not process %" PRId64 " listens there, but process %d of user %u", path,
                options->pid, (int)peer.pid, (unsigned)peer.uid);
    return false;
}

static char *compose_request(const struct hr_options *options)
{
    if (options->stats) {
        return g_strdup("stats\n");
    }
    if (options->reset) {
        return g_strdup("reset\n");
    }
    if (options->active) {
        return g_strdup_printf("active %s\n", options->active);
    }
    return options->dump_name ? g_strdup_printf("dump %s\n", options->dump_name)
                              : g_strdup("dump\n");
}

// One whole line, its end taken off; false when there is none.
static bool ask(int fd, const char *request, GString *answer)
{
    const gint64 end_us = g_get_monotonic_time() + (gint64)PATIENCE_S * G_USEC_PER_SEC;
    char chunk[512];
    // A service that refuses may close before it has read the request: its answer counts.
    (void)!send(fd, request, strlen(request), MSG_NOSIGNAL);
    while (answer->len < ANSWER_BYTES_MAX && hr_file_wait(fd, end_us)) {
        const ssize_t got = recv(fd, chunk, sizeof chunk, MSG_DONTWAIT);
        if (got < 0 && (errno == EINTR || errno == EAGAIN)) {
            continue;
        }
        if (got <= 0) {
            break;
        }
        g_string_append_len(answer, chunk, got);
    }
    const bool whole = answer->len > 0 && strcspn(answer->str, "\n") == answer->len - 1;
    g_string_truncate(answer, whole ? answer->len - 1 : 0);
    return whole;
}

// Counters, "ok" or "ok PATH": what is to be shown of it; NULL when it is neither.
static const char *read_answer(const struct hr_options *options, const char *answer)
{
    if (options->stats) {
        return g_str_has_prefix(answer, "{") && g_str_has_suffix(answer, "}") ? answer : NULL;
    }
    if (strcmp(answer, "ok") == 0) {
        return "";
    }
    return g_str_has_prefix(answer, "ok ") ? answer + strlen("ok ") : NULL;
}

bool hr_verb_dump(const struct hr_options *options, struct hr_messages *messages, GError **error)
{
    (void)messages;
    if (!check_options(options, error)) {
        return false;
    }
    g_autofree char *directory =
        options->directory ? g_strdup(options->directory) : find_directory(options->pid, error);
    if (!directory) {
        return false;
    }
    g_autofree char *name = g_strdup_printf("heapreport-trigger.%" PRId64 ".sock", options->pid);
    g_autofree char *path = g_build_filename(directory, name, NULL);
    const int fd = connect_to(path, error);
    if (fd < 0) {
        return false;
    }
    if (!check_listener(fd, options, path, error)) {
        close(fd);
        return false;
    }
    g_autofree char *request = compose_request(options);
    g_autoptr(GString) answer = g_string_new(NULL);
    const bool answered = ask(fd, request, answer);
    close(fd);
    const char *shown = answered ? read_answer(options, answer->str) : NULL;
    if (!shown) {
        const bool refused = g_str_has_prefix(answer->str, "error ");
        g_set_error(error, HR_ERROR, HR_ERROR_INPUT, "process %" PRId64 ": %s", options->pid,
                    !answered ? "no answer"
                    : refused ? answer->str + strlen("error ")
                              : "it answers what was not asked");
        return false;
    }
    return !*shown || hr_messages_line(shown);
}
