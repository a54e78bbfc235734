// SPDX-License-Identifier: MIT
// Where the process to be watched comes from, when it has no pid yet: waited for by name, or
// started here with profiling configured.
#pragma once

#include "base/error.h"

#include <glib.h>
#include <stdbool.h>

// Waits, as long as it takes, for a process whose program is called `name`; of several the
// youngest. Fails when /proc cannot be listed.
bool hr_launch_wait_for(const char *name, long *pid, GError **error);

// Starts `argv` (NULL-terminated, found by PATH) so that it writes heap dumps into `directory`:
// what MALLOC_CONF and _RJEM_MALLOC_CONF say already stays, what profiling needs is added. The
// caller waits for the process.
bool hr_launch_start(char **argv, const char *directory, long *pid, GError **error);
