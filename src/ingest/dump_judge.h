// SPDX-License-Identifier: MIT
// Whether a dump that was read can be used, and what is told of it. Some can only be judged when
// all were read: a dump without a map is whole in a run where none has one.
#pragma once

#include "base/diagnostics.h"
#include "model/run.h"

#include <glib.h>

struct hr_heap_dump;
struct hr_read_outcome;

struct hr_dump_judge {
    struct hr_run *run;
    struct hr_diagnostics *diagnostics;
    uint64_t max_times; // what is packed may unpack to
    GArray *undecided;  // dumps that wait for the last one
    bool any_map;
    bool any_rows; // in an earlier dump
    bool all_accumulate;
    bool any_accumulates;
};

// Keeps `run` and `diagnostics`; to be cleared.
void hr_dump_judge_init(struct hr_dump_judge *judge, struct hr_run *run, uint64_t max_times,
                        struct hr_diagnostics *diagnostics);
void hr_dump_judge_clear(struct hr_dump_judge *judge);

// What the first reading of dump `index` says: its totals, and whether it is used. Dumps come in
// their order.
void hr_dump_judge_take(struct hr_dump_judge *judge, size_t index,
                        const struct hr_read_outcome *outcome);

// Leaves out a dump that was read before and is another one now.
void hr_dump_judge_check_unchanged(struct hr_dump_judge *judge, struct hr_dump *dump,
                                   const struct hr_heap_dump *read);

// After the last dump of a pass: what had to wait, and, after the first pass, whether the whole run
// counts since its start.
void hr_dump_judge_finish(struct hr_dump_judge *judge, bool first_pass);
