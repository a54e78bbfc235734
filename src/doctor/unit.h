// SPDX-License-Identifier: MIT
// A systemd unit file, as far as it bears on a service's dumps: who runs what, with which
// variables, where it may write, how it is stopped. Several files are read as one, drop-ins last,
// as "systemctl cat" prints them.
#pragma once

#include "base/arena.h"
#include "base/error.h"

#include <stdbool.h>

struct hr_unit {
    const char *name;                // of the first file, without its directory
    const char *user;                // NULL: root
    const char *group;               // NULL: the user's
    const char *program;             // of ExecStart, NULL: none
    const char *working_directory;   // NULL: /; "~": the user's home
    const char *root_directory;      // NULL: none
    const char *kill_signal;         // NULL: SIGTERM
    const char *protect_system;      // NULL: no
    const char *protect_home;        // NULL: no
    const char *const *environment;  // "NAME=VALUE", NULL-terminated, the last of a name counts
    const char *unread_file;         // an EnvironmentFile that could not be read, NULL: none
    const char *const *writable;     // ReadWritePaths and the service's own directories
    const char *const *read_only;    // ReadOnlyPaths
    const char *const *inaccessible; // InaccessiblePaths
    const char *file_size_limit;     // LimitFSIZE, NULL: none
    bool dynamic_user;
    bool private_tmp;
    bool no_new_privileges;
};

// Reads the files, NULL-terminated, in order. Fails (HR_ERROR_INPUT) when one cannot be read.
const struct hr_unit *hr_unit_read(struct hr_arena *arena, const char *const *paths,
                                   GError **error);
