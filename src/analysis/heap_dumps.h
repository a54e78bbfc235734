// SPDX-License-Identifier: MIT
// The heap as a part by the dumps alone: how much it grew, and whether it still does. Methods 3
// and 4. Knows no other witness.
#pragma once

#include "analysis/parts.h"

// `profile` is the heap estimate of the dumps within their window. GROWS only where the trend of
// the total or of a significant place says so. *open: it grew, but the dumps do not tell whether
// that goes on, or with too few of them, whether it is chance.
struct hr_part hr_heap_by_dumps(const struct hr_rules *rules, const struct hr_findings *findings,
                                struct hr_gauge profile, bool *open);
