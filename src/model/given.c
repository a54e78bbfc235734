// SPDX-License-Identifier: MIT
#include "model/given.h"

#include <stddef.h>

#define LOW_BITS 56

bool hr_given_is_no_address(uint64_t address)
{
    return address >> LOW_BITS == HR_GIVEN_NO_ADDRESS >> LOW_BITS;
}

static const struct hr_given_name *find_exactly(const struct hr_given_names *names,
                                                uint64_t address)
{
    uint32_t low = 0;
    uint32_t high = names->names_count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (names->names[middle].address == address) {
            return &names->names[middle];
        }
        if (names->names[middle].address < address) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return NULL;
}

const struct hr_given_name *hr_given_names_find(const struct hr_given_names *names,
                                                uint64_t address)
{
    const struct hr_given_name *found = find_exactly(names, address);
    return found || address == 0 ? found : find_exactly(names, address - 1);
}
