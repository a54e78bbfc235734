// SPDX-License-Identifier: MIT
// The heap profiles whose lines hold counts and stack together, as gperftools made them first:
//
//   heap profile: <n>: <b> [<N>: <B>] @ heapprofile       every allocation was counted (gperftools)
//   heap profile: <n>: <b> [<N>: <B>] @ heapz_v2/<R>      sampled, in tcmalloc
//   heap profile: <n>: <b> [<N>: <B>] @ heap_v2/<R>       sampled, in gperftools, mimalloc with
//                                                         profiling, jemalloc before 4; Chromium: R
//                                                         = 1
//     <n>: <b> [<N>: <B>] @ 0x<address> 0x<address> ...   n objects, b bytes live; N, B since start
//   (blank line)
//   MAPPED_LIBRARIES: and a memory map, as in a dump of jemalloc
//
// Samples are scaled line by line, as github.com/google/pprof does (legacy_profile.go); an object
// of x bytes was sampled with the probability of model/sample.h. A stack can have several lines, of
// different sizes. heap_reader.c reads the lines.
#pragma once

#include "model/dump.h"

#include <stdbool.h>
#include <stddef.h>

// True when `head` begins such a profile of a kind that is read; others (growth, Go) are foreign.
bool hr_one_line_recognise(const char *head, size_t size);

// The sampling interval behind the "@" of a header, as text that ends before `end`: 1 where all was
// counted. False when it is no such header. *has_births: whether N and B can differ from n and b.
bool hr_one_line_read_kind(const char *at, const char *end, uint64_t *interval_bytes,
                           bool *has_births);

// Adds a line to the row of its stack so that the row, scaled, is the sum of its scaled lines.
void hr_one_line_add(struct hr_row *row, const struct hr_row *line, uint64_t interval_bytes);
