// SPDX-License-Identifier: MIT
#include "export/formats.h"
#include "result/json_csv.h"

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
                                      "nights_count",
                                      NULL};

// A sum of rows has no id of its own: its name stands there.
static void add_sum(struct hr_csv *csv, const json_t *sum, const char *name)
{
    hr_csv_add_text(csv, name);
    hr_json_add_row(csv, sum, COLUMNS + 1);
}

void hr_csv_export_write(const json_t *result, const struct hr_text *text, GByteArray *out)
{
    (void)text;
    g_autoptr(GString) table = g_string_new(NULL);
    struct hr_csv csv = {.out = table};
    hr_csv_add_head(&csv, COLUMNS);
    size_t i;
    json_t *suspect;
    json_array_foreach(json_object_get(result, "suspects"), i, suspect)
    {
        hr_json_add_row(&csv, suspect, COLUMNS);
    }
    add_sum(&csv, json_object_get(result, "suspects_rest"), "rest");
    add_sum(&csv, json_object_get(result, "totals"), "total");
    g_byte_array_append(out, (const guint8 *)table->str, (guint)table->len);
}
