// SPDX-License-Identifier: MIT
// Profiling is switched on late (prof_active:false at the start): a third of the time is over, and
// the growth that began with the program is only in part in the dumps.
#include "soak.h"

SOAK_NOINLINE static void *record_append(void *previous)
{
    void **record = soak_touch(malloc(2000), 2000);
    *record = previous;
    return record;
}

int main(int argc, char **argv)
{
    struct soak *soak = soak_begin(argc, argv);
    void *records = NULL;
    bool active = false;
    do {
        if (!active && soak_elapsed_s(soak) > soak->seconds / 3) {
            active = true;
            mallctl("prof.active", NULL, NULL, &active, sizeof active);
        }
        for (int i = 0; i < 40; i++) {
            records = record_append(records);
        }
    } while (soak_step(soak));
    return records == NULL;
}
