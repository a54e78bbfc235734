// SPDX-License-Identifier: MIT
// --dry-run: what would be compared, and why, in place of a report.
#pragma once

#include "analysis/choice.h"
#include "base/diagnostics.h"
#include "command/messages.h"
#include "model/run.h"

// Prints base and final, each with its reason, on standard output, and what was told on standard
// error; `base_path` is a base of another run, or NULL. Fails with HR_ERROR_OUTPUT.
bool hr_dry_run_print(const struct hr_run *run, const struct hr_choice *choice,
                      const char *base_path, const struct hr_diagnostics *diagnostics,
                      struct hr_messages *messages, GError **error);
