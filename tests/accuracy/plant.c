// SPDX-License-Identifier: MIT
// Writes a planted truth as files: a directory of dumps as jemalloc would have written them, with
// their file times, and the record of what was measured beside them. So the whole program can be
// run on what is known.
//
//   plant DIR TRUTH [LG_RATE [DUMPS [SEED]]]
#include "sites.h"
#include "trial.h"

#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define PLACES 50
#define WINDOW_S 86400
#define PID 4711

static const struct planted {
    const char *name;
    enum truth_shape shape;
    double growth_mib;
    double moment;
    struct planted_evidence evidence;
} TRUTHS[] = {
    {"steady", TRUTH_STEADY, 0, 0, {0, 0}},
    {"leak", TRUTH_LEAK, 64, 0, {0, 0}},
    {"step", TRUTH_STEP, 64, 0.5, {0, 0}},
    {"warm-up", TRUTH_WARMUP, 64, 0.1, {0, 0}},
    {"cache", TRUTH_CACHE, 64, 0.3, {0, 0}},
    {"sawtooth", TRUTH_SAWTOOTH, 64, 0, {0, 0}},
    {"burst", TRUTH_BURST, 64, 0.5, {0, 0}},
    {"retention", TRUTH_STEADY, 0, 0, {64 * MIB, 0}},
    {"outside", TRUTH_STEADY, 0, 0, {0, 64 * MIB}},
};

static const struct planted *find_truth(const char *name)
{
    for (size_t i = 0; i < sizeof TRUTHS / sizeof *TRUTHS; i++) {
        if (strcmp(TRUTHS[i].name, name) == 0) {
            return &TRUTHS[i];
        }
    }
    return NULL;
}

static void write_stack(FILE *file, const struct hr_run *run, const struct hr_row *row)
{
    const struct hr_stack stack = hr_stacks_get(run->stacks, row->stack);
    fputc('@', file);
    for (uint32_t i = 0; i < stack.depth; i++) {
        fprintf(file, " 0x%" PRIx64, hr_stacks_location_address(run->stacks, stack.locations[i]));
    }
    const char *threads[] = {"t*", "t0"};
    for (int i = 0; i < 2; i++) {
        fprintf(file, "\n  %s: %" PRIu64 ": %" PRIu64 " [%" PRIu64 ": %" PRIu64 "]", threads[i],
                row->objects, row->bytes, row->accum_objects, row->accum_bytes);
    }
    fputc('\n', file);
}

static void write_dump(FILE *file, const struct hr_run *run, const struct hr_dump *dump)
{
    struct hr_row sum = {0};
    for (uint32_t r = 0; r < dump->rows_count; r++) {
        sum.accum_objects += dump->rows[r].accum_objects;
        sum.accum_bytes += dump->rows[r].accum_bytes;
    }
    fprintf(file,
            "heap_v2/%" PRIu64 "\n  t*: %" PRIu64 ": %" PRIu64 " [%" PRIu64 ": %" PRIu64 "]\n",
            dump->sample_interval_bytes, dump->header_objects, dump->header_bytes,
            sum.accum_objects, sum.accum_bytes);
    for (uint32_t r = 0; r < dump->rows_count; r++) {
        write_stack(file, run, &dump->rows[r]);
    }
    fputs("\nMAPPED_LIBRARIES:\n00001000-00100000 r-xp 00000000 00:00 0 /srv/bin/planted\n", file);
}

static bool close_at(FILE *file, const char *path, double time_s)
{
    const struct timespec time = {(time_t)floor(time_s),
                                  (long)((time_s - floor(time_s)) * 999999999)};
    const struct timespec times[] = {time, time};
    return fclose(file) == 0 && utimensat(AT_FDCWD, path, times, 0) == 0;
}

static bool write_dumps(const char *directory, const struct hr_run *run)
{
    for (size_t d = 0; d < run->dumps_count; d++) {
        g_autofree char *path =
            g_strdup_printf("%s/planted.%d.%zu.i%zu.heap", directory, PID, d, d);
        FILE *file = fopen(path, "w");
        if (!file) {
            return false;
        }
        write_dump(file, run, &run->dumps[d]);
        if (!close_at(file, path, run->dumps[d].taken_at_s)) {
            return false;
        }
    }
    return true;
}

static bool write_record(const char *directory, const struct hr_run *run)
{
    g_autofree char *path = g_strdup_printf("%s/heapreport-record.%d.jsonl", directory, PID);
    FILE *file = fopen(path, "w");
    if (!file) {
        return false;
    }
    const struct hr_evidence_series *series = run->evidence.series;
    const struct hr_evidence_series *anonymous = &series[HR_EVIDENCE_ANONYMOUS];
    for (size_t i = 0; i < anonymous->count; i++) {
        fprintf(file,
                "{\"schema\":\"heapreport-record\",\"schema_version\":1,\"time_s\":%.3f,"
                "\"pid\":%d,\"smaps_rollup\":{\"anonymous_bytes\":%.0f},\"allocator\":"
                "{\"allocated_bytes\":%.0f,\"resident_bytes\":%.0f}}\n",
                anonymous->time_s[i], PID, anonymous->value[i],
                series[HR_EVIDENCE_ALLOCATED].value[i], series[HR_EVIDENCE_RESIDENT].value[i]);
    }
    return fclose(file) == 0;
}

static bool plant(const char *directory, const struct planted *planted, unsigned lg_rate,
                  size_t dumps, uint64_t seed)
{
    static struct truth_site sites[PLACES];
    struct random_source source = {seed};
    sites_steady(&source, sites, PLACES, LIFE_EXPONENTIAL, 0.1, 1);
    sites[0].size_bytes = 320;
    sites[0].large_bytes = 0;
    sites[0].shape = planted->shape;
    sites[0].growth_bytes = planted->growth_mib * MIB;
    sites[0].moment = planted->moment;
    const struct truth_run truth = {sites,      PLACES,   dumps, (uint64_t)1 << lg_rate,
                                    TIMES_EVEN, WINDOW_S, true};
    HR_AUTO(test_world) world = trial_plant(&source, &truth, &planted->evidence);
    const struct hr_run *run = test_world_run(world);
    return write_dumps(directory, run) && write_record(directory, run);
}

int main(int argc, char **argv)
{
    const struct planted *planted = argc > 2 ? find_truth(argv[2]) : NULL;
    const unsigned lg_rate = argc > 3 ? (unsigned)strtoul(argv[3], NULL, 10) : 19;
    const size_t dumps = argc > 4 ? strtoul(argv[4], NULL, 10) : 40;
    if (!planted || lg_rate > 30 || dumps < 2) {
        fputs("usage: plant DIR TRUTH [LG_RATE [DUMPS [SEED]]], TRUTH one of:", stderr);
        for (size_t i = 0; i < sizeof TRUTHS / sizeof *TRUTHS; i++) {
            fprintf(stderr, " %s", TRUTHS[i].name);
        }
        fputc('\n', stderr);
        return 2;
    }
    if (mkdir(argv[1], 0755) != 0 ||
        !plant(argv[1], planted, lg_rate, dumps, argc > 5 ? strtoull(argv[5], NULL, 10) : 1)) {
        perror(argv[1]);
        return 1;
    }
    return 0;
}
