// SPDX-License-Identifier: MIT
#include "analysis/quantile.h"

#include <glib.h>
#include <math.h>
#include <stdlib.h>

static int by_value(const void *a, const void *b)
{
    const double left = *(const double *)a;
    const double right = *(const double *)b;
    return (left > right) - (left < right);
}

double hr_quantile(double *values, size_t count, double q)
{
    if (count == 0) {
        return NAN;
    }
    qsort(values, count, sizeof *values, by_value);
    const double place = q * (double)(count - 1);
    const size_t below = (size_t)place;
    if (below + 1 >= count) {
        return values[count - 1];
    }
    return values[below] + (place - (double)below) * (values[below + 1] - values[below]);
}

double hr_median(const double *values, size_t count)
{
    if (count == 0) {
        return NAN;
    }
    g_autofree double *copy = g_memdup2(values, count * sizeof *values);
    return hr_quantile(copy, count, 0.5);
}
