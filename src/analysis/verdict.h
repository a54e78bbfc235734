// SPDX-License-Identifier: MIT
// From findings and evidence to the verdict: aligned evidence, parts, rules, balance, next steps.
// Methods 4 and 5. The last step of hr_findings_compute(): it reads what the findings hold already
// and fills verdict, balance, forecast and totals.coverage_ratio.
#pragma once

#include "analysis/findings.h"

void hr_verdict_compute(struct hr_arena *arena, const struct hr_run *run,
                        const struct hr_symbols *symbols, const struct hr_rules *rules,
                        const struct hr_analysis_options *options, struct hr_findings *findings,
                        struct hr_diagnostics *diagnostics);
