// SPDX-License-Identifier: MIT
// Times as names and logs write them.
#pragma once

#include "base/cursor.h"

// Takes a date and time, the most significant part first, with any or no separators:
// 20261201-210605, 2026-12-01T21:06:05Z, 2026_12_01_21_06_05.345. NAN when there is none. Without a
// zone it is read as UTC and *zoned is false.
double hr_timestamp_take_date(struct hr_cursor *cursor, bool *zoned);

// Unix seconds of a number of that many digits: seconds, milli-, micro- or nanoseconds by their
// digits. NAN for any other number of digits.
double hr_timestamp_from_digits(uint64_t number, size_t digits);

// Either of them, as the whole of `text` begins.
double hr_timestamp_parse(struct hr_span text, bool *zoned);

// Either of them and nothing behind it but blanks and UTC or GMT; NAN for any other text, such as
// one of twelve hours (09:06:05 PM).
double hr_timestamp_read(struct hr_span text, bool *zoned);
