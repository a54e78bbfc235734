// SPDX-License-Identifier: MIT
// Opening what a memory map names: regular files only, and with --root only what lies below it,
// also through symbolic links.
#pragma once

#include "base/error.h"

// Opens `path` for reading, resolved inside `root` (NULL or "/": the host's own tree). Returns a
// descriptor, or -1 with HR_ERROR_BINARY; the message is without the path.
int hr_root_open(const char *root, const char *path, GError **error);

// What hr_root_open() does on kernels without openat2(): returns a descriptor, or -1 with errno.
int hr_root_walk(int root_fd, const char *path);
