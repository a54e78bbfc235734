// SPDX-License-Identifier: MIT
// Where nothing but measurements tells when a run began: the process may have been starting then.
#pragma once

#include "analysis/alignment.h"

// The time of the first measurement after the start of a process: where it holds at first less than
// a tenth of what it never falls below after the first tenth of the time, that tenth is its start.
// NAN where the gauge does not show a start.
double hr_startup_end_s(struct hr_gauge gauge);
