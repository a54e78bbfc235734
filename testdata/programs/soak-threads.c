// SPDX-License-Identifier: MIT
// Threads are started, use half a megabyte of their stack, and never end.
#include "soak.h"

#include <alloca.h>
#include <pthread.h>
#include <unistd.h>

#define STACK_BYTES_USED (512 * 1024)

static void *wait_for_ever(void *unused)
{
    (void)unused;
    volatile char *used = alloca(STACK_BYTES_USED);
    for (size_t i = 0; i < STACK_BYTES_USED; i += 1024) {
        used[i] = 1;
    }
    for (;;) {
        pause();
    }
    return NULL;
}

int main(int argc, char **argv)
{
    struct soak *soak = soak_begin(argc, argv);
    do {
        pthread_t thread;
        if (soak->steps_count % 6 == 0 && pthread_create(&thread, NULL, wait_for_ever, NULL) != 0) {
            abort();
        }
    } while (soak_step(soak));
    return 0;
}
