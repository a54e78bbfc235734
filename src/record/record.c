// SPDX-License-Identifier: MIT
// A line of the record:
//   {"schema":"heapreport-record","schema_version":1,"time_s":1796160604.19,"pid":4711,
//    "smaps_rollup":{"rss_bytes":...},"status":{"threads_count":...},"cgroup":{"current_bytes":...},
//    "smaps":{"thread_stacks_bytes":...},"allocator":{"allocated_bytes":...}}
// A group or key that was not measured is left out.
#include "record/record.h"

#include "record/answer.h"
#include "record/process.h"
#include "record/regions.h"
#include "record/sheet.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <sys/pidfd.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#define COMMAND_LIMIT_S 10

enum wait_end { WAIT_DUE, WAIT_STOPPED, WAIT_FAILED };

struct watch {
    const struct hr_record_options *options;
    struct hr_sheet *sheet;
    struct hr_regions_pace *regions_pace;
    int process_fd; // becomes readable when the process ends; -1 where the kernel has none
    int signals_fd; // SIGINT and SIGTERM arrive here
    double began_s; // monotonic
};

static double monotonic_s(void)
{
    return (double)g_get_monotonic_time() / 1e6;
}

// Once the process has ended, another may have its number.
static bool has_ended(const struct watch *watch)
{
    struct pollfd ready = {.fd = watch->process_fd, .events = POLLIN};
    return poll(&ready, 1, 0) > 0;
}

// A process may be another program than it began as: a shell that sets it up becomes the service.
static void remember_program(const struct hr_record_options *options)
{
    g_autofree char *link = g_strdup_printf("/proc/%ld/exe", options->pid);
    char *program = options->program ? g_file_read_link(link, NULL) : NULL;
    if (program) {
        g_free(*options->program);
        *options->program = program;
    }
}

static bool sample_process(const struct watch *watch, GString *groups, GError **error)
{
    const long pid = watch->options->pid;
    if (!hr_process_sample(groups, pid, error)) {
        return false;
    }
    (void)hr_regions_sample(groups, pid, watch->regions_pace);
    if (has_ended(watch)) {
        g_set_error(error, HR_ERROR, HR_ERROR_INPUT, "process %ld has ended", pid);
        return false;
    }
    remember_program(watch->options);
    return true;
}

static bool write_sample(const struct watch *watch, GError **error)
{
    g_autoptr(GString) groups = g_string_new(NULL);
    if (!sample_process(watch, groups, error)) {
        return false;
    }
    // The command may take its time, but not the next sample's.
    if (watch->options->command) {
        (void)hr_answer_sample(groups, watch->options->command,
                               MIN(watch->options->every_s / 2, COMMAND_LIMIT_S));
    }
    char time_s[G_ASCII_DTOSTR_BUF_SIZE];
    g_ascii_formatd(time_s, sizeof time_s, "%.3f", (double)g_get_real_time() / 1e6);
    g_autofree char *line =
        g_strdup_printf(HR_SHEET_BEGIN "\"schema_version\":1,\"time_s\":%s,"
                                       "\"pid\":%ld%s%s}",
                        time_s, watch->options->pid, groups->len > 0 ? "," : "", groups->str);
    return hr_sheet_append(watch->sheet, line, error);
}

// Left pending, a signal would kill us when it is unblocked. A child gets what was sent to us
// alone; the terminal's interrupt it has got already.
static bool take_signals(const struct watch *watch)
{
    struct signalfd_siginfo taken;
    bool any = false;
    while (read(watch->signals_fd, &taken, sizeof taken) > 0) {
        any = true;
        if (watch->options->is_child && taken.ssi_code != SI_KERNEL) {
            kill((pid_t)watch->options->pid, (int)taken.ssi_signo);
        }
    }
    return any;
}

static enum wait_end wait_until(const struct watch *watch, double due_s)
{
    struct pollfd fds[] = {{.fd = watch->process_fd, .events = POLLIN},
                           {.fd = watch->signals_fd, .events = POLLIN}};
    for (;;) {
        const double left_s = due_s - monotonic_s();
        if (left_s <= 0) {
            return WAIT_DUE;
        }
        const int ready = poll(fds, G_N_ELEMENTS(fds), (int)ceil(MIN(left_s, 3600) * 1e3));
        if (ready < 0 && errno != EINTR) {
            return WAIT_FAILED;
        }
        const bool signalled = ready > 0 && take_signals(watch);
        const bool ended = ready > 0 && fds[0].revents != 0;
        if (ended || (signalled && !watch->options->is_child)) {
            return WAIT_STOPPED;
        }
    }
}

// Samples at began_s + n * every_s; what a late one missed is not made up for.
static bool sample_until_end(const struct watch *watch, GError **error)
{
    const double every_s = watch->options->every_s;
    const double end_s = watch->began_s + watch->options->for_s; // NAN without an end
    double due_s = watch->began_s;
    for (;;) {
        due_s += every_s * ceil(MAX(monotonic_s() - due_s, 1e-9) / every_s);
        const bool last = due_s > end_s;
        const enum wait_end ended = wait_until(watch, last ? end_s : due_s);
        if (ended != WAIT_DUE || last) {
            return ended != WAIT_FAILED;
        }
        g_autoptr(GError) failed = NULL;
        if (write_sample(watch, &failed)) {
            continue;
        }
        // A process that is gone is the usual end; a file that cannot be written is not.
        if (g_error_matches(failed, HR_ERROR, HR_ERROR_INPUT)) {
            return true;
        }
        g_propagate_error(error, g_steal_pointer(&failed));
        return false;
    }
}

static void close_if_open(int fd)
{
    if (fd >= 0) {
        close(fd);
    }
}

static bool child_has_ended(const struct hr_record_options *options)
{
    siginfo_t info = {0};
    return options->is_child &&
           waitid(P_PID, (id_t)options->pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
           info.si_pid != 0;
}

bool hr_record(const struct hr_record_options *options, GError **error)
{
    // A process that cannot be watched leaves no empty record.
    g_autoptr(GString) tried = g_string_new(NULL);
    if (!hr_process_sample(tried, options->pid, error)) {
        g_prefix_error(error, "%s", child_has_ended(options) ? "the program ended at once: " : "");
        return false;
    }
    HR_AUTO(hr_sheet) sheet = hr_sheet_open(options->directory, options->pid, error);
    if (!sheet) {
        return false;
    }
    sigset_t stop;
    sigset_t before;
    sigemptyset(&stop);
    sigaddset(&stop, SIGINT);
    sigaddset(&stop, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &stop, &before);
    struct hr_regions_pace regions_pace = {0};
    const struct watch watch = {
        .options = options,
        .sheet = sheet,
        .regions_pace = &regions_pace,
        .process_fd = pidfd_open((pid_t)options->pid, 0),
        .signals_fd = signalfd(-1, &stop, SFD_CLOEXEC | SFD_NONBLOCK),
        .began_s = monotonic_s(),
    };
    const bool recorded = write_sample(&watch, error) && sample_until_end(&watch, error);
    close_if_open(watch.process_fd);
    close_if_open(watch.signals_fd);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return recorded;
}
