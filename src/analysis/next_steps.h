// SPDX-License-Identifier: MIT
// What to do next, worked out from this run: at most three steps, the most useful first.
#pragma once

#include "analysis/classes.h"

void hr_next_steps_compute(struct hr_arena *arena, const struct hr_run *run,
                           const struct hr_symbols *symbols, const struct hr_rules *rules,
                           const struct hr_findings *findings, const struct hr_facts *facts,
                           const struct hr_decision *decision, struct hr_verdict *verdict);
