// SPDX-License-Identifier: MIT
// Random numbers that are the same on every machine: fixed seeds give fixed tables.
#pragma once

#include <stdint.h>

struct random_source {
    uint64_t state;
};

uint64_t random_next(struct random_source *source);
double random_uniform(struct random_source *source); // (0, 1)
double random_exponential(struct random_source *source, double mean);
uint64_t random_poisson(struct random_source *source, double mean);
uint64_t random_binomial(struct random_source *source, uint64_t n, double p);
