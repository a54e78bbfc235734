// SPDX-License-Identifier: MIT
// A name for how a series moved. Method 3.
#pragma once

#include "analysis/findings.h"

// What the trend knows when the name is given.
struct hr_shape_facts {
    const double *values; // on the plan's grid
    size_t count;
    double growth;     // by the best contrast
    double z;          // growth over the standard deviation of two values' difference
    double z_min;      // what z has to be above
    double jump_share; // what remains of the growth after the two best adjacent steps
    bool counts;       // growth, past every gate
    bool counts_down;  // the same downward
    bool slows;        // significantly slower in the second half, or over in the last third
    double sigma;      // standard deviation of a single value
};

enum hr_shape hr_shape_name(const struct hr_shape_facts *facts);

// What remains of the growth of eight segments' medians after the two best adjacent steps.
double hr_shape_jump_share(const double *values, size_t count);
