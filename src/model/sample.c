// SPDX-License-Identifier: MIT
#include "model/sample.h"

#include <math.h>

// Beyond this mean interval an object of 1 TiB is sampled once in 64: nothing useful can be scaled.
#define INTERVAL_OFF_BYTES ((uint64_t)1 << 46)

bool hr_sample_is_off(uint64_t interval_bytes)
{
    return interval_bytes >= INTERVAL_OFF_BYTES;
}

double hr_sample_probability(double size_bytes, uint64_t interval_bytes)
{
    if (interval_bytes <= 1 || hr_sample_is_off(interval_bytes) || size_bytes <= 0) {
        return 1;
    }
    return -expm1(-size_bytes / (double)interval_bytes);
}

struct hr_scaled hr_sample_scale(uint64_t objects, uint64_t bytes, uint64_t interval_bytes)
{
    struct hr_scaled scaled = {
        .bytes = (double)bytes, .objects = (double)objects, .object_size = NAN, .probability = 1};
    if (objects == 0) {
        return scaled;
    }
    scaled.object_size = (double)bytes / (double)objects;
    if (interval_bytes <= 1 || hr_sample_is_off(interval_bytes) || bytes == 0) {
        return scaled;
    }
    const double probability = hr_sample_probability(scaled.object_size, interval_bytes);
    scaled.probability = probability;
    const double weight = scaled.object_size / probability;
    scaled.sample_variance = weight * weight * (1 - probability);
    scaled.bytes /= probability;
    scaled.objects /= probability;
    return scaled;
}

double hr_sample_sum_variance(const struct hr_sample_sum *sum)
{
    return sum->variance + 2 * sum->largest;
}
