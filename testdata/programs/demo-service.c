// SPDX-License-Identifier: MIT
// A small service with a memory problem, for the demo and for the tests' dumps. Several threads
// handle requests: each makes short-lived buffers (churn), fills a cache that has a limit, and now
// and then opens a session that nobody closes (the leak). It ends by itself and frees all it holds,
// as a tidy service does, so that the dump at exit says nothing of what it held under load.
//
//   demo-service [--seconds N] [--leak BYTES_PER_S] [--counters FILE]
//
// With --counters it keeps jemalloc's counters in FILE, ten times a second, for whoever asks.
#include <jemalloc/jemalloc.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define WORKERS_COUNT 4
#define REQUESTS_PER_S 150 // of one worker
#define SESSION_BYTES 6000
#define CACHE_ENTRIES 2400
#define CACHE_ENTRY_BYTES 5000
#define COUNTERS_PER_S 10

#define NOINLINE __attribute__((noinline))

struct session {
    struct session *next;
    char token[SESSION_BYTES];
};

struct cache {
    pthread_mutex_t lock;
    char *entries[CACHE_ENTRIES];
    size_t inserted_count;
};

struct service {
    double seconds;
    double leak_bytes_per_s;
    const char *counters_file;
    struct cache cache;
    _Atomic(struct session *) sessions; // nobody ever closes one: here is the leak
    atomic_bool stopping;
};

static void sleep_s(double s)
{
    const struct timespec time = {(time_t)s, (long)((s - (double)(time_t)s) * 1e9)};
    nanosleep(&time, NULL);
}

static double now_s(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void *xmalloc(size_t size)
{
    void *memory = malloc(size);
    if (!memory) {
        abort();
    }
    memset(memory, 0x5a, size);
    return memory;
}

NOINLINE static void session_open(struct service *service)
{
    struct session *session = xmalloc(sizeof *session);
    session->next = atomic_load(&service->sessions);
    while (!atomic_compare_exchange_weak(&service->sessions, &session->next, session)) {
    }
}

NOINLINE static void cache_insert(struct cache *cache)
{
    char *entry = xmalloc(CACHE_ENTRY_BYTES);
    pthread_mutex_lock(&cache->lock);
    char **place = &cache->entries[cache->inserted_count++ % CACHE_ENTRIES];
    free(*place);
    *place = entry;
    pthread_mutex_unlock(&cache->lock);
}

NOINLINE static void headers_parse(unsigned *seed)
{
    char *names[8];
    for (size_t i = 0; i < 8; i++) {
        names[i] = xmalloc(20 + rand_r(seed) % 200);
    }
    for (size_t i = 0; i < 8; i++) {
        free(names[i]);
    }
}

NOINLINE static unsigned response_render(unsigned *seed)
{
    const size_t size = 2000 + rand_r(seed) % 30000;
    unsigned char *body = xmalloc(size);
    unsigned sum = 0;
    for (size_t i = 0; i < size; i += 64) {
        sum += body[i];
    }
    free(body);
    return sum;
}

NOINLINE static unsigned page_load(struct service *service, unsigned *seed)
{
    cache_insert(&service->cache);
    return response_render(seed);
}

NOINLINE static void login_handle(struct service *service, unsigned *seed)
{
    headers_parse(seed);
    session_open(service);
}

NOINLINE static unsigned request_handle(struct service *service, unsigned *seed)
{
    headers_parse(seed);
    const unsigned sum = page_load(service, seed);
    const double logins_per_request =
        service->leak_bytes_per_s / SESSION_BYTES / (REQUESTS_PER_S * WORKERS_COUNT);
    if (rand_r(seed) < logins_per_request * RAND_MAX) {
        login_handle(service, seed);
    }
    return sum;
}

static void *worker_run(void *pointer)
{
    struct service *service = pointer;
    unsigned seed = 1;
    const double began_s = now_s();
    uint64_t handled = 0;
    while (!atomic_load(&service->stopping)) {
        const double due = (now_s() - began_s) * REQUESTS_PER_S;
        while ((double)handled < due) {
            (void)request_handle(service, &seed);
            handled++;
        }
        sleep_s(0.005);
    }
    return NULL;
}

static size_t counter(const char *name)
{
    size_t value = 0;
    size_t size = sizeof value;
    mallctl(name, &value, &size, NULL, 0);
    return value;
}

// A reader must never see half a file.
static void counters_write(const char *path)
{
    uint64_t epoch = 1;
    mallctl("epoch", NULL, NULL, &epoch, sizeof epoch);
    char beside[4096];
    snprintf(beside, sizeof beside, "%s.new", path);
    FILE *file = fopen(beside, "w");
    if (!file) {
        return;
    }
    fprintf(file,
            "{\"allocated\":%zu,\"active\":%zu,\"metadata\":%zu,\"resident\":%zu,"
            "\"mapped\":%zu,\"retained\":%zu}\n",
            counter("stats.allocated"), counter("stats.active"), counter("stats.metadata"),
            counter("stats.resident"), counter("stats.mapped"), counter("stats.retained"));
    fclose(file);
    rename(beside, path);
}

static void service_clear(struct service *service)
{
    for (size_t i = 0; i < CACHE_ENTRIES; i++) {
        free(service->cache.entries[i]);
    }
    struct session *next;
    for (struct session *session = atomic_load(&service->sessions); session; session = next) {
        next = session->next;
        free(session);
    }
}

static int parse(struct service *service, int argc, char **argv)
{
    for (int i = 1; i + 1 < argc; i += 2) {
        if (strcmp(argv[i], "--seconds") == 0) {
            service->seconds = strtod(argv[i + 1], NULL);
        } else if (strcmp(argv[i], "--leak") == 0) {
            service->leak_bytes_per_s = strtod(argv[i + 1], NULL);
        } else if (strcmp(argv[i], "--counters") == 0) {
            service->counters_file = argv[i + 1];
        } else {
            return -1;
        }
    }
    return argc % 2 == 1 ? 0 : -1;
}

int main(int argc, char **argv)
{
    static struct service service = {.seconds = 12, .leak_bytes_per_s = 1500e3};
    pthread_t workers[WORKERS_COUNT];
    if (parse(&service, argc, argv) != 0) {
        fprintf(stderr,
                "usage: demo-service [--seconds N] [--leak BYTES_PER_S] [--counters FILE]\n");
        return 2;
    }
    pthread_mutex_init(&service.cache.lock, NULL);
    const double end_s = now_s() + service.seconds;
    for (int i = 0; i < WORKERS_COUNT; i++) {
        pthread_create(&workers[i], NULL, worker_run, &service);
        pthread_setname_np(workers[i], "worker");
    }
    while (now_s() < end_s) {
        if (service.counters_file) {
            counters_write(service.counters_file);
        }
        sleep_s(1.0 / COUNTERS_PER_S);
    }
    atomic_store(&service.stopping, true);
    for (int i = 0; i < WORKERS_COUNT; i++) {
        pthread_join(workers[i], NULL);
    }
    service_clear(&service);
    return 0;
}
