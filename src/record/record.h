// SPDX-License-Identifier: MIT
// The sampler beside a running process: /proc snapshots into an append-only JSON Lines file that
// ingest reads.
#pragma once

#include "base/error.h"

#include <glib.h>
#include <stdbool.h>

struct hr_record_options {
    long pid;
    const char *directory;
    double every_s;
    double for_s;        // NAN: until the process ends
    const char *command; // --run: prints the allocator's counters; NULL: none
    bool is_child;       // the process is ours: signals are passed on, and its end is waited for
    char **program;      // set to its program's path with each sample, to be freed; NULL: not asked
};

// Samples until the process ends, the time is over, or SIGINT/SIGTERM (a child gets those instead,
// and its end is the end); each line is written whole. Fails when the process cannot be watched or
// the file not be written.
bool hr_record(const struct hr_record_options *options, GError **error);
