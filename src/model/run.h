// SPDX-License-Identifier: MIT
// A run: one process's dumps in order, their stacks and memory map, and the evidence beside them.
// Plain data, made by ingest/, const for all that comes after.
#pragma once

#include "base/arena.h"
#include "base/strings.h"
#include "model/dump.h"
#include "model/evidence.h"
#include "model/given.h"
#include "model/mapping.h"
#include "model/metric.h"
#include "model/stacks.h"

// Where the dumps' times come from.
enum hr_time_axis {
    HR_TIME_SEQUENCE, // no clock: only the order is known
    HR_TIME_MTIME,
    HR_TIME_NAME,
    HR_TIME_EVIDENCE,
    HR_TIME_INSIDE,
};

// One process by the names of its dumps: <prefix>.<pid_namespace>.<pid>.<seq>...
struct hr_run_key {
    const char *prefix;
    int64_t pid;           // -1: the names have none
    int64_t pid_namespace; // -1: the names have none
};

struct hr_other_run {
    struct hr_run_key key;
    size_t dumps_found;
    double first_time_s;
    double last_time_s;
};

// A thread of the process; ids count up and are never used again.
struct hr_thread {
    uint64_t id;
    const char *name; // NULL: the dumps have none
};

// How far the stacks of another run, whose dump is the base, could be told from addresses of this
// one. Shares are of the bytes live in both dumps.
struct hr_comparison {
    struct hr_run_key base_key;
    const char *base_binary;  // as given, NULL: none
    double by_offset_ratio;   // by the place in files that are the same in both runs
    double by_symbol_ratio;   // by function and source file, where some file is another
    double matched_ratio;     // both: the rest can only count as gone and new
    double found_again_ratio; // of the base's bytes: their stacks are in the final dump too
};

struct hr_run {
    struct hr_arena *arena; // owns all that hangs here but for the three tables
    struct hr_strings *strings;
    struct hr_stacks *stacks;

    const char *directory; // --dir as given
    struct hr_run_key key;
    const struct hr_other_run *other_runs;
    size_t other_runs_count;

    struct hr_dump *dumps; // of this run, by sequence; skipped ones among them
    size_t dumps_count;
    const struct hr_dump *foreign; // files that look like dumps and are none; used is false
    size_t foreign_count;
    enum hr_time_axis time_axis;
    bool accumulates;      // prof_accum was on in every dump
    enum hr_metric metric; // what rows count; totals of dumps are of live bytes all the same
    const struct hr_thread *threads; // that rows of threads name
    size_t threads_count;

    const struct hr_mapping *mappings; // by rising start, of all dumps read in full
    size_t mappings_count;
    struct hr_given_names given; // that the dumps brought along

    struct hr_evidence evidence;

    // NULL: all dumps are of one process. Else there are two, and the first is of another run.
    const struct hr_comparison *comparison;
};

// Makes an empty run with its arena and tables.
struct hr_run *hr_run_new(void);
void hr_run_free(struct hr_run *run);
HR_DEFINE_AUTO(hr_run, hr_run_free)

// True when rows count what was allocated since the one process started, so that each dump holds
// the samples of all before it.
bool hr_run_is_cumulative(const struct hr_run *run);

// False where the dump's rows have bytes and none of them is a thread's: who has them is unknown.
bool hr_dump_tells_threads(const struct hr_dump *dump);

// Number of dumps with `used` set.
size_t hr_run_used_count(const struct hr_run *run);

// The mapping that holds `address`, or NULL.
const struct hr_mapping *hr_run_find_mapping(const struct hr_run *run, uint64_t address);
