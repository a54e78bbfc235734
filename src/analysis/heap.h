// SPDX-License-Identifier: MIT
// The heap as a part, from its two witnesses: the dumps, and the allocator's own count. Methods 4
// and 5.
#pragma once

#include "analysis/parts.h"

struct hr_heap {
    struct hr_part part;
    struct hr_part by_dumps; // state unknown where the dumps show next to nothing
    struct hr_part by_count;
    double bytes;          // at the end of the window, by its best witness
    double coverage_ratio; // of the count, by the dumps
    bool from_dumps;       // part.growth is that of the dumps, from base to final
    bool contradictory;    // the count cannot be that of the heap in the dumps
    bool open;             // it grew by the dumps alone, and they do not tell whether that goes on
    bool dumps_known;
    bool count_known;
};

// The heap estimate of the dumps as a gauge; count 0 without a clock.
struct hr_gauge hr_heap_profile(const struct hr_findings *findings);

// What the dumps show the heap to take, with what profiling adds to it.
struct hr_gauge hr_heap_shown(struct hr_arena *arena, const struct hr_findings *findings);

// The allocator's count of what the program holds, without what profiling itself adds to it.
struct hr_gauge hr_heap_counted(struct hr_arena *arena, const struct hr_run *run,
                                const struct hr_findings *findings);

struct hr_heap hr_heap_compute(struct hr_arena *arena, const struct hr_run *run,
                               const struct hr_rules *rules, const struct hr_findings *findings,
                               const struct hr_windows *windows);
