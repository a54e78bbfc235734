// SPDX-License-Identifier: MIT
// The C library's own malloc grows beside the linked jemalloc, which sees nothing of it: in the
// first thread behind the break, in another one in an arena of its own.
#include "soak.h"

#define OBJECT_BYTES 2000

void *__libc_malloc(size_t size);

static void *grow_arena(void *pointer)
{
    const struct soak *soak = pointer;
    while (soak_elapsed_s(soak) < soak->seconds) {
        for (int i = 0; i < 20; i++) {
            soak_touch(__libc_malloc(OBJECT_BYTES), OBJECT_BYTES);
        }
        soak_sleep_s(1.0 / SOAK_STEPS_PER_S);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    struct soak *soak = soak_begin(argc, argv);
    pthread_t thread;
    if (pthread_create(&thread, NULL, grow_arena, soak) != 0) {
        abort();
    }
    do {
        for (int i = 0; i < 20; i++) {
            soak_touch(__libc_malloc(OBJECT_BYTES), OBJECT_BYTES);
        }
    } while (soak_step(soak));
    return 0;
}
