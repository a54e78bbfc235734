// SPDX-License-Identifier: MIT
#include "command/failures.h"

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define EPOCH_MAX_S ((gint64)253402300799) // the end of the year 9999, which RFC 3339 can write
#define EXIT_UNUSABLE 3
#define ALLOCATOR_BYTES ((size_t)8 * 1024 * 1024)

// Async-signal-safe, and without memory.
static void say(const char *text)
{
    ssize_t written;
    do {
        written = write(STDERR_FILENO, text, strlen(text));
    } while (written < 0 && errno == EINTR);
}

static void end_at_cut_file(int number)
{
    (void)number;
    say("heapreport: a file was cut or lost its disk while it was read: the program, a library or "
        "its debug file; nothing was written\n");
    _exit(EXIT_UNUSABLE);
}

// GLib's own errors are that it gets no memory or no thread; its last words follow ours.
static void end_without_memory(const gchar *domain, GLogLevelFlags level, const gchar *message,
                               gpointer context)
{
    if (!(level & G_LOG_LEVEL_ERROR) || g_strcmp0(domain, "GLib") != 0) {
        g_log_default_handler(domain, level, message, context);
        return;
    }
    say("heapreport: no memory or thread is left, nothing was written: ");
    say(message ? message : "");
    say("\n");
    _exit(EXIT_UNUSABLE);
}

#ifdef HR_HAS_JEMALLOC
// Libraries that get no memory use it all the same, or give up. That is told apart from a fault of
// ours, which keeps its signal, by asking the system for as much as the allocator takes at once.
static void end_at_crash(int number)
{
    void *memory =
        mmap(NULL, ALLOCATOR_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) {
        say("heapreport: no memory is left, nothing was written\n");
        _exit(EXIT_UNUSABLE);
    }
    (void)signal(number, SIG_DFL);
    (void)raise(number);
}
#endif

// A file that is opened must never take the place of a standard descriptor: messages would end up
// inside a report. What is closed is opened the wrong way round, so that its use is an error.
static void fill_standard_descriptors(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
        if (fcntl(fd, F_GETFD) < 0 && errno == EBADF) {
            (void)!open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
        }
    }
}

void hr_failures_prepare(void)
{
    fill_standard_descriptors();
    (void)signal(SIGXFSZ, SIG_IGN);
    (void)signal(SIGPIPE, SIG_IGN);
    (void)signal(SIGBUS, end_at_cut_file);
#ifdef HR_HAS_JEMALLOC // a sanitizer has handlers of its own
    (void)signal(SIGSEGV, end_at_crash);
    (void)signal(SIGABRT, end_at_crash);
#endif
    g_log_set_default_handler(end_without_memory, NULL);
}

bool hr_failures_check_epoch(GError **error)
{
    const char *epoch = getenv("SOURCE_DATE_EPOCH");
    if (!epoch || !*epoch) {
        return true;
    }
    char *end = NULL;
    errno = 0;
    const gint64 epoch_s = g_ascii_strtoll(epoch, &end, 10);
    if (errno == 0 && *end == '\0' && g_ascii_isdigit(*epoch) && epoch_s <= EPOCH_MAX_S) {
        return true;
    }
    g_set_error(error, HR_ERROR, HR_ERROR_USAGE,
                "SOURCE_DATE_EPOCH=%s is no time: it is a number of seconds since 1970", epoch);
    return false;
}
