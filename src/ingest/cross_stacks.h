// SPDX-License-Identifier: MIT
// Looks for a damaged address, which no sum can show: it makes another stack of a stack, in one
// dump.
#pragma once

#include "base/diagnostics.h"
#include "model/run.h"

// Reports each dump with rows in which a stack stands that no other dump has, while one that its
// two nearest dumps have is missing there, the two being apart in one digit of one address. Both
// are looked at only with eight sampled objects or more. A dump is reported once.
void hr_cross_check_stacks(struct hr_run *run, struct hr_diagnostics *diagnostics);
