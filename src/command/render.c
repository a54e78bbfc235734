// SPDX-License-Identifier: MIT
// heapreport render RESULT.json -o OUT: documents from a result, without dumps and binary.
#include "command/data_dir.h"
#include "command/documents.h"
#include "command/verbs.h"
#include "result/result.h"

#include "base/files.h"

#define RESULT_BYTES_MAX (64u << 20)

static json_t *read_result(const char *path, GError **error)
{
    g_autofree char *bytes = NULL;
    size_t size;
    json_t *result = NULL;
    if (hr_file_read(path, RESULT_BYTES_MAX, &bytes, &size, error)) {
        result = hr_result_read(bytes, size, error);
    }
    if (!result) {
        g_prefix_error(error, "%s: ", path);
    }
    return result;
}

bool hr_verb_render(const struct hr_options *options, struct hr_messages *messages, GError **error)
{
    if (!options->result_file || options->outputs->len == 0) {
        g_set_error_literal(error, HR_ERROR, HR_ERROR_USAGE,
                            "render needs a result and an output: "
                            "heapreport render RESULT.json -o report.pdf");
        return false;
    }
    HR_AUTO(hr_outputs) outputs = hr_outputs_new(options, error);
    if (!outputs || !hr_outputs_keep_input(outputs, options->result_file, error) ||
        !hr_outputs_keep_input(outputs, options->template_file, error)) {
        return false;
    }
    g_autofree char *data_dir = hr_data_dir_find(error);
    json_t *result = data_dir ? read_result(options->result_file, error) : NULL;
    const bool written =
        result && hr_documents_write(result, options, data_dir, NULL, outputs, messages, error);
    json_decref(result);
    return written;
}
