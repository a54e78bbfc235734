// SPDX-License-Identifier: MIT
#include "analysis/choice_points.h"

#include <math.h>

// Position of the dump in the window, 0 to 1: by time where there is a clock.
static double position(const struct hr_run *run, const size_t *at, size_t count, size_t i)
{
    const double from_s = run->dumps[at[0]].taken_at_s;
    const double window_s = run->dumps[at[count - 1]].taken_at_s - from_s;
    const double by_time = (run->dumps[at[i]].taken_at_s - from_s) / window_s;
    return window_s > 0 && by_time >= 0 && by_time <= 1 ? by_time : (double)i / (double)(count - 1);
}

const size_t *hr_choice_points(struct hr_arena *arena, const struct hr_run *run, const size_t *at,
                               size_t count, size_t peak, size_t limit, size_t *points_count)
{
    limit = limit == 0 || limit > HR_POINTS_MAX ? HR_POINTS_MAX : MAX(limit, 3);
    size_t *points = HR_ARENA_ARRAY(arena, size_t, MIN(count, limit));
    *points_count = 0;
    // First, last and peak have their places; the rest is one dump in each of the remaining cells.
    const double cells = (double)limit - 3;
    double last_cell = -1;
    for (size_t i = 0; i < count; i++) {
        const bool fixed = i == 0 || i + 1 == count || i == peak;
        const double cell = count <= limit
                                ? (double)i
                                : fmin(floor(position(run, at, count, i) * cells), cells - 1);
        if (!fixed && cell <= last_cell) {
            continue;
        }
        points[(*points_count)++] = at[i];
        last_cell = fixed ? last_cell : cell;
    }
    return points;
}
