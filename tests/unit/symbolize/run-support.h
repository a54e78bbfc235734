// SPDX-License-Identifier: MIT
// Runs for tests of symbolize/: made by hand, or from the stacks and the map of one dump file. Not
// the reader of dumps (ingest/), which this folder must not know.
#pragma once

#include "model/run.h"

// Appends one map line; lines must come by rising start.
void hr_test_add_mapping(struct hr_run *run, uint64_t start, uint64_t end, uint64_t offset,
                         const char *path, bool executable);

// Reads the "@" lines and the map of a dump. False when it cannot be read.
bool hr_test_read_dump(struct hr_run *run, const char *path);

// Adds this process's own map (/proc/self/maps).
bool hr_test_read_own_map(struct hr_run *run);
