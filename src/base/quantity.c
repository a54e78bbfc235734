// SPDX-License-Identifier: MIT
#include "base/quantity.h"

#include <math.h>
#include <string.h>

struct unit {
    const char *name;
    double factor;
};

static const struct unit size_units[] = {
    {"", 1},         {"B", 1},        {"K", 0x1p10},   {"KiB", 0x1p10}, {"kB", 1e3},
    {"KB", 1e3},     {"M", 0x1p20},   {"MiB", 0x1p20}, {"MB", 1e6},     {"G", 0x1p30},
    {"GiB", 0x1p30}, {"GB", 1e9},     {"T", 0x1p40},   {"TiB", 0x1p40}, {"TB", 1e12},
    {"P", 0x1p50},   {"PiB", 0x1p50}, {"PB", 1e15},    {NULL, 0},
};

static const struct unit duration_units[] = {
    {"ms", 1e-3}, {"s", 1},     {"sec", 1},    {"m", 60}, {"min", 60},
    {"h", 3600},  {"d", 86400}, {"w", 604800}, {NULL, 0},
};

// Digits with at most one point: no sign, no exponent, no "inf", no hexadecimal.
static bool take_decimal(const char **text, double *number)
{
    const char *end = *text;
    while (g_ascii_isdigit(*end)) {
        end++;
    }
    if (end == *text) {
        return false;
    }
    if (end[0] == '.' && g_ascii_isdigit(end[1])) {
        end++;
        while (g_ascii_isdigit(*end)) {
            end++;
        }
    }
    g_autofree char *digits = g_strndup(*text, (gsize)(end - *text));
    *number = g_ascii_strtod(digits, NULL);
    *text = end;
    return isfinite(*number);
}

// Takes the letters that follow (after blanks) and finds them among `units`.
static bool take_unit(const char **text, const struct unit *units, double *factor)
{
    while (**text == ' ') {
        (*text)++;
    }
    const size_t length = strspn(*text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ");
    for (const struct unit *unit = units; unit->name; unit++) {
        if (strlen(unit->name) == length && strncmp(unit->name, *text, length) == 0) {
            *factor = unit->factor;
            *text += length;
            return true;
        }
    }
    return false;
}

bool hr_quantity_read_size(const char *text, double *size_bytes, GError **error)
{
    const char *rest = text;
    double number;
    double factor;
    if (take_decimal(&rest, &number) && take_unit(&rest, size_units, &factor) && *rest == '\0' &&
        number * factor <= 0x1p63) {
        *size_bytes = round(number * factor);
        return true;
    }
    g_set_error(error, HR_ERROR, HR_ERROR_USAGE, "\"%s\" is no size (such as 8MiB or 2GiB)", text);
    return false;
}

bool hr_quantity_read_duration(const char *text, double *duration_s, GError **error)
{
    const char *rest = text;
    double number;
    double sum_s = 0;
    bool valid = false;
    if (take_decimal(&rest, &number) && *rest == '\0') {
        *duration_s = number;
        return true;
    }
    rest = text;
    while (take_decimal(&rest, &number)) {
        double factor;
        valid = take_unit(&rest, duration_units, &factor);
        if (!valid) {
            break;
        }
        sum_s += number * factor;
    }
    if (valid && *rest == '\0' && isfinite(sum_s)) {
        *duration_s = sum_s;
        return true;
    }
    g_set_error(error, HR_ERROR, HR_ERROR_USAGE, "\"%s\" is no duration (such as 30s, 5m or 12h)",
                text);
    return false;
}

static bool read_unix_time(const char *digits, double *unix_s)
{
    const char *rest = digits;
    double number;
    if (!take_decimal(&rest, &number) || *rest != '\0') {
        return false;
    }
    *unix_s = number;
    return true;
}

bool hr_quantity_read_time(const char *text, double *unix_s, GError **error)
{
    if (text[0] == '@' && read_unix_time(text + 1, unix_s)) {
        return true;
    }
    // GLib takes more of ISO 8601 than RFC 3339 allows; without a zone it returns NULL.
    g_autoptr(GDateTime) time = g_date_time_new_from_iso8601(text, NULL);
    if (time) {
        *unix_s = (double)g_date_time_to_unix(time) + g_date_time_get_microsecond(time) / 1e6;
        return true;
    }
    g_set_error(error, HR_ERROR, HR_ERROR_USAGE,
                "\"%s\" is no time (such as 2026-12-01T21:06:05Z or @1796160604)", text);
    return false;
}

bool hr_quantity_read_count(const char *text, uint64_t least, uint64_t most, uint64_t *count,
                            GError **error)
{
    // Its own sign rule refuses "-1", " 1" and "+1".
    if (g_ascii_isdigit(text[0]) &&
        g_ascii_string_to_unsigned(text, 10, least, most, count, NULL)) {
        return true;
    }
    g_set_error(error, HR_ERROR, HR_ERROR_USAGE,
                "\"%s\" is no whole number from %" G_GUINT64_FORMAT " to %" G_GUINT64_FORMAT, text,
                least, most);
    return false;
}

bool hr_quantity_read_number(const char *text, double *number, GError **error)
{
    const char *rest = text;
    double value;
    if (take_decimal(&rest, &value) && *rest == '\0') {
        *number = value;
        return true;
    }
    g_set_error(error, HR_ERROR, HR_ERROR_USAGE, "\"%s\" is no number (such as 0.25)", text);
    return false;
}
