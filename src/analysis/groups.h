// SPDX-License-Identifier: MIT
// Stacks grouped by the function that answers for them: what may become a suspect. Names are
// compared without what a rebuild changes. Method 7.
#pragma once

#include "model/run.h"
#include "model/symbols.h"

struct hr_group {
    const char *name; // normalised: the key of the group and of its fingerprint
    uint32_t frame;   // the answering frame of the first stack; HR_FRAME_NONE: no stack recorded
};

struct hr_groups {
    const struct hr_group *groups;
    size_t count;
    const uint32_t *of_stack; // [stacks]: index in groups
};

struct hr_groups hr_groups_compute(struct hr_arena *arena, const struct hr_run *run,
                                   const struct hr_symbols *symbols,
                                   const uint32_t *responsible_frames);

// The name without Rust's symbol hash, the marks of cloned code (.llvm.123, .cold, .isra.0) and
// closures at its end. In `arena`.
const char *hr_group_normalise_name(struct hr_arena *arena, const char *name);

// 12 hex digits of the normalised name: the same after a rebuild, at other addresses and lines.
const char *hr_group_fingerprint(struct hr_arena *arena, const char *normalised_name);
