// SPDX-License-Identifier: MIT
// Sets of sites that the tables share.
#pragma once

#include "truth.h"

#define MIB 1048576.0
#define SITES_MAX 2000

// Fills `sites` with steady churn: sizes from 64 bytes to 1 MiB, 0.25 to 16 MiB live each (so that
// fifty hold about 190 MiB), one in ten of mixed sizes.
void sites_steady(struct random_source *source, struct truth_site *sites, size_t count,
                  enum truth_life life, double lifetime, double batch);
