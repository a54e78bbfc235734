// SPDX-License-Identifier: MIT
// Interned strings: equal texts share one pointer, so two names are equal when their pointers are.
// The texts live in the arena the table was made with.
#pragma once

#include "base/arena.h"

struct hr_strings;

// Makes an empty table whose texts are kept in `arena`. Free it with hr_strings_free(); the texts
// outlive it.
struct hr_strings *hr_strings_new(struct hr_arena *arena);
void hr_strings_free(struct hr_strings *strings);
HR_DEFINE_AUTO(hr_strings, hr_strings_free)

// Returns the one copy of `length` bytes of text (no NUL inside), made when it is new.
const char *hr_strings_intern_n(struct hr_strings *strings, const char *text, size_t length);
const char *hr_strings_intern(struct hr_strings *strings, const char *text);
