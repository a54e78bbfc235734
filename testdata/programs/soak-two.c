// SPDX-License-Identifier: MIT
// Two causes at once: mappings that nobody gives back, 6 MiB a second, and a live heap that grows
// by 2 MB a second.
#include "soak.h"

#include <sys/mman.h>

#define MAPPING_BYTES (256 * 1024)

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
    do {
        for (int i = 0; i < 20; i++) {
            records = record_append(records);
        }
        if (soak->steps_count % 2 == 0) {
            soak_touch(mmap(NULL, MAPPING_BYTES, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
                       MAPPING_BYTES);
        }
    } while (soak_step(soak));
    return records == NULL;
}
