// SPDX-License-Identifier: MIT
#include "export/formats.h"

#include <string.h>

static const char *const COLUMNS[] = {"id",
                                      "fingerprint",
                                      "function",
                                      "file",
                                      "line",
                                      "module",
                                      "category",
                                      "base_bytes",
                                      "final_bytes",
                                      "growth_bytes",
                                      "growth_bytes_low",
                                      "growth_bytes_high",
                                      "significant",
                                      "growth_objects",
                                      "mean_object_bytes",
                                      "share_ratio",
                                      "shape",
                                      "rate_bytes_per_hour",
                                      "status",
                                      "nights_count"};

// A spreadsheet would run a cell that begins like a formula; an apostrophe keeps it text.
static bool looks_like_formula(const char *text)
{
    return *text != '\0' && strchr("=+-@", *text) != NULL;
}

static void append_text(GString *out, const char *text)
{
    const bool formula = looks_like_formula(text);
    if (!formula && !strpbrk(text, ",\"\r\n")) {
        g_string_append(out, text);
        return;
    }
    g_string_append(out, formula ? "\"'" : "\"");
    for (; *text; text++) {
        g_string_append(out, *text == '"' ? "\"" : "");
        g_string_append_c(out, *text);
    }
    g_string_append_c(out, '"');
}

// Unknown is an empty cell.
static void append_value(GString *out, const json_t *value)
{
    if (json_is_string(value)) {
        append_text(out, json_string_value(value));
    } else if (value && !json_is_null(value)) {
        char *number = json_dumps(value, JSON_ENCODE_ANY | JSON_REAL_PRECISION(15));
        g_string_append(out, number);
        free(number);
    }
}

static void append_row(GString *out, const json_t *object, const char *id)
{
    for (size_t i = 0; i < G_N_ELEMENTS(COLUMNS); i++) {
        g_string_append(out, i > 0 ? "," : "");
        if (i == 0 && id) {
            append_text(out, id);
        } else {
            append_value(out, json_object_get(object, COLUMNS[i]));
        }
    }
    g_string_append(out, "\r\n");
}

void hr_csv_export_write(const json_t *result, const struct hr_text *text, GByteArray *out)
{
    (void)text;
    g_autoptr(GString) table = g_string_new(NULL);
    for (size_t i = 0; i < G_N_ELEMENTS(COLUMNS); i++) {
        g_string_append_printf(table, "%s%s", i > 0 ? "," : "", COLUMNS[i]);
    }
    g_string_append(table, "\r\n");
    size_t i;
    json_t *suspect;
    json_array_foreach(json_object_get(result, "suspects"), i, suspect)
    {
        append_row(table, suspect, NULL);
    }
    append_row(table, json_object_get(result, "suspects_rest"), "rest");
    append_row(table, json_object_get(result, "totals"), "total");
    g_byte_array_append(out, (const guint8 *)table->str, (guint)table->len);
}
