// SPDX-License-Identifier: MIT
// One planted run through the whole analysis, and what came out of it.
#pragma once

#include "truth.h"

#include "analysis/findings.h"

// What is kept of a run's findings.
struct trial {
    bool any_significant;  // of the suspects
    bool site_significant; // of site 0, which carries the shape
    bool total_significant;
    enum hr_shape total_shape; // of the whole heap
    enum hr_class class;
    struct hr_estimate site_growth; // by the trend
    double smallest_detectable_bytes;
};

// Evidence to lay beside the dumps: series that follow the truth. NULL: none.
struct planted_evidence {
    double slack_growth_bytes;   // resident over allocated
    double outside_growth_bytes; // anonymous over resident
};

struct trial trial_run(struct random_source *source, const struct truth_run *truth,
                       const struct planted_evidence *evidence);

// The run itself, for who wants to write it out; free with test_world_free().
struct test_world *trial_plant(struct random_source *source, const struct truth_run *truth,
                               const struct planted_evidence *evidence);
