// SPDX-License-Identifier: MIT
// What a command says of the allocator: run, bounded in time and size, and searched for jemalloc's
// counters.
#pragma once

#include <glib.h>
#include <stdbool.h>

// Runs `command` with /bin/sh, at most `limit_s` seconds, and appends `"allocator":{...}` with the
// counters found in what it printed: a JSON object that has "allocated" and its like at any depth.
// False (nothing appended) when it failed, took too long or says nothing of the kind.
bool hr_answer_sample(GString *out, const char *command, double limit_s);
