// SPDX-License-Identifier: MIT
// What the small programs share that each do one thing to memory for some seconds, so that the
// verdict on their real dumps and real /proc files can be tested: pacing, a churn of short-lived
// objects that keeps dumps coming, and jemalloc's counters as JSON Lines.
//
//   <program> [--seconds N] [--counters FILE]
#pragma once

#include <jemalloc/jemalloc.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define SOAK_NOINLINE __attribute__((noinline))
#define SOAK_STEPS_PER_S 50
#define SOAK_COUNTS_PER_S 10
#define SOAK_CHURN_BYTES 4000
#define SOAK_CHURN_OBJECTS 1000 // 4 MB live, a hundredth of it replaced a step
#define SOAK_CHURN_PER_STEP 40  // 8 MB a second

struct soak {
    double seconds;
    const char *counters_file;
    double began_s;
    uint64_t steps_count;
    void *churn[SOAK_CHURN_OBJECTS];
    uint64_t churned_count;
};

static inline double soak_clock_s(clockid_t clock)
{
    struct timespec time;
    clock_gettime(clock, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static inline double soak_elapsed_s(const struct soak *soak)
{
    return soak_clock_s(CLOCK_MONOTONIC) - soak->began_s;
}

// Memory that was written to, so that the process really has it.
static inline void *soak_touch(void *memory, size_t size)
{
    if (!memory || memory == (void *)-1) {
        abort();
    }
    memset(memory, 0x5a, size);
    return memory;
}

static inline size_t soak_counter(const char *name)
{
    size_t value = 0;
    size_t size = sizeof value;
    mallctl(name, &value, &size, NULL, 0);
    return value;
}

static inline void soak_sleep_s(double s)
{
    const struct timespec wait = {(time_t)s, (long)((s - (double)(time_t)s) * 1e9)};
    nanosleep(&wait, NULL);
}

// A thread of its own: a burst must not keep the counters from being read.
static inline void *soak_count(void *counters)
{
    for (;;) {
        uint64_t epoch = 1;
        mallctl("epoch", NULL, NULL, &epoch, sizeof epoch);
        fprintf(counters,
                "{\"time_s\":%.3f,\"allocated\":%zu,\"active\":%zu,\"metadata\":%zu,"
                "\"resident\":%zu,\"mapped\":%zu,\"retained\":%zu}\n",
                soak_clock_s(CLOCK_REALTIME), soak_counter("stats.allocated"),
                soak_counter("stats.active"), soak_counter("stats.metadata"),
                soak_counter("stats.resident"), soak_counter("stats.mapped"),
                soak_counter("stats.retained"));
        fflush(counters);
        soak_sleep_s(1.0 / SOAK_COUNTS_PER_S);
    }
    return NULL;
}

SOAK_NOINLINE static void soak_churn(struct soak *soak)
{
    for (int i = 0; i < SOAK_CHURN_PER_STEP; i++) {
        void **place = &soak->churn[soak->churned_count++ % SOAK_CHURN_OBJECTS];
        free(*place);
        *place = soak_touch(malloc(SOAK_CHURN_BYTES), SOAK_CHURN_BYTES);
    }
}

// Dumps are written from now on, and not before: filling the churn is a warm-up, and on a busy
// machine it would be seen as one.
static inline void soak_dump_from_now(void)
{
    const char *prefix;
    size_t size = sizeof prefix;
    if (mallctl("opt.prof_prefix", &prefix, &size, NULL, 0) == 0) {
        mallctl("prof.prefix", NULL, NULL, &prefix, sizeof prefix);
    }
}

static inline void soak_dump_nothing_yet(void)
{
    const char *nowhere = "";
    mallctl("prof.prefix", NULL, NULL, &nowhere, sizeof nowhere);
}

static inline struct soak *soak_begin(int argc, char **argv)
{
    static struct soak soak = {.seconds = 6};
    soak_dump_nothing_yet();
    for (int i = 1; i + 1 < argc; i += 2) {
        if (strcmp(argv[i], "--seconds") == 0) {
            soak.seconds = strtod(argv[i + 1], NULL);
        } else if (strcmp(argv[i], "--counters") == 0) {
            soak.counters_file = argv[i + 1];
        }
    }
    for (int i = 0; i < SOAK_CHURN_OBJECTS; i++) {
        soak.churn[i] = soak_touch(malloc(SOAK_CHURN_BYTES), SOAK_CHURN_BYTES);
    }
    FILE *counters = soak.counters_file ? fopen(soak.counters_file, "w") : NULL;
    pthread_t thread;
    if (counters && pthread_create(&thread, NULL, soak_count, counters) != 0) {
        abort();
    }
    soak_dump_from_now();
    soak.began_s = soak_clock_s(CLOCK_MONOTONIC);
    return &soak;
}

// Ends the step: churns, waits for the next. False when the time is over.
static inline bool soak_step(struct soak *soak)
{
    soak_churn(soak);
    soak->steps_count++;
    const double ahead_s = (double)soak->steps_count / SOAK_STEPS_PER_S - soak_elapsed_s(soak);
    if (ahead_s > 0) {
        soak_sleep_s(ahead_s);
    }
    return soak_elapsed_s(soak) < soak->seconds;
}
