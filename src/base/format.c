// SPDX-License-Identifier: MIT
#include "base/format.h"

#include <math.h>
#include <string.h>

#define MINUS "\u2212"
#define UNKNOWN "\u2014"
#define THIN_SPACE "\u202f" // does not break: "12 480" stays on one line
#define NOT_SIGNIFICANT "\u2248" // a tilde before a number looks like a minus

#define SIGNIFICANT_DIGITS 3
#define ERROR_DIGITS 2 // of the error, so "+96 MiB (85 to 107)" and not "+100 (90 to 110)"

static const struct {
    const char *suffix;
    enum hr_unit unit;
} UNITS[] = {
    {"_bytes", HR_UNIT_BYTES},     {"_bytes_per_hour", HR_UNIT_BYTES_PER_HOUR},
    {"_objects", HR_UNIT_OBJECTS}, {"_count", HR_UNIT_INTEGER},
    {"_ratio", HR_UNIT_RATIO},     {"_s", HR_UNIT_SECONDS},
    {"_time", HR_UNIT_TIME},
};

// The size of a unit within its family, and its name.
struct scale {
    double size;
    const char *name;
};

// Ends a word of the key: "rate" in "rate_bytes", but not in "generated".
static bool key_has_word(const char *key, const char *word)
{
    const size_t length = strlen(word);
    for (const char *found = key; (found = strstr(found, word)); found += length) {
        const bool starts = found == key || found[-1] == '_';
        const bool ends = found[length] == '_' || found[length] == '\0';
        if (starts && ends) {
            return true;
        }
    }
    return false;
}

bool hr_format_key_is_signed(const char *key)
{
    // "no_growth" is a class, and what its thresholds hold is no change
    return (key_has_word(key, "growth") && !key_has_word(key, "no_growth")) ||
           key_has_word(key, "rate");
}

// Length of the key without "_low" or "_high": a bound has the unit of what it bounds.
static size_t quantity_length(const char *key)
{
    const size_t length = strlen(key);
    if (length > 4 && strcmp(key + length - 4, "_low") == 0) {
        return length - 4;
    }
    if (length > 5 && strcmp(key + length - 5, "_high") == 0) {
        return length - 5;
    }
    return length;
}

static bool ends_with(const char *key, size_t length, const char *suffix)
{
    const size_t suffix_length = strlen(suffix);
    // A slot may be called by its unit alone: {bytes}, {count}.
    if (length == suffix_length - 1) {
        return memcmp(key, suffix + 1, length) == 0;
    }
    return length >= suffix_length &&
           memcmp(key + length - suffix_length, suffix, suffix_length) == 0;
}

enum hr_unit hr_format_key_unit(const char *key)
{
    const size_t length = quantity_length(key);
    for (size_t i = 0; i < G_N_ELEMENTS(UNITS); i++) {
        if (ends_with(key, length, UNITS[i].suffix)) {
            return UNITS[i].unit;
        }
    }
    return HR_UNIT_NONE;
}

// Decimal exponent of |value|'s first digit; INT_MIN for 0.
static int exponent_of(double value)
{
    return value == 0 ? G_MININT : (int)floor(log10(fabs(value)) + 1e-12);
}

static double round_to_place(double value, int place)
{
    const double step = pow(10, abs(place));
    return place >= 0 ? round(value / step) * step : round(value * step) / step;
}

// The decimal place (-1: tenths) that is written last.
static int last_place(double value, double error)
{
    int place = exponent_of(value);
    if (place != G_MININT) {
        // Rounding may add a digit: 9.996 is written 10.0.
        place = exponent_of(round_to_place(value, place - SIGNIFICANT_DIGITS + 1)) -
                SIGNIFICANT_DIGITS + 1;
    }
    if (error > 0) {
        place = MAX(place, exponent_of(error) - ERROR_DIGITS + 1);
    }
    return place == G_MININT ? 0 : place;
}

