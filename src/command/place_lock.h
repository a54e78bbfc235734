// SPDX-License-Identifier: MIT
// One run at a time moves files into a directory: a lock on the directory itself, which leaves
// nothing behind and goes with the process.
#pragma once

#include "base/cleanup.h"
#include "base/error.h"
#include "command/target.h"

#include <stddef.h>

struct hr_place_lock;

// Locks the directories of all targets, which must stay as long as the lock does. Waits some
// seconds; fails (HR_ERROR_OUTPUT) when another run keeps one of them for longer. Where a file
// system has no locks, and in directories that everybody can write to (whose locks anybody can
// keep), there is none.
struct hr_place_lock *hr_place_lock_new(struct hr_target *const *targets, size_t count,
                                        GError **error);
void hr_place_lock_free(struct hr_place_lock *lock);
HR_DEFINE_AUTO(hr_place_lock, hr_place_lock_free)
