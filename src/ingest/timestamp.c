// SPDX-License-Identifier: MIT
#include "ingest/timestamp.h"

#include <glib.h>
#include <math.h>
#include <string.h>

// Unix times from 2001 to 2286 have as many digits, in seconds.
#define UNIX_SECONDS_DIGITS 10

// Where the date is farthest ahead: Kiritimati.
#define OFFSET_MAX_S (14 * 3600.0)

double hr_timestamp_from_digits(uint64_t number, size_t digits)
{
    switch (digits) {
    case UNIX_SECONDS_DIGITS:
        return (double)number;
    case UNIX_SECONDS_DIGITS + 3:
        return (double)number / 1e3;
    case UNIX_SECONDS_DIGITS + 6:
        return (double)number / 1e6;
    case UNIX_SECONDS_DIGITS + 9:
        return (double)number / 1e9;
    default:
        return NAN;
    }
}

// Takes `digits` digits behind an optional separator.
static bool take_part(struct hr_cursor *cursor, const char *separators, int digits, int *part)
{
    if (*separators && cursor->at < cursor->end && strchr(separators, *cursor->at)) {
        cursor->at++;
    }
    *part = 0;
    for (int i = 0; i < digits; i++) {
        if (cursor->at == cursor->end || !g_ascii_isdigit(*cursor->at)) {
            return false;
        }
        *part = *part * 10 + (*cursor->at++ - '0');
    }
    return true;
}

static bool next_is_digit(const struct hr_cursor *cursor)
{
    return cursor->at < cursor->end && g_ascii_isdigit(*cursor->at);
}

// Z, +01:00, -0130; nothing: not zoned.
static double take_zone_offset_s(struct hr_cursor *cursor, bool *zoned)
{
    struct hr_cursor ahead = *cursor;
    *zoned = hr_cursor_take_if(&ahead, "Z");
    double offset_s = 0;
    if (!*zoned && ahead.at < ahead.end && (*ahead.at == '+' || *ahead.at == '-')) {
        const double sign = *ahead.at++ == '-' ? -1 : 1;
        int hours;
        int minutes;
        *zoned = take_part(&ahead, "", 2, &hours) && take_part(&ahead, ":", 2, &minutes);
        offset_s = *zoned ? sign * (hours * 3600 + minutes * 60) : 0;
    }
    *zoned &= fabs(offset_s) <= OFFSET_MAX_S;
    if (*zoned) {
        *cursor = ahead;
    }
    return *zoned ? offset_s : 0;
}

double hr_timestamp_take_date(struct hr_cursor *cursor, bool *zoned)
{
    static const char *const separators[] = {"", "-_", "-_", "-_T .", "-_:.", "-_:."};
    int parts[6] = {0};
    for (int i = 0; i < 6; i++) {
        if (!take_part(cursor, separators[i], i == 0 ? 4 : 2, &parts[i])) {
            return NAN;
        }
    }
    g_autoptr(GDateTime) date =
        g_date_time_new_utc(parts[0], parts[1], parts[2], parts[3], parts[4], parts[5]);
    if (!date || next_is_digit(cursor)) {
        return NAN;
    }
    double time_s = (double)g_date_time_to_unix(date);
    if (cursor->end - cursor->at >= 2 && strchr(".,", cursor->at[0]) && cursor->at[0] &&
        g_ascii_isdigit(cursor->at[1])) {
        double tenths = 0.1;
        for (cursor->at++; next_is_digit(cursor); tenths /= 10) {
            time_s += tenths * (*cursor->at++ - '0');
        }
    }
    return time_s - take_zone_offset_s(cursor, zoned);
}

static double take_time(struct hr_cursor *cursor, bool *zoned)
{
    const struct hr_cursor start = *cursor;
    const size_t length = (size_t)(cursor->end - cursor->at);
    size_t digits = 0;
    while (digits < length && g_ascii_isdigit(start.at[digits])) {
        digits++;
    }
    *zoned = true;
    if (digits >= UNIX_SECONDS_DIGITS && (digits == length || start.at[digits] == '.') &&
        digits < 20) {
        const double number = hr_cursor_take_double(cursor);
        const double whole = hr_timestamp_from_digits((uint64_t)number, digits);
        return digits == UNIX_SECONDS_DIGITS ? number : whole;
    }
    return hr_timestamp_take_date(cursor, zoned);
}

double hr_timestamp_parse(struct hr_span text, bool *zoned)
{
    struct hr_cursor cursor;
    hr_cursor_init(&cursor, text.text, text.length);
    return take_time(&cursor, zoned);
}

double hr_timestamp_read(struct hr_span text, bool *zoned)
{
    struct hr_cursor cursor;
    hr_cursor_init(&cursor, text.text, text.length);
    const double time_s = take_time(&cursor, zoned);
    hr_cursor_skip_blanks(&cursor);
    const bool is_utc = hr_cursor_take_if(&cursor, "UTC") || hr_cursor_take_if(&cursor, "GMT");
    *zoned |= is_utc;
    hr_cursor_skip_blanks(&cursor);
    return hr_cursor_at_end(&cursor) ? time_s : NAN;
}
