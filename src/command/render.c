// SPDX-License-Identifier: MIT
// heapreport render RESULT.json -o OUT: documents from a result, without dumps and binary.
#include "command/confinement.h"
#include "command/data_dir.h"
#include "command/documents.h"
#include "command/result_file.h"
#include "command/verbs.h"

bool hr_verb_render(const struct hr_options *options, struct hr_messages *messages, GError **error)
{
    if (!options->input_file || options->outputs->len == 0) {
        g_set_error_literal(error, HR_ERROR, HR_ERROR_USAGE,
                            "render needs a result and an output: "
                            "heapreport render RESULT.json -o report.pdf");
        return false;
    }
    HR_AUTO(hr_outputs) outputs = hr_outputs_new(options, error);
    if (!outputs || !hr_outputs_keep_input(outputs, options->input_file, error) ||
        !hr_outputs_keep_input(outputs, options->template_file, error)) {
        return false;
    }
    g_autofree char *data_dir = hr_data_dir_find(error);
    if (!data_dir) {
        return false;
    }
    HR_AUTO(hr_confinement)
    confinement = hr_confinement_new(options, data_dir, outputs, NULL, messages->text);
    json_t *result = hr_result_file_read(options->input_file, error);
    if (result) {
        hr_confinement_narrow(confinement, hr_documents_template(result));
    }
    const bool written =
        result && hr_documents_write(result, options, data_dir, NULL, outputs, messages, error);
    json_decref(result);
    return written;
}
