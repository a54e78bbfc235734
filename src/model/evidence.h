// SPDX-License-Identifier: MIT
// What was measured beside the dumps: series from /proc and from the allocator's own counters, over
// time.
#pragma once

#include "base/arena.h"

#include <stdbool.h>
#include <stdint.h>

// Exact quantities. Units are bytes but for HR_EVIDENCE_THREADS (a count).
enum hr_evidence_id {
    HR_EVIDENCE_ALLOCATED, // jemalloc stats.*
    HR_EVIDENCE_ACTIVE,
    HR_EVIDENCE_METADATA,
    HR_EVIDENCE_RESIDENT,
    HR_EVIDENCE_MAPPED,
    HR_EVIDENCE_RETAINED,
    HR_EVIDENCE_RSS, // /proc/PID
    HR_EVIDENCE_ANONYMOUS,
    HR_EVIDENCE_PRIVATE_DIRTY,
    HR_EVIDENCE_LAZY_FREE,
    HR_EVIDENCE_SWAP,
    HR_EVIDENCE_FILE, // Pss_File, or RssFile
    HR_EVIDENCE_SHMEM,
    HR_EVIDENCE_HUGE_PAGES, // AnonHugePages
    HR_EVIDENCE_THREAD_STACKS,
    HR_EVIDENCE_GLIBC_ARENAS,
    HR_EVIDENCE_THREADS,
    HR_EVIDENCE_CGROUP_CURRENT,
    HR_EVIDENCE_CGROUP_LIMIT,
    HR_EVIDENCE_CGROUP_FILE, // memory.stat: cache of files, of all processes of the group
    HR_EVIDENCE_COUNT,
};

// The id's name in the result ("private_dirty").
const char *hr_evidence_name(enum hr_evidence_id id);
// The id of that name; false when there is none.
bool hr_evidence_find_name(const char *name, enum hr_evidence_id *id);

struct hr_evidence_series {
    const char *source; // "smaps_rollup", "jemalloc stats"...; NULL when not measured
    size_t count;
    const double *time_s; // Unix time, rising
    const double *value;
};

struct hr_evidence_file {
    const char *file; // name below --dir, or path as given
    uint64_t size_bytes;
    const char *sha256; // of the content, unpacked; NULL when it cannot be read
};

// A small size class of the allocator: how much of its slabs is in use.
struct hr_bin {
    double size_bytes; // of its objects, the largest
    double used_count;
    double slots_count;
};

struct hr_evidence {
    struct hr_evidence_series series[HR_EVIDENCE_COUNT];
    const struct hr_bin *bins; // by rising size, of the newest statistics that have them
    size_t bins_count;
    const struct hr_evidence_file *files; // those that gave values, sorted by name
    size_t files_count;
    bool names_process; // some of it says that it was measured on the run's process
};

// True when at least one value of `id` was measured.
bool hr_evidence_has(const struct hr_evidence *evidence, enum hr_evidence_id id);

// First and last time over all series; NAN when nothing was measured.
double hr_evidence_first_time_s(const struct hr_evidence *evidence);
double hr_evidence_last_time_s(const struct hr_evidence *evidence);

// Whether anything was measured after `from_s` and before `to_s`.
bool hr_evidence_is_between(const struct hr_evidence *evidence, double from_s, double to_s);
