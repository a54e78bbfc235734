// SPDX-License-Identifier: MIT
// Writes docs/accuracy.md: how often the analysis is right about truths that were planted. Fixed
// seeds: the same tables on every machine.
//
//   accuracy [--runs N] [--seed N] [--table NAME]     the tables, or one, on standard output
#include "tables.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RUNS_DEFAULT 1000
// No constant of the analysis was chosen by looking at runs of this seed. Who changes one tries it
// with another (--seed), so that the document stays out of sample.
#define SEED_FRESH 770217000000

static const struct {
    const char *name;
    void (*print)(unsigned runs, uint64_t seed);
    unsigned share; // one in so many runs: what takes long, and what needs no more
} TABLES[] = {
    {"no-leak", table_no_leak, 1},
    {"other-shapes", table_other_shapes, 5},
    {"detection", table_detection, 5},
    {"pair-against-trend", table_pair_against_trend, 10},
    {"clustered-births", table_clustered_births, 1},
    {"detectable", table_detectable, 5},
    {"snapshot-coverage", table_snapshot_coverage, 1},
    {"difference-coverage", table_difference_coverage, 1},
    {"trend-coverage", table_trend_coverage, 1},
    {"shapes", table_shapes, 5},
    {"classes", table_classes, 5},
};
#define TABLES_COUNT (sizeof TABLES / sizeof *TABLES)

struct choices {
    unsigned runs;
    uint64_t seed;
    const char *table; // NULL: all
};

static int read_choices(int argc, char **argv, struct choices *choices)
{
    for (int i = 1; i < argc; i += 2) {
        if (i + 1 == argc) {
            return -1;
        }
        if (strcmp(argv[i], "--runs") == 0) {
            choices->runs = (unsigned)strtoul(argv[i + 1], NULL, 10);
        } else if (strcmp(argv[i], "--seed") == 0) {
            choices->seed = strtoull(argv[i + 1], NULL, 10);
        } else if (strcmp(argv[i], "--table") == 0) {
            choices->table = argv[i + 1];
        } else {
            return -1;
        }
    }
    return 0;
}

int main(int argc, char **argv)
{
    struct choices choices = {RUNS_DEFAULT, SEED_FRESH, NULL};
    if (read_choices(argc, argv, &choices) != 0) {
        fputs("usage: accuracy [--runs N] [--seed N] [--table NAME]\n", stderr);
        return 2;
    }
    if (!choices.table) {
        puts("# How accurate the numbers are\n\n"
             "Written by `tests/accuracy/write.sh` (part of `tests/full.sh`) from truths that it "
             "plants: sampled objects are born and die one by one, dumps are bent as jemalloc 5.3 "
             "bends them, and the analysis sees nothing else. The seed is fixed, and it is not "
             "one that any constant of the analysis was chosen with: these are figures out of "
             "sample. An aim that is missed is printed as missed.\n");
    }
    unsigned printed = 0;
    for (size_t t = 0; t < TABLES_COUNT; t++) {
        if (!choices.table || strcmp(choices.table, TABLES[t].name) == 0) {
            TABLES[t].print(choices.runs / TABLES[t].share, choices.seed + t * 1000000007);
            printed++;
        }
    }
    return printed > 0 ? 0 : 2;
}
