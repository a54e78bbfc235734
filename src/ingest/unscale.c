// SPDX-License-Identifier: MIT
#include "ingest/unscale.h"

#include "model/sample.h"

#include <glib.h>
#include <math.h>

#define STEPS 100 // of halving: more than a double has bits

// What was written may have been rounded, twice.
#define ROUNDING_BYTES 2.0
#define ROUNDING_RATIO 1e-3

// The size x of one sampled object that stands for x / (1 - exp(-x / R)) = `weight` bytes.
static double find_size(double weight, uint64_t interval_bytes)
{
    double low = 0;
    double high = weight;
    for (int i = 0; i < STEPS && low < high; i++) {
        const double middle = low + (high - low) / 2;
        const double there = middle / hr_sample_probability(middle, interval_bytes);
        if (there < weight) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return high;
}

bool hr_unscale(double objects, double bytes, uint64_t interval_bytes, uint64_t *sampled_objects,
                uint64_t *sampled_bytes)
{
    *sampled_objects = (uint64_t)llround(objects);
    *sampled_bytes = (uint64_t)llround(bytes);
    if (objects <= 0 || bytes <= 0) {
        return bytes <= 0;
    }
    const double probability = hr_sample_probability(bytes / objects, interval_bytes);
    const double samples = fmax(round(objects * probability), 1);
    const double size = find_size(bytes / samples, interval_bytes);
    *sampled_objects = (uint64_t)samples;
    *sampled_bytes = (uint64_t)llround(fmax(size * samples, 1));
    const double again = hr_sample_scale(*sampled_objects, *sampled_bytes, interval_bytes).bytes;
    return fabs(again - bytes) <= fmax(ROUNDING_BYTES, ROUNDING_RATIO * bytes);
}
