// SPDX-License-Identifier: MIT
// Where an object's code lies. Debug data speak of more than was linked: a function that the linker
// dropped (--gc-sections, a duplicate) keeps its DIE and its rows, at addresses from 0 up or at the
// top of memory, and when it is large they reach over real code. Whatever says where code is counts
// only if it starts in code.
#pragma once

#include "symbolize/object.h"

struct hr_range {
    uint64_t start;
    uint64_t end; // exclusive
};

struct hr_code;

// By the sections of the mapped file (not of its debug file, whose sections may have moved), and by
// an executable segment where no section tells. Never NULL.
struct hr_code *hr_code_new(const struct hr_object *object);
void hr_code_free(struct hr_code *code);
HR_DEFINE_AUTO(hr_code, hr_code_free)

// The section of code that holds `vaddr`; an empty range when it is no code.
struct hr_range hr_code_find(const struct hr_code *code, uint64_t vaddr);

static inline bool hr_code_holds(const struct hr_code *code, uint64_t vaddr)
{
    return hr_code_find(code, vaddr).end > vaddr;
}
