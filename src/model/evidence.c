// SPDX-License-Identifier: MIT
#include "model/evidence.h"

#include <math.h>
#include <string.h>

static const char *const NAMES[HR_EVIDENCE_COUNT] = {
    [HR_EVIDENCE_ALLOCATED] = "allocated",
    [HR_EVIDENCE_ACTIVE] = "active",
    [HR_EVIDENCE_METADATA] = "metadata",
    [HR_EVIDENCE_RESIDENT] = "resident",
    [HR_EVIDENCE_MAPPED] = "mapped",
    [HR_EVIDENCE_RETAINED] = "retained",
    [HR_EVIDENCE_RSS] = "rss",
    [HR_EVIDENCE_ANONYMOUS] = "anonymous",
    [HR_EVIDENCE_PRIVATE_DIRTY] = "private_dirty",
    [HR_EVIDENCE_LAZY_FREE] = "lazy_free",
    [HR_EVIDENCE_SWAP] = "swap",
    [HR_EVIDENCE_FILE] = "file",
    [HR_EVIDENCE_SHMEM] = "shmem",
    [HR_EVIDENCE_HUGE_PAGES] = "huge_pages",
    [HR_EVIDENCE_THREAD_STACKS] = "thread_stacks",
    [HR_EVIDENCE_GLIBC_ARENAS] = "glibc_arenas",
    [HR_EVIDENCE_THREADS] = "threads",
    [HR_EVIDENCE_CGROUP_CURRENT] = "cgroup_current",
    [HR_EVIDENCE_CGROUP_LIMIT] = "cgroup_limit",
    [HR_EVIDENCE_CGROUP_FILE] = "cgroup_file",
};

const char *hr_evidence_name(enum hr_evidence_id id)
{
    return NAMES[id];
}

bool hr_evidence_find_name(const char *name, enum hr_evidence_id *id)
{
    for (int i = 0; i < HR_EVIDENCE_COUNT; i++) {
        if (strcmp(NAMES[i], name) == 0) {
            *id = (enum hr_evidence_id)i;
            return true;
        }
    }
    return false;
}

bool hr_evidence_has(const struct hr_evidence *evidence, enum hr_evidence_id id)
{
    return evidence->series[id].count > 0;
}

double hr_evidence_first_time_s(const struct hr_evidence *evidence)
{
    double first = NAN;
    for (int id = 0; id < HR_EVIDENCE_COUNT; id++) {
        const struct hr_evidence_series *series = &evidence->series[id];
        if (series->count > 0) {
            first = fmin(first, series->time_s[0]);
        }
    }
    return first;
}

double hr_evidence_last_time_s(const struct hr_evidence *evidence)
{
    double last = NAN;
    for (int id = 0; id < HR_EVIDENCE_COUNT; id++) {
        const struct hr_evidence_series *series = &evidence->series[id];
        if (series->count > 0) {
            last = fmax(last, series->time_s[series->count - 1]);
        }
    }
    return last;
}

bool hr_evidence_is_between(const struct hr_evidence *evidence, double from_s, double to_s)
{
    for (int id = 0; id < HR_EVIDENCE_COUNT; id++) {
        const struct hr_evidence_series *series = &evidence->series[id];
        for (size_t i = 0; i < series->count; i++) {
            if (series->time_s[i] > from_s && series->time_s[i] < to_s) {
                return true;
            }
        }
    }
    return false;
}
