// SPDX-License-Identifier: MIT
// When each dump was taken, from names and file times, and only where these make sense.
#pragma once

#include "ingest/process.h"

// Sets dumps[i].taken_at_s from `listed` (the same `count` dumps, in order) and returns where the
// times come from. File times are a clock where they rise with the order; the few that do not are
// replaced by a time between their neighbours (*replaced_count says how many). If most do not, or
// all lie within a second (a copy), there is no clock: all NAN.
enum hr_time_axis hr_clock_read(struct hr_dump *dumps, const struct hr_listed *listed, size_t count,
                                enum hr_process_order order, size_t *replaced_count);
