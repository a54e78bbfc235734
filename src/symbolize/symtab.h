// SPDX-License-Identifier: MIT
// Function symbols of one object by address. A symbol names only what lies within its size: the
// nearest symbol is not the symbol.
#pragma once

#include "symbolize/object.h"

struct hr_symbol {
    uint64_t start; // vaddr
    uint64_t end;
    const char *name;   // as in the file; lives as long as the object
    uint32_t enclosing; // index of the nearest symbol around this one, UINT32_MAX: none
};

struct hr_symtab;

// Reads .symtab, or where there is none .dynsym and what `unpacked` (.gnu_debugdata, NULL: none)
// adds to it. An object without any gives an empty table.
struct hr_symtab *hr_symtab_new(const struct hr_object *object, const struct hr_object *unpacked);
void hr_symtab_free(struct hr_symtab *symtab);
HR_DEFINE_AUTO(hr_symtab, hr_symtab_free)

size_t hr_symtab_count(const struct hr_symtab *symtab);

// The innermost symbol whose [start, end) holds `vaddr`, or NULL. Of several names for one range
// the last in the file is given, as other tools do.
const struct hr_symbol *hr_symtab_find(const struct hr_symtab *symtab, uint64_t vaddr);
