// SPDX-License-Identifier: MIT
// From a world to its findings, as the program gets there.
#pragma once

#include "analysis/findings.h"
#include "world.h"

// Findings of all dumps so far, in the run's arena; the choice must be possible. `limit_bytes` is
// that of the process, NAN without one; `diagnostics` may be NULL.
const struct hr_findings *test_analyse(struct test_world *world, double limit_bytes,
                                       struct hr_diagnostics *diagnostics);
