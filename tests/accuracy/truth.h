// SPDX-License-Identifier: MIT
// Plants a truth and makes the dumps that jemalloc would have written of it. Only sampled objects
// are simulated, one by one, with birth and death; a site of mixed sizes is bent as jemalloc 5.3
// does. The window is 0 to 1.
#pragma once

#include "random.h"
#include "world.h"

#include <stdbool.h>
#include <stddef.h>

enum truth_life {
    LIFE_EXPONENTIAL,
    LIFE_FIXED,
    LIFE_MIXTURE, // half of the bytes live 1 % of the window, half `lifetime`
    LIFE_HEAVY,   // Pareto with exponent 1.5
};

enum truth_shape {
    TRUTH_STEADY,   // churn alone
    TRUTH_LEAK,     // grows straight, nothing is freed
    TRUTH_STEP,     // grows at once, somewhere in the middle
    TRUTH_WARMUP,   // grows ever more slowly and stops
    TRUTH_CACHE,    // grows straight to its limit, then drops the oldest
    TRUTH_SAWTOOTH, // grows and is emptied, again and again
    TRUTH_BURST,    // high for a while
    TRUTH_SHAPES_COUNT,
};

// One place that allocates.
struct truth_site {
    double size_bytes;
    double large_bytes; // of a mixed site: a second size that holds half of the bytes; else 0
    double mean_bytes;  // steady live bytes
    double lifetime;    // share of the window
    enum truth_life life;
    double batch; // births come in groups of this mean size; 1: singly
    enum truth_shape shape;
    double growth_bytes; // of the shape, beside the steady part
    double moment;       // where in the window the shape happens, or how long it takes
};

enum truth_times { TIMES_EVEN, TIMES_RANDOM, TIMES_CROWDED };

struct truth_run {
    const struct truth_site *sites;
    size_t sites_count;
    size_t dumps_count;
    uint64_t interval_bytes; // R
    enum truth_times times;
    double window_s;
    bool accumulates;
};

// Adds the dumps of this truth to an empty world. The stack of site i is "malloc<site_i<main".
void truth_write(struct random_source *source, const struct truth_run *truth,
                 struct test_world *world);

// Live bytes that are planted at a moment, on average.
double truth_live_bytes(const struct truth_site *site, double place);
