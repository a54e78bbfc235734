// SPDX-License-Identifier: MIT
#include "analysis/inward.h"

#include <stdlib.h>

struct hr_inward_stack hr_inward_start(const struct hr_inward *inward, uint32_t stack)
{
    return (struct hr_inward_stack){
        .stack = stack,
        .locations_left = hr_stacks_get(inward->run->stacks, stack).depth,
        .frame = HR_INWARD_END,
        .function = HR_INWARD_END,
    };
}

static void step(const struct hr_inward *inward, struct hr_inward_stack *at)
{
    const struct hr_stack stack = hr_stacks_get(inward->run->stacks, at->stack);
    while (at->frames_left == 0 && at->locations_left > 0) {
        const uint32_t location = stack.locations[--at->locations_left];
        at->frames_left = inward->symbols->locations[location].frame_count;
    }
    at->function = HR_INWARD_END;
    if (at->frames_left == 0) {
        return;
    }
    const uint32_t location = stack.locations[at->locations_left];
    const uint32_t frame = inward->symbols->locations[location].first_frame + at->frames_left - 1;
    if (inward->ends_at_allocator && inward->ends_at_allocator[frame] == HR_FRAME_ALLOCATOR) {
        return; // nothing is taken, so that asking again gives the same
    }
    at->frames_left--;
    at->frame = frame;
    at->function = inward->names->of_frame[frame];
}

void hr_inward_step(const struct hr_inward *inward, struct hr_inward_stack *stacks, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        step(inward, &stacks[i]);
    }
}

static int by_function(const void *a, const void *b)
{
    const struct hr_inward_stack *left = a;
    const struct hr_inward_stack *right = b;
    if (left->function != right->function) {
        return left->function < right->function ? -1 : 1;
    }
    return (left->stack > right->stack) - (left->stack < right->stack);
}

// Most often all are at one function and stay as they are.
void hr_inward_sort(struct hr_inward_stack *stacks, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        if (by_function(&stacks[i - 1], &stacks[i]) > 0) {
            qsort(stacks, count, sizeof *stacks, by_function);
            return;
        }
    }
}
