// SPDX-License-Identifier: MIT
// A file of variables as systemd's EnvironmentFile= reads it.
#pragma once

#include "base/arena.h"

#include <glib.h>
#include <stdbool.h>

// Appends "NAME=VALUE" (the arena's) for each assignment. False when the file cannot be read.
bool hr_environment_file_read(struct hr_arena *arena, const char *path, GPtrArray *assignments);
