// SPDX-License-Identifier: MIT
// The tables of docs/accuracy.md, each with its sentence, on standard output. The seed moves every
// run of a table: another seed is another sample of the same truths.
#pragma once

#include <stdint.h>

void table_no_leak(unsigned runs, uint64_t seed);
void table_other_shapes(unsigned runs, uint64_t seed);
void table_detection(unsigned runs, uint64_t seed);
void table_pair_against_trend(unsigned runs, uint64_t seed);
void table_clustered_births(unsigned runs, uint64_t seed);
void table_detectable(unsigned runs, uint64_t seed);
void table_snapshot_coverage(unsigned runs, uint64_t seed);
void table_difference_coverage(unsigned runs, uint64_t seed);
void table_trend_coverage(unsigned runs, uint64_t seed);
void table_shapes(unsigned runs, uint64_t seed);
void table_classes(unsigned runs, uint64_t seed);
