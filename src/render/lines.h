// SPDX-License-Identifier: MIT
// Lines of text of a bounded width, gathered in blocks, so that an output of a bounded length ends
// between two blocks and not inside one.
#pragma once

#include "base/cleanup.h"

#include <glib.h>

struct hr_lines;

struct hr_lines *hr_lines_new(void);
void hr_lines_free(struct hr_lines *lines);
HR_DEFINE_AUTO(hr_lines, hr_lines_free)

// Adds one line as it is.
void hr_lines_add(struct hr_lines *lines, const char *text);

// Adds `text` broken at blanks, or inside long words behind :: < , / and at last anywhere, into
// lines of at most `width` columns. The first starts with `first`, the others with `indent`.
void hr_lines_add_wrapped(struct hr_lines *lines, const char *text, int width, const char *first,
                          const char *indent);

// Ends a block; a blank line will stand before the next one, never two.
void hr_lines_end_block(struct hr_lines *lines);

// A blank line will stand before the next one, which belongs to what is above it.
void hr_lines_add_space(struct hr_lines *lines);

// Appends the lines to `out`, at most `limit` of them, `last_words` (already escaped) the last.
void hr_lines_write(const struct hr_lines *lines, unsigned limit, const char *last_words,
                    GByteArray *out);

// How many columns of a terminal the text takes.
int hr_lines_columns(const char *text);
