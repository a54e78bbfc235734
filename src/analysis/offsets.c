// SPDX-License-Identifier: MIT
#include "analysis/offsets.h"

struct hr_gauge hr_offset_promoted(const struct hr_findings *findings)
{
    if (!findings->point_times_s || !findings->point_promoted_bytes) {
        return (struct hr_gauge){0};
    }
    return (struct hr_gauge){findings->choice->points_count, findings->point_times_s,
                             findings->point_promoted_bytes};
}
