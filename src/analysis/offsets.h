// SPDX-License-Identifier: MIT
// What the allocator's own count holds beyond the program's bytes because the heap is profiled:
// known, so it is modelled and not blamed on anyone.
#pragma once

#include "analysis/alignment.h"
#include "analysis/findings.h"

// Bytes that sampled small objects take beyond their size. jemalloc gives each sampled object an
// extent of its own, at least four pages (its smallest large class), and counts it as allocated.
double hr_offset_promoted_bytes(const struct hr_dump *dump);

// The same over the run's points; count 0 without a clock or rows.
struct hr_gauge hr_offset_promoted(struct hr_arena *arena, const struct hr_run *run,
                                   const struct hr_findings *findings);
