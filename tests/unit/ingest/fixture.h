// SPDX-License-Identifier: MIT
// A temporary directory of input files with set times, and a run read from it.
#pragma once

#include "ingest/ingest.h"

struct hr_fixture {
    char *directory;
    struct hr_source *source; // the directory
    struct hr_run *run;
    struct hr_diagnostics *diagnostics;
    struct hr_ingest_options options; // source set, all else at its default
};

void hr_fixture_init(struct hr_fixture *fixture);
// Removes the directory with all that is in it.
void hr_fixture_clear(struct hr_fixture *fixture);

// Writes a file; its time is 2026-12-01 21:00:00 UTC plus `time_s`.
void hr_fixture_add(struct hr_fixture *fixture, const char *name, const char *content,
                    double time_s);
void hr_fixture_add_bytes(struct hr_fixture *fixture, const char *name, const char *bytes,
                          size_t size, double time_s);
#define HR_FIXTURE_START_S 1796158800.0

// Finds and reads; `all_rows` wants the rows of every dump. Asserts success.
void hr_fixture_read(struct hr_fixture *fixture, bool all_rows);

unsigned hr_fixture_reports(const struct hr_fixture *fixture, enum hr_diagnostic_code code);

// Reads the evidence beside the dumps that hr_fixture_read() read. Of tables it knows `monitor`:
// timestamp, rss_mb and heap_mb (private_dirty), in MiB.
void hr_fixture_read_evidence(struct hr_fixture *fixture);

// A series as "time:value ...", the times after HR_FIXTURE_START_S; the caller frees it.
char *hr_fixture_series(const struct hr_run *run, enum hr_evidence_id id);
