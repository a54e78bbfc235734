// SPDX-License-Identifier: MIT
// Back from scaled values to the samples that they were scaled from: the inverse of model/sample.h.
#pragma once

#include <stdbool.h>
#include <stdint.h>

// Sets the sampled objects and their bytes, from which hr_sample_scale() gives `bytes` again (to a
// byte or so an object). False when no number of samples at this interval can have given them.
bool hr_unscale(double objects, double bytes, uint64_t interval_bytes, uint64_t *sampled_objects,
                uint64_t *sampled_bytes);
