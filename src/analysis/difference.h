// SPDX-License-Identifier: MIT
// Base against final: what each stack, each group and the whole heap held in both dumps, scaled row
// by row, with the error of each sum. Methods 1 and 2.
#pragma once

#include "analysis/groups.h"
#include "base/estimate.h"
#include "model/run.h"
#include "model/sample.h"

// A sum of scaled rows of one dump.
struct hr_side {
    double bytes;
    double objects;
    double samples; // sampled objects; what a test may count where sizes are not mixed
    struct hr_sample_sum error;
};

struct hr_change {
    struct hr_side base;
    struct hr_side final;
    // Samples that the objects of both dumps together would give in either: what a test weighs the
    // counts by. Equal where R is.
    double base_chance;
    double final_chance;
    bool cumulative; // counts since start: all samples of base are among those of final
};

struct hr_difference {
    const struct hr_change *stacks; // [stacks of the run]
    const struct hr_change *groups; // [groups->count]
    struct hr_change total;
};

// Adds one row of a dump to a sum.
void hr_side_add_row(struct hr_side *side, const struct hr_row *row, uint64_t interval_bytes);

void hr_side_add(struct hr_side *sum, const struct hr_side *side);

// Sums base and final. The dumps may be the same: then nothing grew.
struct hr_difference hr_difference_compute(struct hr_arena *arena, const struct hr_run *run,
                                           const struct hr_groups *groups, size_t base,
                                           size_t final);

double hr_change_growth_bytes(const struct hr_change *change);

// The share of all samples that is expected in the final dump if nothing grew: 0.5 where both
// dumps have one R.
double hr_change_final_share(const struct hr_change *change);

// Estimates with 95 % intervals. `extra_sigma_bytes` is the spread seen in the series where sizes
// are mixed and the formula says too little; 0 otherwise. An empty side borrows the other's largest
// sample.
struct hr_estimate hr_change_base(const struct hr_change *change, double extra_sigma_bytes);
struct hr_estimate hr_change_final(const struct hr_change *change, double extra_sigma_bytes);
struct hr_estimate hr_change_growth(const struct hr_change *change, double extra_sigma_bytes);
