// SPDX-License-Identifier: MIT
// A cache fills in the first third of the time and from then on replaces its entries.
#include "soak.h"

#define ENTRIES 8000
#define ENTRY_BYTES 3000

SOAK_NOINLINE static void cache_insert(void **entries, uint64_t inserted_count)
{
    void **place = &entries[inserted_count % ENTRIES];
    free(*place);
    *place = soak_touch(malloc(ENTRY_BYTES), ENTRY_BYTES);
}

int main(int argc, char **argv)
{
    static void *entries[ENTRIES];
    struct soak *soak = soak_begin(argc, argv);
    const double per_step = ENTRIES / (soak->seconds / 3 * SOAK_STEPS_PER_S);
    uint64_t inserted_count = 0;
    do {
        for (double i = 0; i < per_step; i++) {
            cache_insert(entries, inserted_count++);
        }
    } while (soak_step(soak));
    return 0;
}
