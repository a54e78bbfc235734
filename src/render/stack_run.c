// SPDX-License-Identifier: MIT
#include "render/stack_run.h"

#include <string.h>

#define FOLDED_FROM 7
#define FIRST_SHOWN 2
#define LAST_SHOWN 1

bool hr_stack_line_is_own(const struct hr_stack_line *line)
{
    return line->responsible || (line->kind && strcmp(line->kind, "app") == 0);
}

// Of a stack without any frame of its own, nothing is more telling than the rest.
static bool has_own(const struct hr_stack_listing *stack)
{
    for (unsigned i = 0; i < stack->lines_count; i++) {
        if (hr_stack_line_is_own(&stack->lines[i])) {
            return true;
        }
    }
    return false;
}

bool hr_stack_run_next(const struct hr_stack_listing *stack, struct hr_stack_run *run)
{
    if (run->end >= stack->lines_count) {
        return false;
    }
    const unsigned first = run->end;
    const bool own = hr_stack_line_is_own(&stack->lines[first]);
    unsigned end = first + 1;
    while (end < stack->lines_count && hr_stack_line_is_own(&stack->lines[end]) == own) {
        end++;
    }
    const bool folded = !stack->is_whole && !own && end - first >= FOLDED_FROM && has_own(stack);
    *run = (struct hr_stack_run){.first = first,
                                 .end = end,
                                 .fold = folded ? first + FIRST_SHOWN : end,
                                 .unfold = folded ? end - LAST_SHOWN : end};
    return true;
}
