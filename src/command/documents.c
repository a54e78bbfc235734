// SPDX-License-Identifier: MIT
#include "command/documents.h"

#include "document/document.h"
#include "result/result.h"

static char *choose_template(const json_t *result, const struct hr_options *options,
                             const char *data_dir)
{
    const char *named =
        json_string_value(json_object_get(json_object_get(result, "presentation"), "template"));
    if (options->template_file || named) {
        return g_strdup(options->template_file ? options->template_file : named);
    }
    return g_build_filename(data_dir, "templates", "report.xml", NULL);
}

static bool prepare_documents(struct hr_output_sources *sources, const char *template_file,
                              const char *data_dir, struct hr_outputs *outputs,
                              struct hr_messages *messages, GError **error)
{
    hr_messages_phase(messages, "phase-compose");
    HR_AUTO(hr_document)
    document = hr_document_compose(sources->result, template_file, sources->result_bytes->data,
                                   sources->result_bytes->len, error);
    if (!document) {
        return false;
    }
    hr_messages_phase(messages, "phase-render");
    HR_AUTO(hr_renderer) renderer = hr_renderer_new(data_dir, error);
    sources->document = document;
    sources->renderer = renderer;
    return renderer && hr_outputs_prepare(outputs, sources, error);
}

bool hr_documents_write(const json_t *result, const struct hr_options *options,
                        const char *data_dir, const struct hr_export_model *model,
                        struct hr_outputs *outputs, struct hr_messages *messages, GError **error)
{
    g_autoptr(GByteArray) bytes = g_byte_array_new();
    hr_result_write(result, bytes);
    struct hr_output_sources sources = {
        .result = result, .result_bytes = bytes, .text = messages->text, .model = model};
    g_autofree char *template_file = choose_template(result, options, data_dir);
    const bool prepared =
        hr_outputs_need_document(outputs)
            ? prepare_documents(&sources, template_file, data_dir, outputs, messages, error)
            : hr_outputs_prepare(outputs, &sources, error);
    if (!prepared) {
        return false;
    }
    hr_messages_phase(messages, "phase-write");
    return hr_outputs_commit(outputs, error);
}
