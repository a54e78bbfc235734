// SPDX-License-Identifier: MIT
// Where a run's dumps stop being one story: the rate changed or the profile was reset (live objects
// from before are no longer known), the clock ran backwards, or nothing was written for long.
#pragma once

#include "analysis/findings.h"

// Finds the breaks between the used dumps, in order. Memory is in `arena`.
const struct hr_break *hr_breaks_find(struct hr_arena *arena, const struct hr_run *run,
                                      size_t *count);

// Seconds from the last used dump to the last measurement beside the dumps, where that is as long
// as a break; 0 elsewhere, as behind the dump that a process writes when it ends.
double hr_breaks_silence_s(struct hr_arena *arena, const struct hr_run *run);

// True when dumps on both sides of the break must not be subtracted from each other.
bool hr_break_splits(const struct hr_break *found);
