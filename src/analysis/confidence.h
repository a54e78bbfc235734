// SPDX-License-Identifier: MIT
// How far the verdict can be trusted, and why. Method 5. Changes no class.
#pragma once

#include "analysis/classes.h"

// Fills the verdict's confidence and its reasons, the weightiest first.
void hr_confidence_compute(const struct hr_run *run, const struct hr_symbols *symbols,
                           const struct hr_rules *rules, const struct hr_findings *findings,
                           const struct hr_facts *facts, const struct hr_decision *decision,
                           const struct hr_diagnostics *diagnostics, struct hr_verdict *verdict);
