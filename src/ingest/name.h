// SPDX-License-Identifier: MIT
// What the name of a dump file says. Names are read from the right, because a prefix may hold dots
// and digits; numbers are numbers (10 follows 9, 0001 equals 1). Touches no files.
#pragma once

#include "model/dump.h"

struct hr_dump_name {
    size_t prefix_length; // of the file name
    int64_t pid;          // -1: the name has none
    int64_t pid_namespace;
    bool has_sequence;
    uint64_t sequence;
    enum hr_dump_kind kind;
    double time_s;      // Unix time; NAN without one
    bool time_is_zoned; // false: a date and time without zone, read as UTC
};

// True for a name that ends in .heap, or in .heap and the suffix of a packed file.
bool hr_dump_name_looks_like(const char *name);

// Reads `<prefix>.<pid>.<seq>.<i|m|u><n>.heap`, `<prefix>.<pid>.<seq>.f.heap`, and both with a pid
// namespace before the pid. False for any other name.
bool hr_dump_name_read(const char *name, struct hr_dump_name *parsed);

// Reads a name that a program chose itself: the last time or number before the suffix orders it,
// what stands before that is the prefix. Always finds something: without time and number the whole
// name is the prefix.
void hr_dump_name_read_own(const char *name, struct hr_dump_name *parsed);
