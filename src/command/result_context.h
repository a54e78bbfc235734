// SPDX-License-Identifier: MIT
// What the command line adds to a result: who asked, for what, and in which form.
#pragma once

#include "command/options.h"
#include "result/result.h"

// The context of a report with these options, under a sandbox of this name; what it points at stays
// the options' or goes with the arena.
struct hr_result_context
hr_result_context_of(struct hr_arena *arena, const struct hr_options *options, const char *sandbox);
