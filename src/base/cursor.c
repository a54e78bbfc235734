// SPDX-License-Identifier: MIT
#include "base/cursor.h"

#include <glib.h>
#include <string.h>

// The longest number that take_double() looks at; more digits than any double needs.
#define NUMBER_LENGTH_MAX 64

void hr_cursor_init(struct hr_cursor *cursor, const char *text, size_t length)
{
    // No text may be NULL, to which not even 0 may be added.
    const char *end = length > 0 ? text + length : text;
    *cursor = (struct hr_cursor){.at = text, .end = end, .line_start = text, .line = 1};
}

bool hr_cursor_ok(const struct hr_cursor *cursor)
{
    return !cursor->error;
}

bool hr_cursor_at_end(const struct hr_cursor *cursor)
{
    return cursor->at == cursor->end;
}

unsigned hr_cursor_column(const struct hr_cursor *cursor)
{
    return (unsigned)(cursor->at - cursor->line_start) + 1;
}

void hr_cursor_fail(struct hr_cursor *cursor, const char *expected)
{
    if (!cursor->error) {
        cursor->error = expected;
    }
}

bool hr_cursor_take_line(struct hr_cursor *cursor, struct hr_cursor *line)
{
    if (cursor->error || hr_cursor_at_end(cursor)) {
        return false;
    }
    const char *start = cursor->at;
    const char *newline = memchr(start, '\n', (size_t)(cursor->end - start));
    const char *end = newline ? newline : cursor->end;
    cursor->at = newline ? newline + 1 : cursor->end;
    if (end > start && newline && end[-1] == '\r') {
        end--;
    }
    *line = (struct hr_cursor){
        .at = start, .end = end, .line_start = cursor->line_start, .line = cursor->line};
    if (newline) {
        cursor->line++;
        cursor->line_start = cursor->at;
    }
    return true;
}

bool hr_cursor_take_mark(struct hr_cursor *cursor)
{
    return hr_cursor_take_if(cursor, "\xef\xbb\xbf");
}

void hr_cursor_skip_blanks(struct hr_cursor *cursor)
{
    while (!cursor->error && cursor->at < cursor->end &&
           (*cursor->at == ' ' || *cursor->at == '\t')) {
        cursor->at++;
    }
}

bool hr_cursor_take_if(struct hr_cursor *cursor, const char *literal)
{
    const size_t length = strlen(literal);
    if (cursor->error || (size_t)(cursor->end - cursor->at) < length ||
        memcmp(cursor->at, literal, length) != 0) {
        return false;
    }
    cursor->at += length;
    return true;
}

void hr_cursor_expect(struct hr_cursor *cursor, const char *literal)
{
    if (!hr_cursor_take_if(cursor, literal)) {
        hr_cursor_fail(cursor, literal);
    }
}

static uint64_t take_digits(struct hr_cursor *cursor, unsigned base, const char *expected)
{
    const char *start = cursor->at;
    const char *at = start;
    uint64_t value = 0;
    while (!cursor->error && at < cursor->end) {
        const int digit = g_ascii_xdigit_value(*at);
        if (digit < 0 || (unsigned)digit >= base) {
            break;
        }
        if (__builtin_mul_overflow(value, base, &value) ||
            __builtin_add_overflow(value, (uint64_t)digit, &value)) {
            hr_cursor_fail(cursor, "a number below 2^64");
            return 0;
        }
        at++;
    }
    if (at == start) {
        hr_cursor_fail(cursor, expected);
        return 0;
    }
    cursor->at = at;
    return value;
}

uint64_t hr_cursor_take_u64(struct hr_cursor *cursor)
{
    return take_digits(cursor, 10, "a number");
}

uint64_t hr_cursor_take_hex(struct hr_cursor *cursor)
{
    if (!hr_cursor_take_if(cursor, "0x")) {
        hr_cursor_take_if(cursor, "0X");
    }
    return take_digits(cursor, 16, "a hexadecimal number");
}

double hr_cursor_take_double(struct hr_cursor *cursor)
{
    char digits[NUMBER_LENGTH_MAX + 1];
    size_t length = 0;
    while (!cursor->error && cursor->at + length < cursor->end && length < NUMBER_LENGTH_MAX) {
        const char next = cursor->at[length];
        if (!g_ascii_isdigit(next) && !strchr("+-.eE", next)) {
            break;
        }
        digits[length++] = next;
    }
    digits[length] = '\0';
    char *rest = digits;
    const double value = length > 0 ? g_ascii_strtod(digits, &rest) : 0;
    if (rest == digits) {
        hr_cursor_fail(cursor, "a number");
        return 0;
    }
    cursor->at += rest - digits;
    return value;
}

struct hr_span hr_cursor_take_word(struct hr_cursor *cursor)
{
    const char *start = cursor->at;
    while (!cursor->error && cursor->at < cursor->end && *cursor->at != ' ' &&
           *cursor->at != '\t' && *cursor->at != '\n') {
        cursor->at++;
    }
    return (struct hr_span){start, (size_t)(cursor->at - start)};
}

struct hr_span hr_cursor_take_until(struct hr_cursor *cursor, char stop)
{
    const char *start = cursor->at;
    if (!cursor->error) {
        const char *found = memchr(start, stop, (size_t)(cursor->end - start));
        cursor->at = found ? found : cursor->end;
    }
    return (struct hr_span){start, (size_t)(cursor->at - start)};
}

bool hr_span_equals(struct hr_span span, const char *text)
{
    return strlen(text) == span.length && memcmp(span.text, text, span.length) == 0;
}
