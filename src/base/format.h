// SPDX-License-Identifier: MIT
// How numbers are written for people: one function for all documents and sentences, free of the
// locale. The suffix of a quantity's key is its unit (_bytes, _bytes_per_hour, _objects, _count,
// _ratio, _s, _time); docs/result.md has the table. KiB, MiB, GiB; three significant digits and
// none beyond the error; U+2212 as minus sign.
#pragma once

#include "base/estimate.h"

#include <glib.h>
#include <stdbool.h>

enum hr_unit {
    HR_UNIT_NONE, // text, or a bare number
    HR_UNIT_BYTES,
    HR_UNIT_BYTES_PER_HOUR,
    HR_UNIT_INTEGER, // what was counted
    HR_UNIT_OBJECTS, // estimated, and written with no more digits than bytes are
    HR_UNIT_RATIO,
    HR_UNIT_SECONDS,
    HR_UNIT_TIME, // Unix seconds
};

// The unit of a quantity by its key's last word; "_low" and "_high" behind it do not change it.
enum hr_unit hr_format_key_unit(const char *key);

// True when a change is meant: the sign is then always written.
bool hr_format_key_is_signed(const char *key);

// Appends `value` of the quantity `key` ("growth_bytes" -> "+96.4 MiB"). NAN appends an em dash.
void hr_format_append(GString *out, const char *key, double value);

// Appends value and interval ("+96 MiB (85 to 107)"); the interval sets the digits. Without
// `significant` a "≈" goes in front. An estimate whose low or high is NAN, or equals the value, is
// written as hr_format_append() does.
void hr_format_append_estimate(GString *out, const char *key, struct hr_estimate estimate,
                               bool significant);

// True when the blank at `at`, inside of `text`, stands between a number and its unit or "%", or
// within an interval ("427 to 487"): no line may break there.
bool hr_format_is_unit_gap(const char *text, const char *at);

// Appends Unix seconds as "2026-12-01 21:06:05 UTC", and as RFC 3339 "2026-12-01T21:06:05Z".
void hr_format_append_time(GString *out, double unix_s);
void hr_format_append_rfc3339(GString *out, double unix_s);
