// SPDX-License-Identifier: MIT
// Runs made by hand: dumps, stacks and named frames for the tests of everything that comes after
// ingest and symbolize. Not installed, knows no files.
#pragma once

#include "model/rules.h"
#include "model/run.h"
#include "model/symbols.h"

struct test_world;

struct test_world *test_world_new(void);
void test_world_free(struct test_world *world);
HR_DEFINE_AUTO(test_world, test_world_free)

// Adds a stack of functions, innermost first, separated by '<' ("malloc<app_open<main"); returns
// its id. The module of a function stands before a '!' ("libc.so.6!qsort"), its file behind '@'
// ("open@src/a.rs"). Functions called "?" stay unnamed. The empty text is a stack without frames.
uint32_t test_world_stack(struct test_world *world, const char *functions);

struct test_row {
    uint32_t stack;
    uint64_t objects;
    uint64_t bytes;
};

// Adds a dump; rows may come in any order. Sums are computed as ingest does. Returns it for changes
// (kind, note, file); valid until the next dump is added.
struct hr_dump *test_world_dump(struct test_world *world, double taken_at_s,
                                uint64_t interval_bytes, const struct test_row *rows,
                                size_t rows_count);

// The same for whole rows, kept as they are: they must live as long as the world and be in the
// order of their stacks.
struct hr_dump *test_world_dump_rows(struct test_world *world, double taken_at_s,
                                     uint64_t interval_bytes, const struct hr_row *rows,
                                     size_t rows_count);

struct hr_run *test_world_run(struct test_world *world);

// Symbols of all stacks added so far.
const struct hr_symbols *test_world_symbols(struct test_world *world);

// Rules: malloc* is allocator, std::* runtime, what lies in lib* library, all else app; the
// thresholds as they are by default.
const struct hr_rules *test_world_rules(struct test_world *world);
