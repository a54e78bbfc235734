// SPDX-License-Identifier: MIT
#include "document/attachments.h"

#include "result/json_csv.h"

#define COLUMNS_MAX 20

// A list of the result as a file; columns are its keys, ended by NULL.
struct table_file {
    const char *name;
    const char *list;
    const char *columns[COLUMNS_MAX];
};

static const struct table_file table_files[] = {
    {"suspects.csv",
     "suspects",
     {"id", "fingerprint", "function", "file", "line", "module", "category", "base_bytes",
      "final_bytes", "growth_bytes", "growth_bytes_low", "growth_bytes_high", "significant",
      "growth_objects", "share_ratio", "shape", "rate_bytes_per_hour", "status", NULL}},
    {"threads.csv",
     "threads",
     {"name", "threads_count", "base_bytes", "final_bytes", "growth_bytes", NULL}},
    {"dumps.csv",
     "dumps",
     {"file", "kind", "sequence", "taken_time", "live_bytes", "used", "note", NULL}},
};

static void append_table(GString *out, const struct table_file *file, const json_t *list)
{
    struct hr_csv csv = {.out = out};
    hr_csv_add_head(&csv, file->columns);
    size_t i;
    json_t *row;
    json_array_foreach(list, i, row)
    {
        hr_json_add_row(&csv, row, file->columns);
    }
}

void hr_attachments_compose(struct hr_document *document, const json_t *result, const void *bytes,
                            size_t size)
{
    struct hr_attachment *attachments =
        HR_ARENA_ARRAY(document->arena, struct hr_attachment, G_N_ELEMENTS(table_files) + 1);
    const char *schema = json_string_value(json_object_get(result, "schema"));
    const bool is_trend = g_strcmp0(schema, "heapreport-trend") == 0;
    attachments[document->attachments_count++] =
        (struct hr_attachment){.name = is_trend ? "trend.json" : "result.json",
                               .mime_type = "application/json",
                               .description = document->title,
                               .bytes = bytes,
                               .size = size};
    for (size_t i = 0; i < G_N_ELEMENTS(table_files); i++) {
        const struct table_file *file = &table_files[i];
        const json_t *list = json_object_get(result, file->list);
        if (json_array_size(list) == 0) {
            continue;
        }
        g_autoptr(GString) table = g_string_new(NULL);
        append_table(table, file, list);
        attachments[document->attachments_count++] =
            (struct hr_attachment){.name = file->name,
                                   .mime_type = "text/csv",
                                   .description = document->title,
                                   .bytes = hr_arena_strdup(document->arena, table->str),
                                   .size = table->len};
    }
    document->attachments = attachments;
}
