// SPDX-License-Identifier: MIT
// Symbol names as people know them. Demangles Rust (v0 and legacy, without hashes) and C++, takes
// compiler suffixes off, folds long generic arguments for display and keeps them in the key.
#pragma once

#include "base/strings.h"

struct hr_name {
    const char *function; // for people; interned
    const char *key_name; // whole; interned
};

struct hr_names;

// A cache of names, interned in `strings`. Free it with hr_names_free().
struct hr_names *hr_names_new(struct hr_strings *strings);
void hr_names_free(struct hr_names *names);
HR_DEFINE_AUTO(hr_names, hr_names_free)

// The name for a mangled or plain symbol.
struct hr_name hr_names_get(struct hr_names *names, const char *symbol);
