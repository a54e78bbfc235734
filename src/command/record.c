// SPDX-License-Identifier: MIT
// heapreport record: the sampler beside a running process, or beside a program that it starts
// itself; then a report follows where -o asks for one.
#include "record/record.h"
#include "command/verbs.h"
#include "record/launch.h"

#include <errno.h>
#include <sys/wait.h>
#include <unistd.h>

static bool check_options(const struct hr_options *options, GError **error)
{
    const int ways = (options->pid >= 0) + (options->wait_for != NULL) + (options->program != NULL);
    if (ways != 1 || !options->directory) {
        g_set_error_literal(error, HR_ERROR, HR_ERROR_USAGE,
                            "record needs a directory and one of --pid N, --wait-for NAME and "
                            "-- PROGRAM: heapreport record --pid N --dir DIR");
        return false;
    }
    return true;
}

static bool find_process(const struct hr_options *options, long *pid, GError **error)
{
    if (options->program) {
        return hr_launch_start(options->program, options->directory, pid, error);
    }
    if (options->wait_for) {
        return hr_launch_wait_for(options->wait_for, pid, error);
    }
    *pid = (long)options->pid;
    return true;
}

static void wait_for_child(long pid)
{
    while (waitpid((pid_t)pid, NULL, 0) < 0 && errno == EINTR) {
    }
}

// The report on the process that was just recorded. Its program is named by what /proc said while
// it ran.
static bool report(const struct hr_options *options, long pid, const char *binary,
                   struct hr_messages *messages, enum hr_gates_outcome *outcome, GError **error)
{
    struct hr_options again = *options;
    again.verb = HR_VERB_REPORT;
    again.pid = pid;
    // One that was deleted meanwhile, or is a container's own, is left to what the dumps say.
    again.binary = options->binary                       ? options->binary
                   : binary && access(binary, R_OK) == 0 ? binary
                                                         : NULL;
    return hr_verb_report(&again, messages, outcome, error);
}

bool hr_verb_record(const struct hr_options *options, struct hr_messages *messages,
                    enum hr_gates_outcome *outcome, GError **error)
{
    long pid;
    if (!check_options(options, error) || !find_process(options, &pid, error)) {
        return false;
    }
    g_autofree char *binary = NULL;
    const struct hr_record_options record = {
        .pid = pid,
        .directory = options->directory,
        .every_s = options->interval_s,
        .for_s = options->for_s,
        .command = options->counters_command,
        .is_child = options->program != NULL,
        .program = &binary,
    };
    const bool recorded = hr_record(&record, error);
    if (options->program) {
        wait_for_child(pid);
    }
    return recorded &&
           (options->outputs->len == 0 || report(options, pid, binary, messages, outcome, error));
}
