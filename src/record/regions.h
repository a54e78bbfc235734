// SPDX-License-Identifier: MIT
// What only /proc/PID/smaps tells, as sums: the file is large, and costs the watched machine the
// more the more mappings there are, so it is read as seldom as its cost asks.
#pragma once

#include <glib.h>
#include <stdbool.h>

// When smaps is read next; zeroed at first.
struct hr_regions_pace {
    double due_s; // on the monotonic clock
};

// Appends `"smaps":{"thread_stacks_bytes":...,"glibc_arenas_bytes":...}`, or nothing: when it is
// not due yet or cannot be read. True when it was read.
bool hr_regions_sample(GString *out, long pid, struct hr_regions_pace *pace);
