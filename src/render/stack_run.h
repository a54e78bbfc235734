// SPDX-License-Identifier: MIT
// The runs of a stack: frames that are all the program's own, or all not; and which of a long run
// of the latter may be folded away.
#pragma once

#include "document/node.h"

struct hr_stack_run {
    unsigned first, end;   // lines of the run, end not included
    unsigned fold, unfold; // those folded; equal: none
};

// True for the responsible frame and those of the program itself.
bool hr_stack_line_is_own(const struct hr_stack_line *line);

// The run behind `run` (all zero: the first); false when there is none.
bool hr_stack_run_next(const struct hr_stack_listing *stack, struct hr_stack_run *run);
