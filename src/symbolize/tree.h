// SPDX-License-Identifier: MIT
// Who opens the files that a memory map or an ELF file names, and below which directory: this
// process itself, or another one that it asks because it may not.
#pragma once

#include "base/error.h"

struct hr_opener {
    // As hr_library_open() (symbolize/library.h).
    int (*open)(void *context, const char *root, const char *path, GError **error);
    // As hr_debuginfod_fetch() (symbolize/debuginfod.h).
    char *(*fetch)(void *context, const char *build_id);
    void *context;
};

struct hr_tree {
    const char *root;               // NULL: the host's own tree
    const struct hr_opener *opener; // NULL: this process itself
};

// Opens `path` for reading, inside the tree (NULL: the host's own, by this process). Returns a
// descriptor, or -1 with HR_ERROR_BINARY; the message is without the path.
int hr_tree_open(const struct hr_tree *tree, const char *path, GError **error);

// Fetches the debug file of a build-id from a server; returns its path, to be g_free()d, or NULL.
char *hr_tree_fetch(const struct hr_tree *tree, const char *build_id);
