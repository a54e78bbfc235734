// SPDX-License-Identifier: MIT
// Writes docs/accuracy.md: how often the analysis is right about truths that were planted. Fixed
// seeds: the same tables on every machine.
//
//   accuracy [--runs N]                 the tables, on standard output
#include "tables.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RUNS_DEFAULT 1000

int main(int argc, char **argv)
{
    unsigned runs = RUNS_DEFAULT;
    if (argc == 3 && strcmp(argv[1], "--runs") == 0) {
        runs = (unsigned)strtoul(argv[2], NULL, 10);
    } else if (argc != 1) {
        fputs("usage: accuracy [--runs N]\n", stderr);
        return 2;
    }
    puts("# How accurate the numbers are\n\n"
         "Written by `tests/accuracy/accuracy` (part of `tests/full.sh`) from truths that it "
         "plants: sampled objects "
         "are born and die one by one, dumps are bent as jemalloc 5.3 bends them, and the analysis "
         "sees nothing else. "
         "The seeds are fixed. An aim that is missed is printed as missed.\n");
    table_no_leak(runs);
    table_other_shapes(runs / 5);
    table_detection(runs / 5);
    table_pair_against_trend(runs / 20);
    table_detectable(runs / 5);
    table_snapshot_coverage(runs);
    table_difference_coverage(runs);
    table_trend_coverage(runs / 5);
    table_shapes(runs / 5);
    table_classes(runs / 5);
    return 0;
}
