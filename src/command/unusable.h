// SPDX-License-Identifier: MIT
// A directory of which nothing can be used: one sentence that says why, and what would mend it.
#pragma once

#include "base/diagnostics.h"
#include "command/confinement.h"
#include "command/options.h"
#include "model/rules.h"
#include "model/run.h"
#include "result/text.h"

// Fails with HR_ERROR_INPUT where the run has neither a usable dump nor evidence of the process
// that was asked for.
bool hr_unusable_check(const struct hr_run *run, const struct hr_options *options,
                       const struct hr_rules *rules, const struct hr_diagnostics *diagnostics,
                       const struct hr_confinement *confinement, const struct hr_text *text,
                       GError **error);
