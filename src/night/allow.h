// SPDX-License-Identifier: MIT
// The allow-list: --allow FILE, growth that a house knows of and lives with for a while. Each entry
// names suspects by a pattern or a fingerprint and says why, who answers for it, and until when.
#pragma once

#include "base/cleanup.h"
#include "base/diagnostics.h"
#include "base/error.h"

#include <jansson.h>

struct hr_allow;

// Reads the file (drawn at the top of allow.c). Fails (HR_ERROR_USAGE for its content) with the
// entry's name.
struct hr_allow *hr_allow_read(const char *path, GError **error);
void hr_allow_free(struct hr_allow *allow);
HR_DEFINE_AUTO(hr_allow, hr_allow_free)

// Sets "allowed" of every suspect that an entry matches, and the result's "allow". Entries expire
// by the result's own time, never by the clock; expired and unused ones are told.
void hr_allow_apply(const struct hr_allow *allow, json_t *result,
                    struct hr_diagnostics *diagnostics);
