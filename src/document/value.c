// SPDX-License-Identifier: MIT
#include "document/value.h"

#include "base/format.h"

#include <string.h>

static const char *const number_suffixes[] = {
    "_bytes", "_bytes_per_hour", "_objects", "_count", "_ratio", "_s", NULL};
// What these keys hold is code or a path: monospaced, broken at its joints.
static const char *const symbol_keys[] = {"function", "module",    "file",     "path",
                                          "pattern",  "prefix",    "build_id", "fingerprint",
                                          "offset",   "sha256",    "command",  "debug_file",
                                          "rule",     "reproduce", NULL};

static bool has_suffix(const char *key, const char *const *suffixes)
{
    for (; *suffixes; suffixes++) {
        if (g_str_has_suffix(key, *suffixes)) {
            return true;
        }
    }
    return false;
}

bool hr_value_key_is_number(const char *key)
{
    static const char *const bare[] = {"line", "sequence", "pid", "count", NULL};
    return has_suffix(key, number_suffixes) || g_strv_contains(bare, key);
}

static double bound(const json_t *object, const char *key, const char *suffix)
{
    g_autofree char *name = g_strconcat(key, suffix, NULL);
    const json_t *number = json_object_get(object, name);
    return json_is_number(number) ? json_number_value(number) : NAN;
}

static struct hr_value read_text(struct hr_arena *arena, const char *key, const char *text)
{
    struct hr_value value = {.kind = HR_VALUE_TEXT, .key = key, .significant = true};
    value.text = hr_arena_strdup(arena, text);
    if (g_str_has_suffix(key, "_time")) {
        value.kind = HR_VALUE_TIME;
    } else if (g_strv_contains(symbol_keys, key)) {
        value.kind = HR_VALUE_SYMBOL;
    }
    return value;
}

struct hr_value hr_value_read(struct hr_arena *arena, const json_t *object, const char *key,
                              const char *unit)
{
    const json_t *found = json_object_get(object, key);
    const char *kept = hr_arena_strdup(arena, unit ? unit : key);
    struct hr_value value = {.kind = HR_VALUE_NULL, .key = kept, .significant = true};
    if (json_is_string(found)) {
        return read_text(arena, kept, json_string_value(found));
    }
    if (json_is_boolean(found)) {
        value.kind = HR_VALUE_BOOLEAN;
        value.boolean = json_is_true(found);
    } else if (json_is_number(found)) {
        value.kind = HR_VALUE_NUMBER;
        value.number = (struct hr_estimate){json_number_value(found), bound(object, key, "_low"),
                                            bound(object, key, "_high")};
        value.significant =
            !strstr(key, "growth") || !json_is_false(json_object_get(object, "significant"));
    }
    return value;
}

struct hr_value hr_value_of_number(const char *key, double number)
{
    return (struct hr_value){
        .kind = HR_VALUE_NUMBER, .key = key, .number = {number, NAN, NAN}, .significant = true};
}

struct hr_value hr_value_of_text(const char *text)
{
    return (struct hr_value){.kind = HR_VALUE_TEXT, .key = "", .text = text, .significant = true};
}

// "2026-12-01T21:06:05Z" -> "2026-12-01 21:06:05 UTC"; what looks otherwise stays as it is.
static void append_time(GString *out, const char *text)
{
    size_t length = strlen(text);
    if (length < 20 || text[10] != 'T' || text[length - 1] != 'Z') {
        g_string_append(out, text);
        return;
    }
    g_string_append_printf(out, "%.10s %.8s UTC", text, text + 11);
}

// A number without a unit is a name rather than a quantity: no digits are grouped or dropped.
static void append_bare(GString *out, double number)
{
    char buffer[G_ASCII_DTOSTR_BUF_SIZE];
    g_string_append(out, g_ascii_formatd(buffer, sizeof buffer, "%.15g", number));
}

void hr_value_append(GString *out, const struct hr_value *value)
{
    switch (value->kind) {
    case HR_VALUE_NULL:
        g_string_append(out, "\xe2\x80\x94");
        break;
    case HR_VALUE_TEXT:
    case HR_VALUE_SYMBOL:
        g_string_append(out, value->text);
        break;
    case HR_VALUE_NUMBER:
        if (!has_suffix(value->key, number_suffixes)) {
            append_bare(out, value->number.value);
            break;
        }
        hr_format_append_estimate(out, value->key, value->number, value->significant);
        break;
    case HR_VALUE_TIME:
        append_time(out, value->text);
        break;
    case HR_VALUE_BOOLEAN:
        g_string_append(out, value->boolean ? "true" : "false");
        break;
    }
}
