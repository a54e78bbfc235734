// SPDX-License-Identifier: MIT
// Series over the run's points, for the whole heap and for chosen groups: live bytes, their
// sampling error, and what the trend's bound needs to know. Methods 1 to 3.
#pragma once

#include "analysis/choice.h"
#include "analysis/difference.h"
#include "analysis/findings.h"

struct hr_track {
    double *bytes;       // [points]
    double *variance;    // of bytes, by sampling
    double *weights;     // sum over samples of the squared bytes that each stands for
    double *births;      // objects sampled since start; all 0 without prof_accum
    double largest;      // most bytes that one sample stands for
    double mixed_bytes;  // summed over points, of stacks whose sizes are mixed
    bool mixed;          // enough of those that its counts are no sample counts
    double spread_bytes; // of mixed tracks that were sampled: standard deviation around a straight
                         // line, or of a count since start the most that sampling can make it;
                         // else 0
};

struct hr_tracks {
    struct hr_track total;
    struct hr_track *groups;  // [count], in the order asked for
    const bool *mixed_stacks; // [stacks of the run]
    double *promoted_bytes;   // [points]: what profiling itself adds, analysis/offsets.h
    size_t points_count;
    bool accumulates;
    bool cumulative; // bytes are counts since start
};

// Reads the rows of every point. `chosen` lists the groups that get a series.
struct hr_tracks hr_tracks_compute(struct hr_arena *arena, const struct hr_run *run,
                                   const struct hr_choice *choice, const struct hr_groups *groups,
                                   const size_t *chosen, size_t chosen_count);

// The track as points with their 95 % band.
struct hr_points hr_track_points(struct hr_arena *arena, const struct hr_track *track,
                                 size_t points_count);
