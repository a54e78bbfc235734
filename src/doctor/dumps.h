// SPDX-License-Identifier: MIT
// What the dumps of a directory tell about how they came about: enough of them, often enough, with
// stacks, from which program.
#pragma once

#include "base/arena.h"
#include "base/error.h"
#include "model/symbols.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hr_doctor_dumps {
    bool looked;  // a directory was there and could be listed
    size_t count; // of the process asked for, else of the newest
    size_t interval_count;
    double interval_gap_s; // mean time between interval dumps; NAN: unknown
    size_t looked_into;    // dumps whose stacks were read (the last ones)
    size_t stacks_count;   // different stacks in them
    size_t short_count;    // of one frame
    bool other_kind;       // files there are dumps of other allocators
    const char *last_file;
    enum hr_binary_match match; // with the program given; UNKNOWN without one
    double match_ratio;
};

// Lists and reads `directory`; `pid` -1: any. A directory that cannot be listed leaves `looked`
// false. Fails when `binary` (NULL: none) is no program.
bool hr_doctor_dumps_read(struct hr_arena *arena, const char *directory, int64_t pid,
                          const char *binary, const char *const *debug_dirs,
                          struct hr_doctor_dumps *dumps, GError **error);
