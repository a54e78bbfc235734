// SPDX-License-Identifier: MIT
// Which unit each address asked lies in, and by which of the unit's ranges: the first that holds it
// and starts in code. What else a unit says of the address is held against that range.
#pragma once

#include "symbolize/code.h"
#include "symbolize/lookup.h"

#define HR_NO_UNIT UINT32_MAX

struct hr_claim {
    uint32_t unit;
    struct hr_range range; // without a unit: the section of code that the address lies in
};

// One for each of lookup->vaddrs, without a unit; g_free().
struct hr_claim *hr_claims_new(const struct hr_lookup *lookup);

// Gives each vaddr in [start, end) to `unit`, whatever had it before. Returns how many there were.
uint32_t hr_claims_take(struct hr_claim *claims, const struct hr_lookup *lookup, uint32_t unit,
                        uint64_t start, uint64_t end);

// A function counts only inside the range that claims its address: gold leaves dropped functions
// that do not stand first in their section at addresses that may be others' code.
static inline bool hr_claim_holds(const struct hr_claim *claim, uint64_t start, uint64_t end)
{
    return claim->range.start <= start && end <= claim->range.end;
}
