// SPDX-License-Identifier: MIT
// What a report counts: what is live, or what was allocated since the process started, freed or
// not.
#pragma once

#include "model/dump.h"

#include <stdbool.h>

enum hr_metric { HR_METRIC_LIVE_BYTES, HR_METRIC_ALLOCATED_BYTES };

// The metric as it is called in the result ("live_bytes").
const char *hr_metric_name(enum hr_metric metric);

// Finds a metric by its name, or by what pprof calls it. False: there is none; *metric is as it
// was.
bool hr_metric_find(const char *name, enum hr_metric *metric);

// Puts a row that was read in the order of its metric: what is counted in `objects` and `bytes`,
// the other pair in its place. Twice is as it was.
struct hr_row hr_metric_order_row(enum hr_metric metric, struct hr_row row);
