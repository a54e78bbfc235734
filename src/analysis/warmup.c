// SPDX-License-Identifier: MIT
#include "analysis/warmup.h"

#include <math.h>

#define WARMUP_STEEPER 3
#define PIECE_MIN 3 // values that make a line worth fitting

// Running sums of a straight line's fit.
struct line {
    double n, x, y, xx, xy, yy;
};

static void line_add(struct line *line, double x, double y, double sign)
{
    line->n += sign;
    line->x += sign * x;
    line->y += sign * y;
    line->xx += sign * x * x;
    line->xy += sign * x * y;
    line->yy += sign * y * y;
}

static double line_slope(const struct line *line)
{
    return (line->n * line->xy - line->x * line->y) / (line->n * line->xx - line->x * line->x);
}

static double line_squares(const struct line *line)
{
    const double xy = line->xy - line->x * line->y / line->n;
    const double xx = line->xx - line->x * line->x / line->n;
    return line->yy - line->y * line->y / line->n - xy * xy / xx;
}

size_t hr_warmup_end(const double *values, size_t count)
{
    struct line before = {0};
    struct line after = {0};
    for (size_t i = 0; i < count; i++) {
        line_add(&after, (double)i, values[i], 1);
    }
    size_t best = 0;
    double best_squares = INFINITY;
    for (size_t i = 0; i < count / 2; i++) {
        line_add(&before, (double)i, values[i], 1);
        line_add(&after, (double)i, values[i], -1);
        if (i + 1 < PIECE_MIN || count - i - 1 < PIECE_MIN) {
            continue;
        }
        const double squares = line_squares(&before) + line_squares(&after);
        if (squares < best_squares && line_slope(&before) > 0 &&
            line_slope(&before) > WARMUP_STEEPER * fabs(line_slope(&after))) {
            best = i + 1;
            best_squares = squares;
        }
    }
    return best;
}