// Appends |value| rounded to `place`, thousands set apart by thin spaces.
static void append_magnitude(GString *out, double value, int place)
{
    char format[16];
    char digits[G_ASCII_DTOSTR_BUF_SIZE + 310];
    g_snprintf(format, sizeof format, "%%.%df", MAX(-place, 0));
    g_ascii_formatd(digits, sizeof digits, format, fabs(round_to_place(value, place)));
    const size_t whole = strcspn(digits, ".");
    for (size_t i = 0; i < whole; i++) {
        if (i > 0 && (whole - i) % 3 == 0) {
            g_string_append(out, THIN_SPACE);
        }
        g_string_append_c(out, digits[i]);
    }
    g_string_append(out, digits + whole);
}

static void append_sign(GString *out, double value, int place, bool always)
{
    const double rounded = round_to_place(value, place);
    if (rounded < 0) {
        g_string_append(out, MINUS);
    } else if (rounded > 0 && always) {
        g_string_append_c(out, '+');
    }
}

static void append_number(GString *out, double value, int place, bool always_signed)
{
    append_sign(out, value, place, always_signed);
    append_magnitude(out, value, place);
}

// The unit in which `magnitude` has at most three digits before the point.
static struct scale byte_scale(double magnitude)
{
    static const struct scale SCALES[] = {{1, "B"},
                                          {1024.0, "KiB"},
                                          {1048576.0, "MiB"},
                                          {1073741824.0, "GiB"},
                                          {1099511627776.0, "TiB"}};
    size_t i = 0;
    while (i + 1 < G_N_ELEMENTS(SCALES) && magnitude / SCALES[i].size >= 999.5) {
        i++;
    }
    return SCALES[i];
}

static struct scale scale_of(enum hr_unit unit, double magnitude)
{
    if (unit == HR_UNIT_BYTES || unit == HR_UNIT_BYTES_PER_HOUR) {
        return byte_scale(magnitude);
    }
    return unit == HR_UNIT_RATIO ? (struct scale){0.01, "%"} : (struct scale){1, NULL};
}

static void append_unit(GString *out, enum hr_unit unit, struct scale scale)
{
    if (scale.name) {
        g_string_append_printf(out, " %s%s", scale.name,
                               unit == HR_UNIT_BYTES_PER_HOUR ? "/h" : "");
    }
}

static int place_of_exact(enum hr_unit unit, double scaled)
{
    // A whole number of the unit is a setting or a size class: 8 MiB, not 8.00 MiB. 0.07 / 0.01 is
    // not quite 7.
    if (unit == HR_UNIT_OBJECTS) {
        return MAX(last_place(scaled, 0), 0);
    }
    if (unit == HR_UNIT_INTEGER || fabs(scaled - round(scaled)) < 1e-9) {
        return 0;
    }
    if (unit == HR_UNIT_RATIO) {
        return fabs(scaled) >= 9.95 ? 0 : -1;
    }
    return last_place(scaled, 0);
}

// A share that is not quite nothing or not quite all is never written as if it were.
static bool append_edge_ratio(GString *out, double value)
{
    if (value > 0 && value < 0.0005) {
        g_string_append(out, "<0.1 %");
        return true;
    }
    if (value < 1 && value >= 0.995) {
        g_string_append(out, ">99 %");
        return true;
    }
    return false;
}

static void append_plain(GString *out, enum hr_unit unit, double value, bool always_signed)
{
    if (unit == HR_UNIT_RATIO && !always_signed && append_edge_ratio(out, value)) {
        return;
    }
    // Bytes are whole: what is under one is noise of a computation.
    const double exact = unit == HR_UNIT_BYTES && fabs(value) < 999.5 ? round(value) : value;
    const struct scale scale = scale_of(unit, fabs(exact));
    const double scaled = exact / scale.size;
    append_number(out, scaled, place_of_exact(unit, scaled), always_signed);
    append_unit(out, unit, scale);
}

static void append_two_units(GString *out, double large, const char *large_unit, double small,
                             const char *small_unit)
{
    append_magnitude(out, large, 0);
    g_string_append_printf(out, " %s", large_unit);
    if (small > 0) {
        g_string_append_printf(out, " %d %s", (int)small, small_unit);
    }
}

static void append_seconds(GString *out, double value)
{
    const double seconds = fabs(value);
    int place = 0;
    if (seconds < 9.95 && seconds != floor(seconds)) {
        place = seconds >= 1 ? -1 : last_place(seconds, 0);
    }
    append_number(out, value, place, false);
    g_string_append(out, " s");
}

