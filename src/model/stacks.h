// SPDX-License-Identifier: MIT
// Interned call stacks. A stack is a list of locations, innermost first; a location is one unique
// return address of the run's address space. Equal address lists share one id. Ids count up from 0
// in the order of first sight.
#pragma once

#include "base/arena.h"

#include <stdbool.h>
#include <stdint.h>

struct hr_stacks;

struct hr_stack {
    const uint32_t *locations; // innermost first
    uint32_t depth;            // 0: no stack was recorded
};

// Makes an empty table. Its memory grows with unique stacks. Free it with hr_stacks_free().
struct hr_stacks *hr_stacks_new(void);
void hr_stacks_free(struct hr_stacks *stacks);
HR_DEFINE_AUTO(hr_stacks, hr_stacks_free)

// Returns the id of this list of return addresses (innermost first), adding it when it is new.
uint32_t hr_stacks_intern(struct hr_stacks *stacks, const uint64_t *addresses, uint32_t depth);

uint32_t hr_stacks_count(const struct hr_stacks *stacks);
struct hr_stack hr_stacks_get(const struct hr_stacks *stacks, uint32_t stack);

uint32_t hr_stacks_location_count(const struct hr_stacks *stacks);
uint64_t hr_stacks_location_address(const struct hr_stacks *stacks, uint32_t location);
