// SPDX-License-Identifier: MIT
// The tables of docs/accuracy.md, each with its sentence, on standard output.
#pragma once

void table_no_leak(unsigned runs);
void table_other_shapes(unsigned runs);
void table_detection(unsigned runs);
void table_pair_against_trend(unsigned runs);
void table_detectable(unsigned runs);
void table_snapshot_coverage(unsigned runs);
void table_difference_coverage(unsigned runs);
void table_trend_coverage(unsigned runs);
void table_shapes(unsigned runs);
void table_classes(unsigned runs);
