// SPDX-License-Identifier: MIT
// Where a warm-up ends: the bend after which a heap that filled quickly goes on slowly or not at
// all.
#pragma once

#include <stddef.h>

// Returns the index of the first value after the warm-up, 0 when there is none to be seen. The
// warm-up is the first of two straight lines that fit best, at most half of the values, and must be
// at least three times as steep as what follows.
size_t hr_warmup_end(const double *values, size_t count);
