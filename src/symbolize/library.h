// SPDX-License-Identifier: MIT
// What may be opened because a memory map or an ELF file names it: these come from other machines,
// and could name any file of this one.
#pragma once

#include "base/error.h"

// As hr_root_open() (symbolize/root.h), but refuses what is neither a program, a library or an
// object file (a core file is none) nor, by its name, a perf map.
int hr_library_open(const char *root, const char *path, GError **error);
