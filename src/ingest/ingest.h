// SPDX-License-Identifier: MIT
// The door of ingest: a directory becomes a run. Finding the dumps, reading them in two passes, and
// reading the evidence beside them are separate calls, because the choice of base and final
// (analysis/choice.h) lies between the passes. Knows no symbols and draws no conclusions.
#pragma once

#include "base/diagnostics.h"
#include "base/error.h"
#include "ingest/source.h"
#include "model/rules.h"
#include "model/run.h"

struct hr_ingest_options {
    const struct hr_source *source;    // --dir
    const struct hr_limits *limits;    // of other sources than that; NULL: the defaults
    int64_t pid;                       // --pid; -1: the run with the newest dump
    const char *const *evidence_paths; // --evidence, NULL-terminated, or NULL
    double since_s;                    // Unix time; NAN: no bound
    double until_s;
    unsigned every; // 1: all
    unsigned jobs;  // at least 1
    enum hr_metric metric;
};

// Lists the source, groups dumps by run, picks one and fills run->dumps in order with what the
// names and the file system say. Finding no dumps is no failure (dumps_count is 0, and a --pid is
// the key all the same, for the evidence); a directory that cannot be listed is.
bool hr_ingest_find(struct hr_run *run, const struct hr_ingest_options *options,
                    struct hr_diagnostics *diagnostics, GError **error);

// Makes a run of the one dump that is stored under that name in a directory. Its key is what the
// name says. Fails on what is no jemalloc dump; whether it can be used shows when it is read.
bool hr_ingest_find_one(struct hr_run *run, const struct hr_source *source, const char *file,
                        GError **error);

// Reads the totals of every usable dump, and the rows of those with wanted[i] set (NULL: of none)
// which have none yet. Sets note and used on what turns out unusable. The number of jobs never
// changes a result.
void hr_ingest_read_dumps(struct hr_run *run, const struct hr_ingest_options *options,
                          const bool *wanted, struct hr_diagnostics *diagnostics);

// Reads the evidence files in the directory (told by content) and those named by --evidence into
// run->evidence, and with their help settles the clock (run->time_axis).
void hr_ingest_read_evidence(struct hr_run *run, const struct hr_ingest_options *options,
                             const struct hr_rules *rules, struct hr_diagnostics *diagnostics);

// Hashes the two dumps that a report stands on.
void hr_ingest_hash_dumps(struct hr_run *run, const struct hr_ingest_options *options, size_t base,
                          size_t final);

// Reads what the threads have of each stack of the two dumps that a report stands on, and what they
// are called. That a dump does not tell it is reported, and leaves it without such rows.
void hr_ingest_read_threads(struct hr_run *run, const struct hr_ingest_options *options,
                            size_t base, size_t final, struct hr_diagnostics *diagnostics);

// Reports dumps that contradict themselves or their neighbours, so that bytes of them must be
// damaged, and marks them so, each once: what the threads of a stack have is not what its sum says
// (looked for in the chosen dumps, those that a report stands on, and in the others while they are
// small), or a stack changed one digit in one dump only. An index of no dump is fine. Returns
// whether a chosen one turned out damaged that was not known to be.
bool hr_ingest_cross_check(struct hr_run *run, const struct hr_ingest_options *options,
                           const size_t *chosen, size_t chosen_count,
                           struct hr_diagnostics *diagnostics);

// Reads the rule files of `data_dir`/templates/rules (and `frames_file`, whose rules go first;
// NULL: none) into `rules`; thresholds get their defaults. Fails with file and line on a rule that
// makes no sense.
bool hr_ingest_read_rules(struct hr_arena *arena, struct hr_rules *rules, const char *data_dir,
                          const char *frames_file, GError **error);
