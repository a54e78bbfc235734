// SPDX-License-Identifier: MIT
// Two threads that allocate and free without end under a prefixed jemalloc, until they are killed;
// the memory that they hold stays the same.
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

void *_rjem_malloc(size_t size);
void _rjem_free(void *memory);

__attribute__((noinline)) static void *take(size_t size)
{
    return _rjem_malloc(size);
}

static void *work(void *unused)
{
    for (unsigned i = 0;; i++) {
        const size_t size = 100 + i % 40000;
        char *page = take(size);
        memset(page, 1, size);
        _rjem_free(page);
        if (i % 64 == 0) {
            usleep(100);
        }
    }
    return unused;
}

int main(void)
{
    pthread_t threads[2];
    for (size_t i = 0; i < 2; i++) {
        pthread_create(&threads[i], NULL, work, NULL);
    }
    puts("working");
    fflush(stdout);
    pause();
    return 0;
}
