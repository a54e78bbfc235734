// SPDX-License-Identifier: MIT
// Which of the values that a pprof profile has for every sample are those of a heap.
#pragma once

#include <stdbool.h>

struct hr_pprof;

// Places of the values in every sample; -1: there is none.
struct hr_profile_values {
    int objects, bytes, accum_objects, accum_bytes;
};

// Finds what is live in the heap, by the names that writers give it, else what the profile itself
// shows first; with `is_base` the heap that the profile was compared with. `bytes` is -1 where the
// profile is of no heap.
struct hr_profile_values hr_profile_values_find(const struct hr_pprof *profile, bool is_base);
