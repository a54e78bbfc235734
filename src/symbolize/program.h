// SPDX-License-Identifier: MIT
// What a program or library tells of itself without a dump: which jemalloc is in it and what that
// can do, and whether its addresses will get names. Reads the file alone, runs nothing.
#pragma once

#include "base/arena.h"
#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

enum hr_answer { HR_ANSWER_UNKNOWN, HR_ANSWER_NO, HR_ANSWER_YES };

// All strings are the arena's.
struct hr_program {
    const char *path;
    bool is_dynamic;             // it has an interpreter: a preloaded library would be loaded
    bool has_jemalloc;           // compiled in
    const char *needs;           // a jemalloc library that it needs by name; NULL: none
    const char *function_prefix; // of mallctl, "" without; NULL: not known
    const char *variable;        // that this jemalloc reads ("_RJEM_MALLOC_CONF"); NULL: not known
    enum hr_answer profiling;    // of this jemalloc
    bool exports_mallctl;        // others may call it
    bool has_symbols;            // here or in a debug file
    bool has_debug;              // here or in a debug file
    const char *build_id;        // hex; NULL: none
    double frame_pointers_ratio; // of its own functions that keep one; NAN: not known
    size_t frame_pointers_of_count; // functions looked at
};

// Reads the file at `path`. Fails (HR_ERROR_BINARY) on what is no ELF program or
// library, and on one that is cut.
const struct hr_program *hr_program_read(struct hr_arena *arena, const char *path,
                                         const char *const *debug_dirs, GError **error);

// The file that the loader would take for a library of that name, by the usual directories; NULL
// when it is in none. The caller's.
char *hr_program_find_library(const char *name);
