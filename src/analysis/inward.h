// SPDX-License-Identifier: MIT
// Stacks on their way from the outermost frame inward, one frame at a time: what grows a tree of
// calls walks many of them side by side. Knows no tree.
#pragma once

#include "analysis/functions.h"

#define HR_INWARD_END UINT32_MAX

struct hr_inward {
    const struct hr_run *run;
    const struct hr_symbols *symbols;
    const struct hr_function_names *names;
    const enum hr_frame_kind *ends_at_allocator; // kinds of all frames; NULL: all frames are walked
};

// One stack on its way.
struct hr_inward_stack {
    uint32_t stack;
    uint32_t locations_left; // outermost first, so that they are taken from the end
    uint32_t frames_left;    // of the location taken last; inlined ones lie innermost first
    uint32_t frame;          // the frame taken last
    uint32_t function;       // its function, in names; HR_INWARD_END: there was no frame left
};

// A stack of which no frame was taken yet.
struct hr_inward_stack hr_inward_start(const struct hr_inward *inward, uint32_t stack);

// Takes the next frame of each of `count` stacks; none where the allocator's begin, if asked so.
void hr_inward_step(const struct hr_inward *inward, struct hr_inward_stack *stacks, size_t count);

// Puts stacks at the same function beside each other, ordered by stack within; those without a
// frame stand last.
void hr_inward_sort(struct hr_inward_stack *stacks, size_t count);
