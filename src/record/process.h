// SPDX-License-Identifier: MIT
// One look at a process through /proc and its cgroup, written as the groups of a record line.
#pragma once

#include "base/error.h"

#include <glib.h>
#include <stdbool.h>

// Appends `"smaps_rollup":{...},"status":{...},"cgroup":{...}`: groups and keys that the kernel
// does not offer are left out. Fails when the process's memory cannot be read at all: it is gone,
// or it belongs to somebody else.
bool hr_process_sample(GString *out, long pid, GError **error);
