// SPDX-License-Identifier: MIT
#include "symbolize/claims.h"

struct hr_claim *hr_claims_new(const struct hr_lookup *lookup)
{
    struct hr_claim *claims = g_new(struct hr_claim, lookup->count + 1);
    for (uint32_t i = 0; i < lookup->count; i++) {
        claims[i] = (struct hr_claim){HR_NO_UNIT, hr_code_find(lookup->code, lookup->vaddrs[i])};
    }
    return claims;
}

// Of two ranges of one unit the larger stays: an entry for a part of what another covers.
static bool is_larger(const struct hr_range *a, const struct hr_range *b)
{
    return a->end - a->start > b->end - b->start;
}

uint32_t hr_claims_take(struct hr_claim *claims, const struct hr_lookup *lookup, uint32_t unit,
                        uint64_t start, uint64_t end)
{
    const struct hr_claim claim = {unit, {start, end}};
    const uint32_t first = hr_lookup_find_first(lookup, start);
    uint32_t i = first;
    if (first == lookup->count || lookup->vaddrs[first] >= end ||
        !hr_code_holds(lookup->code, start)) {
        return 0;
    }
    for (; i < lookup->count && lookup->vaddrs[i] < end; i++) {
        if (claims[i].unit != unit || is_larger(&claim.range, &claims[i].range)) {
            claims[i] = claim;
        }
    }
    return i - first;
}
