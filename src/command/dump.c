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
    if (fd < 0 || connect(fd, (const struct sockaddr *)&address, sizeof address) != 0) {
        g_set_error(error, HR_ERROR, HR_ERROR_INPUT, "%s: %s", path, g_strerror(errno));
        if (fd >= 0) {
            close(fd);
        }
        return -1;
    }
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    return fd;
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

static bool ask(int fd, const char *request, GString *answer)
{
    char chunk[512];
    // A service that refuses may close before it has read the request: its answer counts.
    (void)!send(fd, request, strlen(request), MSG_NOSIGNAL);
    while (answer->len < ANSWER_BYTES_MAX) {
        const ssize_t got = recv(fd, chunk, sizeof chunk, 0);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got <= 0) {
            break;
        }
        g_string_append_len(answer, chunk, got);
    }
    return answer->len > 0;
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
    g_autofree char *request = compose_request(options);
    g_autoptr(GString) answer = g_string_new(NULL);
    const bool answered = ask(fd, request, answer);
    close(fd);
    g_strchomp(answer->str);
    if (!answered || g_str_has_prefix(answer->str, "error ")) {
        g_set_error(error, HR_ERROR, HR_ERROR_INPUT, "process %" PRId64 ": %s", options->pid,
                    answered ? answer->str + strlen("error ") : "no answer");
        return false;
    }
    // "ok PATH" gives the path, "ok" nothing.
    const char *shown = g_str_has_prefix(answer->str, "ok") ? answer->str + 2 : answer->str;
    return !*shown || hr_messages_line(shown + (*shown == ' '));
}
