// SPDX-License-Identifier: MIT
// From changes and series to the ranked list of suspects: the groups that grew, with what is
// certain about each. Methods 2, 3 and 7.
#pragma once

#include "analysis/tracks.h"
#include "analysis/trend.h"

struct hr_suspects_input {
    const struct hr_run *run;
    const struct hr_symbols *symbols;
    const struct hr_rules *rules;
    const struct hr_groups *groups;
    const struct hr_difference *difference;
    const struct hr_tracks *tracks;
    const struct hr_trend_plan *plan;
    double trend_z_min;   // what a place's trend has to exceed among all of the run
    const size_t *chosen; // groups that have a track, by growth
    size_t chosen_count;
};

// Groups that hold samples in base or final: the places that chance can pick from.
size_t hr_suspects_count_places(const struct hr_groups *groups,
                                const struct hr_difference *difference);

// The at most HR_TRENDS_MAX groups that grew most, largest first; ties by name.
size_t hr_suspects_choose(struct hr_arena *arena, const struct hr_groups *groups,
                          const struct hr_difference *difference, const size_t **chosen);

// Sets suspects, suspects_rest and shrunk of the findings, and grown_bytes and shrunk_bytes of its
// totals. Returns for each group the index of its suspect, -1: none.
const int32_t *hr_suspects_compute(struct hr_arena *arena, const struct hr_suspects_input *input,
                                   struct hr_findings *findings);
