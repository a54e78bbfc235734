// SPDX-License-Identifier: MIT
#include "analysis/offsets.h"

// jemalloc's SC_SMALL_MAXCLASS and SC_LARGE_MINCLASS with 4 KiB pages.
#define SMALL_MAX_BYTES 14336
#define LARGE_MIN_BYTES 16384

double hr_offset_promoted_bytes(const struct hr_dump *dump)
{
    double promoted_bytes = 0;
    for (uint32_t i = 0; dump->rows && i < dump->rows_count; i++) {
        const double objects = (double)dump->rows[i].objects;
        const double size = (double)dump->rows[i].bytes / objects; // NAN without objects
        if (size <= SMALL_MAX_BYTES) {
            promoted_bytes += objects * (LARGE_MIN_BYTES - size);
        }
    }
    return promoted_bytes;
}

struct hr_gauge hr_offset_promoted(struct hr_arena *arena, const struct hr_run *run,
                                   const struct hr_findings *findings)
{
    const struct hr_choice *choice = findings->choice;
    if (!findings->point_times_s || !choice || choice->points_count == 0) {
        return (struct hr_gauge){0};
    }
    double *value = HR_ARENA_ARRAY(arena, double, choice->points_count);
    for (size_t i = 0; i < choice->points_count; i++) {
        value[i] = hr_offset_promoted_bytes(&run->dumps[choice->points[i]]);
    }
    return (struct hr_gauge){choice->points_count, findings->point_times_s, value};
}
