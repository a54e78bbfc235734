// SPDX-License-Identifier: MIT
// The facts that the rules judge: the parts of the process's memory, each with how it moved and
// whether that counts, and what is known of the run besides. Method 5. Decides no class.
#pragma once

#include "analysis/heap.h"

struct hr_facts {
    struct hr_part parts[HR_PARTS_COUNT];

    bool heap_from_dumps; // the heap's growth is that from base to final dump, not between tenths
    bool heap_open;       // it grew, and nothing tells whether that goes on
    bool allocated_known; // the allocator's own count was measured
    bool process_known;   // A was: Anonymous - LazyFree + Swap
    bool process_seen;    // A was, be it too seldom to tell how it changed
    bool merged;          // no resident: slack and outside are one part, kept as outside
    bool file_of_cgroup;  // file is the cache of files of the whole control group
    bool contradictory;   // the allocator's count cannot be that of the heap in the dumps
    bool rss_only;        // outside was read from RSS, for want of A

    // The heap's state over the window in which slack was judged.
    enum hr_part_state slack_heap;
    // Memory freed by the program and kept by the process at the end; 0: not the case, NAN:
    // unknown.
    double kept_after_peak_bytes;
    double allocated_peak_bytes;

    size_t dumps_count;   // used
    bool compared;        // the base is a dump of another run: two dumps, no window
    double matched_ratio; // of their bytes, by place; NAN when not compared
    double heap_bytes;    // the heap at the end of the window, by its best witness
    double coverage_ratio;
    double smallest_detectable_bytes;

    struct hr_windows windows;
    double startup_s;  // left out before them: the process was starting; 0: nothing
    double duration_s; // of the dumps' window; NAN without a clock
};

// A as a gauge: what the process holds of its own memory, resident or swapped out.
struct hr_gauge hr_facts_process(struct hr_arena *arena, const struct hr_evidence *evidence);

// Computes the facts. `findings` must hold choice, total_series, totals; scratch memory is in
// `arena`.
void hr_facts_compute(struct hr_arena *arena, const struct hr_run *run,
                      const struct hr_rules *rules, const struct hr_findings *findings,
                      struct hr_facts *facts);
