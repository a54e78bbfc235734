// SPDX-License-Identifier: MIT
#include "export/export.h"

#include "export/formats.h"
#include "result/result.h"

#include <string.h>

static const struct hr_export EXPORTS[] = {
    {"json", ".json", hr_json_export_write, NULL},
    {"csv", ".csv", hr_csv_export_write, NULL},
    {"prom", ".prom", hr_prom_export_write, NULL},
    {"junit", ".junit.xml", hr_junit_export_write, NULL},
    {"folded-diff", ".diff.folded", NULL, hr_folded_diff_export_write}, // before what it ends with
    {"folded", ".folded", NULL, hr_folded_export_write},
    {"pprof", ".pb.gz", NULL, hr_pprof_export_write},
    {NULL, NULL, NULL, NULL},
};

const struct hr_export *hr_exports(void)
{
    return EXPORTS;
}

const struct hr_export *hr_export_find_name(const char *name)
{
    for (const struct hr_export *export = EXPORTS; export->name; export ++) {
        if (strcmp(export->name, name) == 0) {
            return export;
        }
    }
    return NULL;
}

const struct hr_export *hr_export_find_path(const char *path)
{
    for (const struct hr_export *export = EXPORTS; export->name; export ++) {
        if (g_str_has_suffix(path, export->suffix)) {
            return export;
        }
    }
    return NULL;
}

void hr_json_export_write(const json_t *result, const struct hr_text *text, GByteArray *out)
{
    (void)text;
    hr_result_write(result, out);
}
