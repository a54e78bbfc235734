// SPDX-License-Identifier: MIT
// What /proc says of a running service that bears on its dumps.
#pragma once

#include "base/arena.h"
#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct hr_doctor_process {
    int64_t pid;
    const char *program;            // what runs, by the link in /proc; without " (deleted)"
    const char *program_here;       // a path under which it can be read: /proc/PID/exe
    bool program_deleted;           // the file was replaced while it runs
    const char *const *environment; // "NAME=VALUE", NULL-terminated; NULL: may not be read
    const char *root;               // /proc/PID/root
    const char *working_directory;  // NULL: may not be read
    const char *jemalloc_library;   // mapped, NULL: none
    uid_t uid;
    gid_t gid;
    const gid_t *groups;
    size_t groups_count;
    double age_s;             // since it was started; NAN: unknown
    uint64_t file_size_limit; // UINT64_MAX: none
};

// False when its maps are known and hold no file of that name.
bool hr_doctor_process_may_map(const struct hr_doctor_process *process, const char *name);

// Fails (HR_ERROR_INPUT) when there is no such process, or its program may not be seen.
const struct hr_doctor_process *hr_doctor_process_read(struct hr_arena *arena, int64_t pid,
                                                       GError **error);
