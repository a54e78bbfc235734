// SPDX-License-Identifier: MIT
#include "command/outputs.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void output_free(void *pointer)
{
    struct hr_output *output = pointer;
    if (output->made_directory) {
        (void)rmdir(output->path); // only when it is empty
    }
    hr_target_free(output->target);
    g_free(output);
}

void hr_outputs_free(struct hr_outputs *outputs)
{
    if (!outputs) {
        return;
    }
    g_ptr_array_unref(outputs->outputs);
    g_free(outputs);
}

static char *list_formats(void)
{
    GString *list = g_string_new(NULL);
    for (const struct hr_backend *backend = hr_backends(); backend->name; backend++) {
        g_string_append_printf(list, "%s ", backend->suffix);
    }
    for (const struct hr_export *export = hr_exports(); export->name; export ++) {
        g_string_append_printf(list, "%s ", export->suffix);
    }
    g_string_truncate(list, list->len - 1);
    return g_string_free(list, FALSE);
}

static void set_unknown_format(GError **error, const char *what)
{
    g_autofree char *formats = list_formats();
    g_set_error(error, HR_ERROR, HR_ERROR_USAGE, "-o %s: unknown format; there are %s", what,
                formats);
}

// The name's suffix decides; --format serves names that have none of ours.
static bool find_format(struct hr_output *output, const char *format, GError **error)
{
    const bool is_stream = strcmp(output->path, "-") == 0;
    if (!is_stream && g_str_has_suffix(output->path, ".json")) {
        return true;
    }
    output->backend = is_stream ? NULL : hr_backend_find_path(output->path);
    output->export = is_stream || output->backend ? NULL : hr_export_find_path(output->path);
    if (output->backend || output->export) {
        return true;
    }
    if (!format) {
        if (is_stream) {
            g_set_error_literal(error, HR_ERROR, HR_ERROR_USAGE, "-o - needs --format NAME");
        } else {
            set_unknown_format(error, output->path);
        }
        return false;
    }
    output->backend = hr_backend_find_name(format);
    output->export = output->backend ? NULL : hr_export_find_name(format);
    if (!output->backend && !output->export && strcmp(format, "json") != 0) {
        set_unknown_format(error, format);
        return false;
    }
    return true;
}

static bool settle_directory(struct hr_output *output, GError **error)
{
    output->is_directory = true;
    output->backend = hr_backend_find_name("svg");
    g_assert(output->backend);
    struct stat status;
    if (stat(output->path, &status) == 0 && !S_ISDIR(status.st_mode)) {
        g_set_error(error, HR_ERROR, HR_ERROR_OUTPUT, "cannot write %s: it is no directory",
                    output->path);
        return false;
    }
    output->made_directory = mkdir(output->path, 0777) == 0;
    if (!output->made_directory && errno != EEXIST) {
        g_set_error(error, HR_ERROR, HR_ERROR_OUTPUT, "cannot make %s: %s", output->path,
                    g_strerror(errno));
        return false;
    }
    return true;
}

static bool fail_chart(const struct hr_output *output, GError **error)
{
    g_set_error(error, HR_ERROR, HR_ERROR_USAGE,
                "-o %s: --chart needs .svg, .png or .pdf, which can be one chart alone",
                output->path);
    hr_error_blame(error, "chart", NULL);
    return false;
}

static bool settle(struct hr_outputs *outputs, struct hr_output *output,
                   const struct hr_options *options, GError **error)
{
    if (g_str_has_suffix(output->path, "/")) {
        return outputs->chart ? fail_chart(output, error) : settle_directory(output, error);
    }
    if (!find_format(output, options->format, error)) {
        return false;
    }
    if (output->export && output->export->write_model && options->verb == HR_VERB_RENDER) {
        g_set_error(error, HR_ERROR, HR_ERROR_USAGE,
                    "-o %s: whole stacks are not in a result; this format needs the dumps",
                    output->path);
        return false;
    }
    if (outputs->chart && !(output->backend && output->backend->draws_one)) {
        return fail_chart(output, error);
    }
    if (strcmp(output->path, "-") == 0) {
        outputs->to_standard_output = true;
        return true;
    }
    output->target = hr_target_new(output->path, error);
    return output->target != NULL;
}

static bool is_named_before(const struct hr_outputs *outputs, const struct hr_output *output)
{
    for (guint i = 0; i < outputs->outputs->len; i++) {
        const struct hr_output *other = outputs->outputs->pdata[i];
        if (other == output) {
            return false;
        }
        const bool both_files = other->target && output->target;
        if (both_files ? hr_target_equal(other->target, output->target)
                       : strcmp(other->path, output->path) == 0) {
            return true;
        }
    }
    return false;
}

struct hr_outputs *hr_outputs_new(const struct hr_options *options, GError **error)
{
    HR_AUTO(hr_outputs) outputs = g_new0(struct hr_outputs, 1);
    outputs->chart = options->chart;
    outputs->outputs = g_ptr_array_new_with_free_func(output_free);
    for (guint i = 0; i < options->outputs->len; i++) {
        struct hr_output *output = g_new0(struct hr_output, 1);
        output->path = options->outputs->pdata[i];
        g_ptr_array_add(outputs->outputs, output);
        if (!settle(outputs, output, options, error)) {
            return NULL;
        }
        if (is_named_before(outputs, output)) {
            g_set_error(error, HR_ERROR, HR_ERROR_USAGE, "-o %s: named twice", output->path);
            return NULL;
        }
    }
    return HR_STEAL(outputs);
}

bool hr_outputs_keep_input(const struct hr_outputs *outputs, const char *path, GError **error)
{
    for (guint i = 0; path && i < outputs->outputs->len; i++) {
        const struct hr_output *output = outputs->outputs->pdata[i];
        if (output->target && hr_target_is_file(output->target, path)) {
            g_set_error(error, HR_ERROR, HR_ERROR_USAGE, "-o %s: this is an input", output->path);
            return false;
        }
    }
    return true;
}

bool hr_outputs_need_document(const struct hr_outputs *outputs)
{
    for (guint i = 0; i < outputs->outputs->len; i++) {
        const struct hr_output *output = outputs->outputs->pdata[i];
        if (output->backend) {
            return true;
        }
    }
    return false;
}
