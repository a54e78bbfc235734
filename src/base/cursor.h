// SPDX-License-Identifier: MIT
// A bounded reader over text in memory: it never reads past its end, and its first error sticks, so
// that a reader takes one value after another and asks once whether all was well. After an error
// every take gives 0, NULL or false and moves nothing. Takes no ownership and allocates nothing.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hr_cursor {
    const char *at;
    const char *end;
    const char *line_start;
    unsigned line;     // from 1
    const char *error; // NULL, or what was expected at line and column (a literal)
};

// A piece of the text; not NUL-terminated.
struct hr_span {
    const char *text;
    size_t length;
};

void hr_cursor_init(struct hr_cursor *cursor, const char *text, size_t length);

bool hr_cursor_ok(const struct hr_cursor *cursor);
bool hr_cursor_at_end(const struct hr_cursor *cursor);
// Column of the next byte, from 1, in bytes.
unsigned hr_cursor_column(const struct hr_cursor *cursor);
// Sets the sticky error unless there is one; `expected` must be a literal.
void hr_cursor_fail(struct hr_cursor *cursor, const char *expected);

// Splits off the next line, without its newline and a carriage return before it, as a cursor of its
// own with the same line number. False at the end. A last line without newline is a line too.
bool hr_cursor_take_line(struct hr_cursor *cursor, struct hr_cursor *line);

// Skips the byte order mark that editors of other systems put before a text; true when one stood
// there.
bool hr_cursor_take_mark(struct hr_cursor *cursor);
// Skips spaces and tabs.
void hr_cursor_skip_blanks(struct hr_cursor *cursor);
// True, and past it, when `literal` comes next; else nothing moves and nothing fails.
bool hr_cursor_take_if(struct hr_cursor *cursor, const char *literal);
// As above, but anything else is an error.
void hr_cursor_expect(struct hr_cursor *cursor, const char *literal);

// Numbers without sign or blanks in front; at least one digit, no overflow, or it is an error. Hex
// takes an optional 0x or 0X.
uint64_t hr_cursor_take_u64(struct hr_cursor *cursor);
uint64_t hr_cursor_take_hex(struct hr_cursor *cursor);
// A decimal fraction with optional sign, point and exponent, whatever the locale.
double hr_cursor_take_double(struct hr_cursor *cursor);

// Bytes up to the next blank or the end (may be empty), and up to `stop` (not taken; to the end
// when there is none).
struct hr_span hr_cursor_take_word(struct hr_cursor *cursor);
struct hr_span hr_cursor_take_until(struct hr_cursor *cursor, char stop);

bool hr_span_equals(struct hr_span span, const char *text);
