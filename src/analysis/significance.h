// SPDX-License-Identifier: MIT
// Whether a growth between two dumps is more than sampling makes by chance: the exact conditional
// test of two counts, and the control of false discoveries over many suspects. Method 2.
#pragma once

#include <stdbool.h>
#include <stddef.h>

// Probability of at least `final_samples` of all samples in the final dump when nothing grew: given
// their sum the count is binomial with q = p_final / (p_base + p_final). Exact; 1 without samples.
double hr_significance_p_value(double base_samples, double final_samples, double q);

// The z above which a normal value lies with this probability.
double hr_significance_z(double probability);

// What z has to be asked of each of so many places so that chance finds no more among them than
// among HR_SIGNIFICANCE_PLACES; up to that many, `z` itself.
#define HR_SIGNIFICANCE_PLACES 500
double hr_significance_z_among(double z, size_t places);

// Benjamini and Hochberg's procedure: sets passed[i] for the p-values that stand at the given share
// of false discoveries among `tests` tests (at least `count`; those not listed have a p-value of
// 1).
void hr_significance_select(const double *p_values, size_t count, size_t tests, double share,
                            bool *passed);
