// SPDX-License-Identifier: MIT
// The C library's own malloc grows beside the linked jemalloc, which sees nothing of it.
#include "soak.h"

#define OBJECT_BYTES 2000

void *__libc_malloc(size_t size);

int main(int argc, char **argv)
{
    struct soak *soak = soak_begin(argc, argv);
    do {
        for (int i = 0; i < 40; i++) {
            soak_touch(__libc_malloc(OBJECT_BYTES), OBJECT_BYTES);
        }
    } while (soak_step(soak));
    return 0;
}
