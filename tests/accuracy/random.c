// SPDX-License-Identifier: MIT
#include "random.h"

#include <math.h>

// splitmix64
uint64_t random_next(struct random_source *source)
{
    uint64_t z = source->state += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

double random_uniform(struct random_source *source)
{
    return ((double)(random_next(source) >> 11) + 0.5) / 9007199254740992.0;
}

double random_exponential(struct random_source *source, double mean)
{
    return -mean * log(random_uniform(source));
}

static double normal(struct random_source *source)
{
    return sqrt(-2 * log(random_uniform(source))) * cos(2 * M_PI * random_uniform(source));
}

uint64_t random_poisson(struct random_source *source, double mean)
{
    if (mean > 1000) { // the error of the normal is far below what is measured here
        return (uint64_t)fmax(0, round(mean + sqrt(mean) * normal(source)));
    }
    uint64_t count = 0;
    for (double sum = random_exponential(source, 1); sum < mean;
         sum += random_exponential(source, 1)) {
        count++;
    }
    return count;
}

uint64_t random_binomial(struct random_source *source, uint64_t n, double p)
{
    if (p >= 1) {
        return n;
    }
    // Waiting times between successes: as many steps as there are successes.
    uint64_t successes = 0;
    const double log_failure = log1p(-p);
    for (double at = floor(log(random_uniform(source)) / log_failure); at < (double)n;
         at += 1 + floor(log(random_uniform(source)) / log_failure)) {
        successes++;
    }
    return successes;
}
