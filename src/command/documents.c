// SPDX-License-Identifier: MIT
#include "command/documents.h"

#include "command/write_outputs.h"
#include "document/document.h"
#include "result/result.h"

const char *hr_documents_template(const json_t *result)
{
    return json_string_value(json_object_get(json_object_get(result, "presentation"), "template"));
}

static char *choose_template(const json_t *result, const struct hr_options *options,
                             const char *data_dir)
{
    const char *named = hr_documents_template(result);
    if (options->template_file || named) {
        return g_strdup(options->template_file ? options->template_file : named);
    }
    return g_build_filename(data_dir, "templates", "report.xml", NULL);
}

bool hr_documents_write(const json_t *result, const struct hr_options *options,
                        const char *data_dir, const struct hr_export_model *model,
                        struct hr_outputs *outputs, struct hr_messages *messages, GError **error)
{
    g_autoptr(GByteArray) bytes = g_byte_array_new();
    hr_result_write(result, bytes);
    HR_AUTO(hr_document) document = NULL;
    if (hr_outputs_need_document(outputs)) {
        hr_messages_phase(messages, "phase-compose");
        g_autofree char *template_file = choose_template(result, options, data_dir);
        document = hr_document_compose(result, template_file, bytes->data, bytes->len, error);
        if (!document) {
            return false;
        }
    }
    hr_messages_phase(messages, "phase-render");
    const struct hr_output_sources sources = {
        .result = result,
        .result_bytes = bytes,
        .text = messages->text,
        .data_dir = data_dir,
        .document = document,
        .model = model,
        .jobs = hr_options_jobs(options),
    };
    return hr_write_outputs(outputs, &sources, messages, error);
}
