// SPDX-License-Identifier: MIT
// Memory outside the heap: anonymous mappings that nobody gives back, 4 MiB a second.
#include "soak.h"

#include <sys/mman.h>

#define MAPPING_BYTES (256 * 1024)

int main(int argc, char **argv)
{
    struct soak *soak = soak_begin(argc, argv);
    do {
        if (soak->steps_count % 3 == 0) {
            soak_touch(mmap(NULL, MAPPING_BYTES, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
                       MAPPING_BYTES);
        }
    } while (soak_step(soak));
    return 0;
}
