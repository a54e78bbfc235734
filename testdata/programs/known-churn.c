// SPDX-License-Identifier: MIT
// Allocates as much in each step as its code tells to the byte, most of it freed again, in threads
// with a name and without one. One step stands for one second, and each dump gets the time of its
// step.
//
//   known-churn DIR     (jemalloc's prof settings come from MALLOC_CONF)
#include <fcntl.h>
#include <jemalloc/jemalloc.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define STEPS 12
#define START_S 1700000000
#define PARSED_PER_STEP 2000
#define PARSED_BYTES 4096 // a size class of its own: 8,192,000 bytes a step, all freed
#define KEPT_PER_STEP 500
#define KEPT_BYTES 2048 // 1,024,000 bytes a step, none freed
#define WORKERS 3       // two are called "worker", one has no name

struct kept {
    struct kept *next;
    char payload[KEPT_BYTES - sizeof(struct kept *)];
};

static pthread_barrier_t barrier;

__attribute__((noinline)) static void parse(void)
{
    for (int i = 0; i < PARSED_PER_STEP; i++) {
        void *volatile text = malloc(PARSED_BYTES);
        free(text);
    }
}

__attribute__((noinline)) static void keep(struct kept **all)
{
    for (int i = 0; i < KEPT_PER_STEP; i++) {
        struct kept *kept = malloc(sizeof *kept);
        if (!kept) {
            abort();
        }
        kept->next = *all;
        *all = kept;
    }
}

static void call_thread(const char *name)
{
    if (mallctl("thread.prof.name", NULL, NULL, &name, sizeof name) != 0) {
        abort();
    }
}

// Each step is parsed by all workers; the nameless one keeps some, too.
static void *work(void *argument)
{
    struct kept *all = NULL;
    const int number = *(const int *)argument;
    if (number > 0) {
        call_thread("worker");
    }
    for (int step = 0; step < STEPS; step++) {
        parse();
        if (number == 0) {
            keep(&all);
        }
        pthread_barrier_wait(&barrier);
        pthread_barrier_wait(&barrier); // while the dump is written
    }
    return all;
}

static int dump(const char *directory, int step)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/churn.%d.%d.m%d.heap", directory, (int)getpid(), step, step);
    const char *name = path;
    if (mallctl("prof.dump", NULL, NULL, &name, sizeof name) != 0) {
        return 1;
    }
    const struct timespec times[] = {{.tv_sec = START_S + step}, {.tv_sec = START_S + step}};
    return utimensat(AT_FDCWD, path, times, 0);
}

int main(int argc, char **argv)
{
    pthread_t threads[WORKERS];
    int numbers[WORKERS];
    if (argc != 2) {
        return 2;
    }
    call_thread("main loop");
    pthread_barrier_init(&barrier, NULL, WORKERS + 1);
    for (int i = 0; i < WORKERS; i++) {
        numbers[i] = i;
        pthread_create(&threads[i], NULL, work, &numbers[i]);
    }
    for (int step = 0; step < STEPS; step++) {
        pthread_barrier_wait(&barrier);
        if (dump(argv[1], step) != 0) {
            perror("known-churn");
            return 1;
        }
        pthread_barrier_wait(&barrier);
    }
    for (int i = 0; i < WORKERS; i++) {
        pthread_join(threads[i], NULL);
    }
    return 0;
}
