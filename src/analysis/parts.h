// SPDX-License-Identifier: MIT
// One part of the process's memory: when its growth counts, and whether it still goes on. Method 5.
// Does not know which part it is.
#pragma once

#include "analysis/alignment.h"
#include "analysis/findings.h"

// Evidence is read over two windows: that of the dumps, and a longer one to the end of the
// evidence, since dumps stop with the load and some things show only after it.
struct hr_windows {
    struct hr_window dumps; // that of the evidence where the dumps have no clock
    struct hr_window longer;
};

#define HR_PART_NOT_KNOWN                                                                          \
    ((struct hr_part){HR_PART_UNKNOWN, HR_ESTIMATE_UNKNOWN, HR_ESTIMATE_UNKNOWN, NAN, 0})

// The larger half of the estimate's interval; NAN where it has none.
double hr_part_error_bytes(struct hr_estimate growth);

// What a part's growth must exceed to count: its error, the floor, a share of its base.
double hr_part_needed_bytes(const struct hr_rules *rules, const struct hr_part *part);

// The state of a part whose numbers are known.
enum hr_part_state hr_part_judge(const struct hr_rules *rules, const struct hr_part *part);

struct hr_part hr_part_of_movement(const struct hr_rules *rules, struct hr_movement movement);

// Judged over the dumps' window; over the longer one where the first knows nothing, or sees no
// growth where the longer one does.
struct hr_part hr_part_of_gauge(const struct hr_rules *rules, const struct hr_windows *windows,
                                struct hr_gauge gauge);

// A gauge that came all the way down again did not grow, wherever in a swing the compared states
// were taken: makes the part flat then.
void hr_part_leave_out_swings(struct hr_gauge gauge, struct hr_part *part);

static inline bool hr_part_passes(enum hr_part_state state)
{
    return state >= HR_PART_GREW;
}

// UNDECIDED counts as growing, never as flat.
static inline bool hr_part_may_grow(enum hr_part_state state)
{
    return state >= HR_PART_UNDECIDED;
}

static inline bool hr_part_is_quiet(enum hr_part_state state)
{
    return state == HR_PART_FLAT || state == HR_PART_FALLS;
}
