// SPDX-License-Identifier: MIT
#include "sites.h"

#include <math.h>

void sites_steady(struct random_source *source, struct truth_site *sites, size_t count,
                  enum truth_life life, double lifetime, double batch)
{
    static const double SIZES[] = {64, 64, 320, 1024, 4096, 16384, 65536, 1048576};
    for (size_t i = 0; i < count; i++) {
        const size_t size = random_next(source) % (sizeof SIZES / sizeof *SIZES);
        sites[i] = (struct truth_site){
            .size_bytes = SIZES[size],
            .large_bytes = random_uniform(source) < 0.1 ? 2 * MIB : 0,
            .mean_bytes = 0.25 * MIB * pow(64, random_uniform(source)),
            .lifetime = lifetime,
            .life = life,
            .batch = batch,
        };
    }
}
