// SPDX-License-Identifier: MIT
// Names of functions as people read them: what is long in a name of C++ or Rust are the arguments
// of its types, and they are the first to go.
#pragma once

#include <stddef.h>

// So many letters of a name stand in a sentence before it is folded.
#define HR_SYMBOL_SENTENCE_LETTERS 80

// A copy of `name` in which argument lists ("<...>") are replaced by "<…>", the innermost first, as
// few levels as it takes to come down to `limit_letters`; as short as that makes it when it does
// not. NULL when the name is short enough, or has no lists that close. The caller frees it.
char *hr_symbol_fold(const char *name, size_t limit_letters);
