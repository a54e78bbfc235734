// SPDX-License-Identifier: MIT
// A night that left nothing to read: what doctor finds wrong with what this run was given, as
// sentences. Decides nothing.
#pragma once

#include "command/options.h"
#include "model/rules.h"
#include "result/text.h"

// Appends reason and remedy of the first few checks that ask for mending, over the run's directory,
// binary and (while it runs) process; the usual causes where they find nothing.
void hr_no_dumps_append_causes(const struct hr_options *options, const struct hr_rules *rules,
                               const struct hr_text *text, GString *sentence);
