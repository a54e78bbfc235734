// SPDX-License-Identifier: MIT
// What kind each frame is (allocator, runtime, library, app) by the rules of frames.conf, and which
// frame answers for a stack. Method 7.
#pragma once

#include "model/rules.h"
#include "model/run.h"
#include "model/symbols.h"

#define HR_FRAME_NONE UINT32_MAX

// True when the glob (* and ?) matches the whole text.
bool hr_glob_match(const char *glob, const char *text);

// Kinds of all frames, [symbols->frames_count]. A frame without a name is known by its module
// alone.
const enum hr_frame_kind *hr_frame_kinds_compute(struct hr_arena *arena,
                                                 const struct hr_symbols *symbols,
                                                 const struct hr_rules *rules);

// For each stack the index of the frame that answers for it: its innermost app frame, else library,
// else unnamed, else runtime, else its outermost; HR_FRAME_NONE where no stack was recorded. Of
// unnamed frames those that half of all stacks share are passed over: that is the allocator.
const uint32_t *hr_responsible_frames_compute(struct hr_arena *arena, const struct hr_run *run,
                                              const struct hr_symbols *symbols,
                                              const enum hr_frame_kind *kinds);
