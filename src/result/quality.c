// SPDX-License-Identifier: MIT
// data_quality: what the run had to do without, the most severe first.
#include "result/composer.h"
#include "result/names.h"
#include "result/tree.h"

static json_t *compose_diagnostic(const struct hr_text *text,
                                  const struct hr_diagnostic *diagnostic)
{
    char code[16];
    g_snprintf(code, sizeof code, "HR-%03d", (int)diagnostic->code);
    g_autoptr(GString) words = g_string_new(NULL);
    g_autoptr(GString) remedy = g_string_new(NULL);
    hr_text_append_diagnostic(text, words, diagnostic);
    hr_text_append_remedy(text, remedy, diagnostic);
    json_t *files = json_array();
    for (unsigned i = 0; i < diagnostic->files_count; i++) {
        hr_json_append(files, hr_json_text(diagnostic->files[i]));
    }
    json_t *entry = json_object();
    hr_json_set(entry, "code", json_string(code));
    hr_json_set(entry, "severity", json_string(hr_name_severity(diagnostic->severity)));
    hr_json_set(entry, "text", hr_json_text_within(words->str, HR_JSON_SENTENCE_MAX_BYTES));
    hr_json_set(
        entry, "remedy",
        hr_json_text_within(remedy->len > 0 ? remedy->str : NULL, HR_JSON_SENTENCE_MAX_BYTES));
    hr_json_set(entry, "count", hr_json_count(diagnostic->count));
    hr_json_set(entry, "files", files);
    return entry;
}

json_t *hr_compose_data_quality(const struct hr_composer *composer)
{
    json_t *quality = json_array();
    for (guint i = 0; i < hr_diagnostics_count(composer->diagnostics); i++) {
        hr_json_append(quality, compose_diagnostic(composer->text,
                                                   hr_diagnostics_get(composer->diagnostics, i)));
    }
    return quality;
}

static int severity_rank(const json_t *entry)
{
    const char *severity = hr_tree_text(entry, "severity");
    return g_strcmp0(severity, "error") == 0 ? 0 : g_strcmp0(severity, "warning") == 0 ? 1 : 2;
}

static bool comes_before(const json_t *entry, const json_t *other)
{
    const int difference = severity_rank(entry) - severity_rank(other);
    return difference < 0 || (difference == 0 && g_strcmp0(hr_tree_text(entry, "code"),
                                                           hr_tree_text(other, "code")) < 0);
}

void hr_result_add_diagnostics(json_t *result, const struct hr_text *text,
                               const struct hr_diagnostics *diagnostics)
{
    json_t *quality = json_object_get(result, "data_quality");
    for (guint i = 0; i < hr_diagnostics_count(diagnostics); i++) {
        json_t *entry = compose_diagnostic(text, hr_diagnostics_get(diagnostics, i));
        size_t at = 0;
        while (at < json_array_size(quality) && !comes_before(entry, json_array_get(quality, at))) {
            at++;
        }
        json_array_insert_new(quality, at, entry);
    }
}
