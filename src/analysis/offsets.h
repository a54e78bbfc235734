// SPDX-License-Identifier: MIT
// What the allocator's own count holds beyond the program's bytes because the heap is profiled:
// known, so it is modelled and not blamed on anyone.
#pragma once

#include "analysis/alignment.h"
#include "analysis/findings.h"

// Bytes that one sampled object takes beyond its size. jemalloc gives each sampled small object an
// extent of its own, at least four pages (its smallest large class), and counts it as allocated.
// Here because it is asked for every row of every dump.
static inline double hr_offset_promoted_bytes(double object_size)
{
    // SC_SMALL_MAXCLASS and SC_LARGE_MINCLASS with 4 KiB pages
    return object_size <= 14336 ? 16384 - object_size : 0;
}

// The same of all sampled objects over the run's points; count 0 without a clock or rows.
struct hr_gauge hr_offset_promoted(const struct hr_findings *findings);
