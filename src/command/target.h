// SPDX-License-Identifier: MIT
// One file to be written: filled in its directory without a name (or under another, where the file
// system has no such files), and moved to its place whole. A crash or a full disk leaves what was
// there before, and nothing else.
#pragma once

#include "base/cleanup.h"
#include "base/error.h"

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>

struct hr_target;

// Settles where `path` is: links are followed, but not in a sticky directory that others can write
// to. Fails (HR_ERROR_OUTPUT) when the directory is missing or not writable, or when something
// other than a regular file is there. Free it with hr_target_free(), which removes what was not
// committed.
struct hr_target *hr_target_new(const char *path, GError **error);
void hr_target_free(struct hr_target *target);
HR_DEFINE_AUTO(hr_target, hr_target_free)

// The path as it was given.
const char *hr_target_path(const struct hr_target *target);

// The directory that it stands in, as a descriptor of its own that stays the target's.
int hr_target_directory(const struct hr_target *target);

// True when both end in the same place; when `path` is the file that stands there now.
bool hr_target_equal(const struct hr_target *a, const struct hr_target *b);
bool hr_target_is_file(const struct hr_target *target, const char *path);

// Writes the bytes to a temporary file, down to the disk.
bool hr_target_fill(struct hr_target *target, const void *bytes, size_t size, GError **error);

// Moves what was filled to its place.
bool hr_target_commit(struct hr_target *target, GError **error);
