// SPDX-License-Identifier: MIT
// From sampled counts to bytes: jemalloc's estimator. Always applied per stack and dump, never to
// sums.
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct hr_scaled {
    double bytes;       // estimated live bytes
    double objects;     // estimated live objects
    double object_size; // x = sampled bytes / sampled objects; NAN without objects
    double probability; // p = 1 - exp(-x / R), that an object is sampled; 1 where nothing is scaled
    double sample_variance; // (x / p)^2 (1 - p): what one sample adds to the variance of `bytes`
};

// Probability that an object of that size is sampled; 1 where nothing is scaled.
double hr_sample_probability(double size_bytes, uint64_t interval_bytes);

// Scales one row: `objects` sampled objects with `bytes` bytes at a mean sampling interval of R
// bytes. R <= 1 or so large that p underflows leaves the row as it is. Source: jemalloc 5.3
// prof_data.c (prof_do_unbias) and the design note on sampling there; docs/method.md section 1.
struct hr_scaled hr_sample_scale(uint64_t objects, uint64_t bytes, uint64_t interval_bytes);

// Variance of a sum of scaled rows: the samples' own, plus twice that of the largest sample once,
// which keeps intervals honest for a handful of samples. Zeroed is the empty sum.
struct hr_sample_sum {
    double variance; // sum of n (x / p)^2 (1 - p)
    double largest;  // largest (x / p)^2 (1 - p) of a row
};

// Adds a row of `objects` sampled objects. Here because analysis does it for every row of every
// dump.
static inline void hr_sample_sum_add(struct hr_sample_sum *sum, const struct hr_scaled *scaled,
                                     uint64_t objects)
{
    sum->variance += (double)objects * scaled->sample_variance;
    if (scaled->sample_variance > sum->largest) {
        sum->largest = scaled->sample_variance;
    }
}

// Source: docs/method.md section 2.
double hr_sample_sum_variance(const struct hr_sample_sum *sum);

// True when R is so large that (practically) only what is larger than any allocation would be
// sampled.
bool hr_sample_is_off(uint64_t interval_bytes);
