// SPDX-License-Identifier: MIT
#include "analysis/significance.h"

#include <glib.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// Terms beyond this share of the first add nothing to a double.
#define TERM_NEGLIGIBLE 1e-17

static double log_choose(double n, double k)
{
    int sign = 0;
    return lgamma_r(n + 1, &sign) - lgamma_r(k + 1, &sign) - lgamma_r(n - k + 1, &sign);
}

double hr_significance_p_value(double base_samples, double final_samples, double q)
{
    const double n = base_samples + final_samples;
    if (n <= 0 || final_samples <= 0) {
        return 1;
    }
    if (final_samples <= n * q) {
        return 1; // not above its mean: no growth to speak of
    }
    // Above the mean the terms fall at least geometrically, so the sum is short.
    double term =
        exp(log_choose(n, final_samples) + final_samples * log(q) + base_samples * log1p(-q));
    double sum = 0;
    for (double k = final_samples; k <= n && term > sum * TERM_NEGLIGIBLE; k++) {
        sum += term;
        term *= (n - k) / (k + 1) * q / (1 - q);
    }
    return fmin(sum, 1);
}

double hr_significance_z(double probability)
{
    double low = 0;
    double high = 10;
    for (int i = 0; i < 60; i++) {
        const double middle = (low + high) / 2;
        if (erfc(middle / sqrt(2)) / 2 > probability) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return high;
}

double hr_significance_z_among(double z, size_t places)
{
    if (places <= HR_SIGNIFICANCE_PLACES) {
        return z;
    }
    const double asked = erfc(z / sqrt(2)) / 2;
    return fmax(z, hr_significance_z(asked * HR_SIGNIFICANCE_PLACES / (double)places));
}

static int by_value(const void *a, const void *b)
{
    const double left = *(const double *)a;
    const double right = *(const double *)b;
    return (left > right) - (left < right);
}

void hr_significance_select(const double *p_values, size_t count, size_t tests, double share,
                            bool *passed)
{
    g_autofree double *sorted = g_memdup2(p_values, count * sizeof *p_values);
    if (count > 0) {
        qsort(sorted, count, sizeof *sorted, by_value);
    }
    double limit = -1;
    for (size_t i = 0; i < count; i++) {
        if (sorted[i] <= share * (double)(i + 1) / (double)tests) {
            limit = sorted[i];
        }
    }
    for (size_t i = 0; i < count; i++) {
        passed[i] = p_values[i] <= limit;
    }
}
