// SPDX-License-Identifier: MIT
// How much of what is live stands under names, and how far the stacks themselves can be trusted.
#pragma once

#include "analysis/difference.h"
#include "analysis/findings.h"
#include "base/diagnostics.h"

// Computes the shares over the final dump's bytes; each stack's bytes are spread evenly over its
// locations. NAN ratios without bytes.
struct hr_symbol_quality hr_symbol_quality_compute(const struct hr_run *run,
                                                   const struct hr_symbols *symbols,
                                                   const struct hr_difference *difference);

// Tells what mends stacks that are cut, lost or one frame long.
void hr_symbol_quality_report(const struct hr_symbol_quality *quality,
                              struct hr_diagnostics *diagnostics);
