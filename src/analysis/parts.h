// SPDX-License-Identifier: MIT
// The facts that the rules judge: the parts of the process's memory, each with how it moved and
// whether that counts, and what is known of the run besides. Method 5. Decides no class.
#pragma once

#include "analysis/alignment.h"
#include "analysis/findings.h"

struct hr_facts {
    struct hr_part parts[HR_PARTS_COUNT];

    bool profile_known;   // the dumps gave a heap figure at two moments
    bool allocated_known; // the allocator's own count did
    bool resident_known;
    bool process_known; // A was measured: Anonymous - LazyFree + Swap
    bool merged;        // no resident: slack and outside are one part, kept as outside
    bool rss_only;      // outside was read from RSS, for want of A

    // The heap's state over the window in which slack was judged.
    enum hr_part_state slack_heap;
    // Memory freed by the program and kept by the process at the end; 0: not the case, NAN:
    // unknown.
    double kept_after_peak_bytes;
    double allocated_peak_bytes;

    size_t dumps_count; // used
    double heap_bytes;  // the heap at the end of the window, by its best witness
    double coverage_ratio;
    double smallest_detectable_bytes;

    struct hr_window window;     // of the dumps; of the evidence where the dumps have no clock
    struct hr_window end_window; // to the end of the evidence
    double duration_s;           // of `window`; NAN without a clock
};

// The heap estimate of the dumps as a gauge; count 0 without a clock.
struct hr_gauge hr_facts_profile(const struct hr_findings *findings);

// A as a gauge: what the process holds of its own memory, resident or swapped out.
struct hr_gauge hr_facts_process(struct hr_arena *arena, const struct hr_evidence *evidence);

struct hr_gauge hr_facts_gauge(const struct hr_evidence *evidence, enum hr_evidence_id id);

// Computes the facts. `findings` must hold choice, total_series, totals; scratch memory is in
// `arena`.
void hr_facts_compute(struct hr_arena *arena, const struct hr_run *run,
                      const struct hr_rules *rules, const struct hr_findings *findings,
                      struct hr_facts *facts);

// What a part's growth must exceed to count: its error, the floor, a share of its base.
double hr_part_needed_bytes(const struct hr_rules *rules, const struct hr_part *part);

// The state of a part whose numbers are known. Method 5.
enum hr_part_state hr_part_judge(const struct hr_rules *rules, const struct hr_part *part);

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
