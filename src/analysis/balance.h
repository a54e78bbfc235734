// SPDX-License-Identifier: MIT
// The balance sheet: what the dumps, the allocator and the kernel each say of the same memory, and
// the rest that none of them explains. Judges nothing.
#pragma once

#include "analysis/facts.h"

// Fills findings->balance, one row for each quantity that was measured, in the order of the sheet.
void hr_balance_compute(struct hr_arena *arena, const struct hr_run *run,
                        const struct hr_facts *facts, struct hr_findings *findings);
