// SPDX-License-Identifier: MIT
// Finding the files that hold debug data for an object: build-id directories, .gnu_debuglink, the
// common file of dwz, and the small symbol table inside .gnu_debugdata. What is found is checked
// (build-id, CRC) before it is given.
#pragma once

#include "symbolize/object.h"

#define HR_SYSTEM_DEBUG_DIR "/usr/lib/debug"

struct hr_debug_search {
    const char *const *dirs; // --debug-dir, NULL-terminated, or NULL
    struct hr_tree tree;     // --root; not for `dirs`
    bool debuginfod;         // --debuginfod: servers may be asked for what is found nowhere else
};

// True when `object` has debug data of its own.
bool hr_debug_file_is_present(const struct hr_object *object);

// Returns the separate debug file of `object` (the caller's), or NULL.
struct hr_object *hr_debug_file_find(const struct hr_object *object,
                                     const struct hr_debug_search *search);

// Returns the file that dwz moved the debug data common to several files to (the caller's), or
// NULL; *named is whether `debug` asks for one.
struct hr_object *hr_debug_file_find_common(const struct hr_object *debug,
                                            const struct hr_debug_search *search, bool *named);

// Returns the package of split debug data beside `object` (the caller's), or NULL.
struct hr_object *hr_debug_file_find_package(const struct hr_object *object);

// Returns the object unpacked from .gnu_debugdata (the caller's), or NULL.
struct hr_object *hr_debug_file_unpack(const struct hr_object *object);
