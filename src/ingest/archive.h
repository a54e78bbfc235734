// SPDX-License-Identifier: MIT
// A tar or zip archive, read once from front to back into one nameless temporary file: members are
// slices of it, nothing is ever written under a name that an archive chose, and nothing is left
// behind. Links and devices are not followed, names that lead elsewhere are not used.
#pragma once

#include "base/cleanup.h"
#include "base/diagnostics.h"
#include "base/error.h"
#include "model/limits.h"

#include <stdbool.h>
#include <stdint.h>

struct hr_archive;

struct hr_member {
    char *path; // parts joined by '/', none of them "", "." or ".."
    double modified_at_s;
    bool whole_second;
    uint64_t offset; // in the file of hr_archive_fd()
    uint64_t size_bytes;
};

// Opens a file without a name for what an archive unpacks to; -1 (errno says why) when none can be.
int hr_archive_open_spool(void);

// Takes the spool; -1: opens one itself. Fails when the file is no archive, or when there is no
// room for its content; what lies behind a limit is left out.
struct hr_archive *hr_archive_new(const char *path, int spool, const struct hr_limits *limits,
                                  struct hr_diagnostics *diagnostics, GError **error);
void hr_archive_free(struct hr_archive *archive);
HR_DEFINE_AUTO(hr_archive, hr_archive_free)

// The regular files in it (of struct hr_member), by path; of two of one path the last one.
const GArray *hr_archive_members(const struct hr_archive *archive);
int hr_archive_fd(const struct hr_archive *archive);