static void append_duration(GString *out, double value)
{
    const double seconds = fabs(value);
    if (seconds < 59.5) {
        append_seconds(out, value);
        return;
    }
    if (value < 0) {
        g_string_append(out, MINUS);
    }
    const double whole_s = round(seconds);
    const double minutes = round(seconds / 60);
    const double hours = round(seconds / 3600);
    if (whole_s < 3600) {
        append_two_units(out, floor(whole_s / 60), "min", fmod(whole_s, 60), "s");
    } else if (minutes < 48 * 60) {
        append_two_units(out, floor(minutes / 60), "h", fmod(minutes, 60), "min");
    } else {
        append_two_units(out, floor(hours / 24), "d", fmod(hours, 24), "h");
    }
}

static bool begins_number(const char *text)
{
    text += g_str_has_prefix(text, MINUS) ? strlen(MINUS) : 0;
    return g_ascii_isdigit(*text);
}

static bool is_within_interval(const char *text, const char *at)
{
    if (g_str_has_prefix(at, " to ")) {
        return begins_number(at + 4);
    }
    return at - text >= 4 && memcmp(at - 3, " to", 3) == 0 && g_ascii_isdigit(at[-4]) &&
           begins_number(at + 1);
}

bool hr_format_is_unit_gap(const char *text, const char *at)
{
    static const char *const units[] = {"%", "B",   "KiB", "MiB", "GiB", "TiB",
                                        "s", "min", "h",   "d",   "UTC"};
    if (*at != ' ' || at == text) {
        return false;
    }
    if (is_within_interval(text, at)) {
        return true;
    }
    if (!g_ascii_isdigit(at[-1])) {
        return false;
    }
    for (size_t i = 0; i < G_N_ELEMENTS(units); i++) {
        const size_t length = strlen(units[i]);
        if (strncmp(at + 1, units[i], length) == 0 && !g_ascii_isalnum(at[1 + length])) {
            return true;
        }
    }
    return false;
}

void hr_format_append(GString *out, const char *key, double value)
{
    if (!isfinite(value)) {
        g_string_append(out, UNKNOWN);
        return;
    }
    const enum hr_unit unit = hr_format_key_unit(key);
    switch (unit) {
    case HR_UNIT_SECONDS:
        append_duration(out, value);
        return;
    case HR_UNIT_TIME:
        hr_format_append_time(out, value);
        return;
    default:
        append_plain(out, unit, value, hr_format_key_is_signed(key));
    }
}

static bool has_interval(struct hr_estimate estimate)
{
    return isfinite(estimate.value) && isfinite(estimate.low) && isfinite(estimate.high) &&
           estimate.low < estimate.high;
}

void hr_format_append_estimate(GString *out, const char *key, struct hr_estimate estimate,
                               bool significant)
{
    if (!significant && isfinite(estimate.value)) {
        g_string_append(out, NOT_SIGNIFICANT);
    }
    const enum hr_unit unit = hr_format_key_unit(key);
    if (!has_interval(estimate) || unit == HR_UNIT_SECONDS || unit == HR_UNIT_TIME) {
        hr_format_append(out, key, estimate.value);
        return;
    }
    // In the unit of the larger of value and error neither needs more digits than it has.
    const double error = fmax(estimate.high - estimate.value, estimate.value - estimate.low);
    const struct scale scale = scale_of(unit, fmax(fabs(estimate.value), error));
    const double value = estimate.value / scale.size;
    const double low = estimate.low / scale.size;
    const double high = estimate.high / scale.size;
    const int finest = unit == HR_UNIT_INTEGER || unit == HR_UNIT_OBJECTS ||
                               (unit == HR_UNIT_BYTES && scale.size == 1)
                           ? 0
                           : G_MININT;
    const int place = MAX(last_place(value, error / scale.size), finest);
    append_number(out, value, place, hr_format_key_is_signed(key));
    append_unit(out, unit, scale);
    if (round_to_place(low, place) == round_to_place(high, place)) {
        return;
    }
    g_string_append(out, " (");
    append_number(out, low, place, false);
    g_string_append(out, " to ");
    append_number(out, high, place, false);
    g_string_append_c(out, ')');
}
