// SPDX-License-Identifier: MIT
#include "result/json.h"

#include "base/format.h"

#include <glib.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#define ELLIPSIS "\u2026"
#define INTEGER_END 9223372036854775808.0 // 2^63

void hr_json_set(json_t *object, const char *key, json_t *value)
{
    g_assert(value);
    const int failed = json_object_set_new(object, key, value);
    g_assert(!failed);
}

void hr_json_append(json_t *array, json_t *value)
{
    g_assert(value);
    const int failed = json_array_append_new(array, value);
    g_assert(!failed);
}

// Characters that change how their neighbours are read: a name could show as another one.
static bool is_direction_control(gunichar character)
{
    return character == 0x061c || character == 0x200e || character == 0x200f ||
           (character >= 0x202a && character <= 0x202e) ||
           (character >= 0x2066 && character <= 0x2069);
}

static bool is_line_separator(gunichar character)
{
    return character == 0x2028 || character == 0x2029;
}

// Appends one character, or one byte that is none; returns its length.
static size_t append_character(GString *out, const char *at, const char *end)
{
    const gunichar character = g_utf8_get_char_validated(at, end - at);
    if (character == (gunichar)-1 || character == (gunichar)-2) {
        g_string_append_printf(out, "\\x%02x", (unsigned char)*at);
        return 1;
    }
    const size_t length = (size_t)g_unichar_to_utf8(character, NULL);
    if (character < 0x20 || (character >= 0x7f && character < 0xa0)) {
        g_string_append_printf(out, "\\x%02x", character);
    } else if (is_direction_control(character) || is_line_separator(character)) {
        g_string_append_printf(out, "\\u%04x", character);
    } else {
        g_string_append_len(out, at, (gssize)length);
    }
    return length;
}

// Start of the character at or before `at`.
static size_t character_start(const char *text, size_t at)
{
    while (at > 0 && ((unsigned char)text[at] & 0xc0) == 0x80) {
        at--;
    }
    return at;
}

static void cut_middle(GString *text, size_t limit_bytes)
{
    if (text->len <= limit_bytes) {
        return;
    }
    const size_t kept = limit_bytes - strlen(ELLIPSIS);
    const size_t head = character_start(text->str, kept * 2 / 3);
    size_t tail = text->len - kept / 3;
    while (((unsigned char)text->str[tail] & 0xc0) == 0x80) {
        tail++;
    }
    g_string_erase(text, (gssize)head, (gssize)(tail - head));
    g_string_insert(text, (gssize)head, ELLIPSIS);
}

// Nearly every name is; what needs no cleaning is taken as it is.
static bool is_printable_ascii(const char *text, size_t length)
{
    bool printable = true;
    for (size_t i = 0; i < length; i++) {
        printable &= text[i] >= 0x20 && text[i] < 0x7f;
    }
    return printable;
}

json_t *hr_json_text_within(const char *text, size_t limit_bytes)
{
    if (!text) {
        return json_null();
    }
    const size_t length = strlen(text);
    if (length <= limit_bytes && is_printable_ascii(text, length)) {
        return json_stringn_nocheck(text, length);
    }
    g_autoptr(GString) clean = g_string_new(NULL);
    const char *end = text + length;
    for (const char *at = text; at < end;) {
        at += append_character(clean, at, end);
    }
    cut_middle(clean, limit_bytes);
    return json_stringn(clean->str, clean->len);
}

json_t *hr_json_text(const char *text)
{
    return hr_json_text_within(text, HR_JSON_TEXT_MAX_BYTES);
}

json_t *hr_json_integer(double value)
{
    const double rounded = round(value);
    if (!(rounded > -INTEGER_END && rounded < INTEGER_END)) {
        return json_null();
    }
    return json_integer((json_int_t)rounded);
}

json_t *hr_json_count(uint64_t value)
{
    return value > INT64_MAX ? json_null() : json_integer((json_int_t)value);
}

json_t *hr_json_hex(uint64_t value)
{
    char text[24];
    g_snprintf(text, sizeof text, "0x%" G_GINT64_MODIFIER "x", (guint64)value);
    return json_string(text);
}

// A quotient of whole numbers is the double nearest to the decimal, so it survives being written
// with 15 digits and read.
static json_t *decimal(double value, double scale)
{
    if (!isfinite(value)) {
        return json_null();
    }
    const double rounded = round(value * scale);
    if (fabs(rounded) >= 1e15) {
        return json_null();
    }
    return json_real(rounded == 0 ? 0.0 : rounded / scale);
}

json_t *hr_json_ratio(double value)
{
    return decimal(value, 1e6);
}

json_t *hr_json_seconds(double value)
{
    return decimal(value, 1e3);
}

json_t *hr_json_time(double unix_s)
{
    if (!isfinite(unix_s)) {
        return json_null();
    }
    g_autoptr(GString) text = g_string_new(NULL);
    hr_format_append_rfc3339(text, unix_s);
    return g_ascii_isdigit(text->str[0]) ? json_string(text->str) : json_null();
}

json_t *hr_json_by_key(const char *key, double value)
{
    switch (hr_format_key_unit(key)) {
    case HR_UNIT_BYTES:
    case HR_UNIT_BYTES_PER_HOUR:
    case HR_UNIT_INTEGER:
    case HR_UNIT_OBJECTS:
        return hr_json_integer(value);
    case HR_UNIT_SECONDS:
        return hr_json_seconds(value);
    case HR_UNIT_TIME:
        return hr_json_time(value);
    case HR_UNIT_RATIO:
    case HR_UNIT_NONE:
        return hr_json_ratio(value);
    }
    g_assert_not_reached();
}

// A bound is rounded outward; an exact value is its own bound.
static json_t *compose_bound(struct hr_estimate estimate, bool upper)
{
    const double value = round(estimate.value);
    const double bound = upper ? estimate.high : estimate.low;
    if (isnan(value) || isnan(bound)) {
        return json_null();
    }
    if (bound == estimate.value) {
        return hr_json_integer(value);
    }
    return hr_json_integer(upper ? fmax(value, ceil(bound)) : fmin(value, floor(bound)));
}

void hr_json_set_estimate(json_t *object, const char *key, struct hr_estimate estimate)
{
    g_autofree char *low = g_strconcat(key, "_low", NULL);
    g_autofree char *high = g_strconcat(key, "_high", NULL);
    hr_json_set(object, key, hr_json_integer(estimate.value));
    hr_json_set(object, low, compose_bound(estimate, false));
    hr_json_set(object, high, compose_bound(estimate, true));
}

json_t *hr_json_tool(void)
{
    json_t *tool = json_object();
    hr_json_set(tool, "name", json_string("heapreport"));
    hr_json_set(tool, "version", json_string(HR_VERSION));
    return tool;
}
