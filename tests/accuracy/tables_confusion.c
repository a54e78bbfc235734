// SPDX-License-Identifier: MIT
// What each truth is called.
#include "sites.h"
#include "tables.h"
#include "trial.h"

#include <stdio.h>

#define SHAPES_COUNT (HR_SHAPE_FLAT + 1)

static const char *const SHAPE_NAMES[SHAPES_COUNT] = {
    [HR_SHAPE_UNKNOWN] = "unknown",     [HR_SHAPE_LINEAR] = "linear",
    [HR_SHAPE_STEP] = "step",           [HR_SHAPE_PLATEAU] = "plateau",
    [HR_SHAPE_SAWTOOTH] = "sawtooth",   [HR_SHAPE_BURST] = "burst",
    [HR_SHAPE_SHRINKING] = "shrinking", [HR_SHAPE_FLAT] = "flat",
};

static const struct {
    const char *name;
    enum truth_shape shape;
    double moment;
} SHAPES[] = {
    {"steady", TRUTH_STEADY, 0},
    {"leak", TRUTH_LEAK, 0},
    {"step", TRUTH_STEP, 0.5},
    {"warm-up", TRUTH_WARMUP, 0.15},
    {"cache full at 60 %", TRUTH_CACHE, 0.6},
    {"sawtooth", TRUTH_SAWTOOTH, 0},
    {"burst", TRUTH_BURST, 0.5},
};

void table_shapes(unsigned runs, uint64_t seed)
{
    static struct truth_site sites[1];
    printf("## Shapes\n\n"
           "What a heap of one place is called: 16 MiB of churn (lifetime 10 %%) and a movement of "
           "128 MiB, 80 dumps, R = 512 "
           "KiB, %u runs each, in percent.\n\n| truth |",
           runs);
    for (int k = 1; k < SHAPES_COUNT; k++) {
        printf(" %s |", SHAPE_NAMES[k]);
    }
    printf(" unknown |\n|---|");
    for (int k = 0; k < SHAPES_COUNT; k++) {
        printf("--:|");
    }
    puts("");
    for (size_t s = 0; s < sizeof SHAPES / sizeof *SHAPES; s++) {
        unsigned counts[SHAPES_COUNT] = {0};
        for (unsigned i = 0; i < runs; i++) {
            struct random_source source = {seed + s * 1000003 + i};
            sites[0] = (struct truth_site){.size_bytes = 320,
                                           .mean_bytes = 16 * MIB,
                                           .lifetime = 0.1,
                                           .batch = 1,
                                           .shape = SHAPES[s].shape,
                                           .growth_bytes = 128 * MIB,
                                           .moment = SHAPES[s].moment};
            if (SHAPES[s].shape == TRUTH_STEADY) {
                sites[0].growth_bytes = 0;
            }
            const struct truth_run truth = {sites, 1, 80, 1 << 19, TIMES_EVEN, 86400, false};
            counts[trial_run(&source, &truth, NULL).total_shape]++;
        }
        printf("| %s |", SHAPES[s].name);
        for (int k = 1; k <= SHAPES_COUNT; k++) {
            printf(" %.0f |", 100.0 * counts[k % SHAPES_COUNT] / runs);
        }
        puts("");
        fflush(stdout);
    }
    puts("");
}

static const char *const CLASS_NAMES[HR_CLASSES_COUNT] = {
    [HR_CLASS_NO_GROWTH] = "no_growth",       [HR_CLASS_HEAP_GROWTH] = "heap_growth",
    [HR_CLASS_BOUNDED_GROWTH] = "bounded",    [HR_CLASS_ALLOCATOR_RETENTION] = "retention",
    [HR_CLASS_OUTSIDE_HEAP] = "outside",      [HR_CLASS_FILE_BACKED] = "file",
    [HR_CLASS_INCONCLUSIVE] = "inconclusive",
};

static const struct {
    const char *name;
    enum truth_shape shape;
    double growth_mib;
    struct planted_evidence evidence;
} CLASSES[] = {
    {"nothing grows", TRUTH_STEADY, 0, {0, 0}},
    {"leak of 16 MiB", TRUTH_LEAK, 16, {0, 0}},
    {"leak of 64 MiB", TRUTH_LEAK, 64, {0, 0}},
    {"warm-up of 64 MiB", TRUTH_WARMUP, 64, {0, 0}},
    {"step of 64 MiB", TRUTH_STEP, 64, {0, 0}},
    {"sawtooth of 64 MiB", TRUTH_SAWTOOTH, 64, {0, 0}},
    {"retention of 64 MiB", TRUTH_STEADY, 0, {64 * MIB, 0}},
    {"64 MiB outside the heap", TRUTH_STEADY, 0, {0, 64 * MIB}},
};

void table_classes(unsigned runs, uint64_t seed)
{
    static struct truth_site sites[SITES_MAX];
    printf("## Classes\n\n"
           "What the verdict says, with allocated, resident and anonymous memory measured beside "
           "40 dumps; 50 places, %u runs each, in "
           "percent.\n\n| truth |",
           runs);
    for (int c = 0; c < HR_CLASSES_COUNT; c++) {
        printf(" %s |", CLASS_NAMES[c]);
    }
    printf("\n|---|");
    for (int c = 0; c < HR_CLASSES_COUNT; c++) {
        printf("--:|");
    }
    puts("");
    for (size_t s = 0; s < sizeof CLASSES / sizeof *CLASSES; s++) {
        unsigned counts[HR_CLASSES_COUNT] = {0};
        for (unsigned i = 0; i < runs; i++) {
            struct random_source source = {seed + 13 + s * 1000003 + i};
            sites_steady(&source, sites, 50, LIFE_EXPONENTIAL, 0.1, 1);
            sites[0].size_bytes = 320;
            sites[0].large_bytes = 0;
            sites[0].shape = CLASSES[s].shape;
            sites[0].growth_bytes = CLASSES[s].growth_mib * MIB;
            sites[0].moment = CLASSES[s].shape == TRUTH_STEP ? 0.5 : 0.1;
            const struct truth_run truth = {sites, 50, 40, 1 << 19, TIMES_EVEN, 86400, false};
            counts[trial_run(&source, &truth, &CLASSES[s].evidence).class]++;
        }
        printf("| %s |", CLASSES[s].name);
        for (int c = 0; c < HR_CLASSES_COUNT; c++) {
            printf(" %.0f |", 100.0 * counts[c] / runs);
        }
        puts("");
        fflush(stdout);
    }
    puts("");
}
