// SPDX-License-Identifier: MIT
// Leaks at a rate that its code tells to the byte, and dumps in step with it: one step stands for
// one second, and each dump gets the time of its step. So a busy machine cannot change the truth.
//
//   known-leak DIR     (jemalloc's prof settings come from MALLOC_CONF)
#include <fcntl.h>
#include <jemalloc/jemalloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define STEPS 60
#define START_S 1700000000
#define LEAKS_PER_STEP 1000
#define LEAK_BYTES 2048 // a size class of its own: 2,048,000 bytes a step
#define CHURN_OBJECTS 4000
#define CHURN_BYTES 4096
#define CHURN_PER_STEP 1000

struct kept {
    struct kept *next;
    char payload[LEAK_BYTES - sizeof(struct kept *)];
};

__attribute__((noinline)) static void leak(struct kept **all)
{
    struct kept *kept = malloc(sizeof *kept);
    if (!kept) {
        abort();
    }
    kept->next = *all;
    *all = kept;
}

__attribute__((noinline)) static void churn(void **objects, unsigned *next)
{
    for (int i = 0; i < CHURN_PER_STEP; i++) {
        void **place = &objects[(*next)++ % CHURN_OBJECTS];
        free(*place);
        *place = malloc(CHURN_BYTES);
    }
}

static int dump(const char *directory, int step)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/leak.%d.%d.m%d.heap", directory, (int)getpid(), step, step);
    const char *name = path;
    if (mallctl("prof.dump", NULL, NULL, &name, sizeof name) != 0) {
        return 1;
    }
    const struct timespec times[] = {{.tv_sec = START_S + step}, {.tv_sec = START_S + step}};
    return utimensat(AT_FDCWD, path, times, 0);
}

int main(int argc, char **argv)
{
    static void *objects[CHURN_OBJECTS];
    struct kept *all = NULL;
    unsigned next = 0;
    if (argc != 2) {
        return 2;
    }
    for (int step = 0; step < STEPS; step++) {
        for (int i = 0; i < LEAKS_PER_STEP; i++) {
            leak(&all);
        }
        churn(objects, &next);
        if (dump(argv[1], step) != 0) {
            perror("known-leak");
            return 1;
        }
    }
    return 0;
}
