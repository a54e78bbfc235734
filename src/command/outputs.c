// SPDX-License-Identifier: MIT
#include "command/outputs.h"

#include "command/target.h"
#include "render/chart/csv.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>

// One -o as it was given.
struct output {
    const char *path;
    const struct hr_backend *backend; // of a document
    const struct hr_export *export;   // for machines; both NULL: the result as it is
    bool is_directory;                // gets every chart as a file of its own
    struct hr_target *target;         // NULL: standard output, or a directory
};

// One file's bytes, waiting to be written.
struct piece {
    struct hr_target *target; // NULL: standard output
    bool owns_target;
    GByteArray *bytes;
};

struct hr_outputs {
    const char *chart;
    GPtrArray *outputs;      // of struct output
    GPtrArray *pieces;       // of struct piece
    bool to_standard_output; // paths are not printed then: they would end up inside the document
};

static void output_free(void *pointer)
{
    struct output *output = pointer;
    hr_target_free(output->target);
    g_free(output);
}

static void piece_free(void *pointer)
{
    struct piece *piece = pointer;
    if (piece->owns_target) {
        hr_target_free(piece->target);
    }
    g_byte_array_unref(piece->bytes);
    g_free(piece);
}

void hr_outputs_free(struct hr_outputs *outputs)
{
    if (!outputs) {
        return;
    }
    g_ptr_array_unref(outputs->pieces);
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
static bool find_format(struct output *output, const char *format, GError **error)
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

static bool settle_directory(struct output *output, GError **error)
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
    return true;
}

static bool settle(struct hr_outputs *outputs, struct output *output,
                   const struct hr_options *options, GError **error)
{
    if (g_str_has_suffix(output->path, "/")) {
        return settle_directory(output, error);
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
    if (outputs->chart && !output->backend) {
        g_set_error(error, HR_ERROR, HR_ERROR_USAGE, "-o %s: a result has no single chart",
                    output->path);
        return false;
    }
    if (strcmp(output->path, "-") == 0) {
        outputs->to_standard_output = true;
        return true;
    }
    output->target = hr_target_new(output->path, error);
    return output->target != NULL;
}

static bool is_named_before(const struct hr_outputs *outputs, const struct output *output)
{
    for (guint i = 0; i < outputs->outputs->len; i++) {
        const struct output *other = outputs->outputs->pdata[i];
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
    outputs->pieces = g_ptr_array_new_with_free_func(piece_free);
    for (guint i = 0; i < options->outputs->len; i++) {
        struct output *output = g_new0(struct output, 1);
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
        const struct output *output = outputs->outputs->pdata[i];
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
        const struct output *output = outputs->outputs->pdata[i];
        if (output->backend) {
            return true;
        }
    }
    return false;
}

static void add_piece(struct hr_outputs *outputs, struct hr_target *target, bool owns_target,
                      GByteArray *bytes)
{
    struct piece *piece = g_new0(struct piece, 1);
    *piece = (struct piece){target, owns_target, bytes};
    g_ptr_array_add(outputs->pieces, piece);
}

static bool prepare_chart(struct hr_outputs *outputs, const struct output *output,
                          const struct hr_output_sources *sources, const char *chart,
                          GError **error)
{
    g_autofree char *path = g_strdup_printf("%s%s%s", output->path, chart, output->backend->suffix);
    g_autoptr(GByteArray) bytes = g_byte_array_new();
    HR_AUTO(hr_target) target = hr_target_new(path, error);
    if (!target ||
        !output->backend->write(sources->renderer, sources->document, chart, bytes, error)) {
        return false;
    }
    add_piece(outputs, HR_STEAL(target), true, g_steal_pointer(&bytes));
    return true;
}

// The numbers of a chart, beside its picture.
static bool prepare_numbers(struct hr_outputs *outputs, const struct output *output,
                            const struct hr_chart *chart, GError **error)
{
    g_autofree char *path = g_strdup_printf("%s%s.csv", output->path, chart->name);
    HR_AUTO(hr_target) target = hr_target_new(path, error);
    if (!target) {
        return false;
    }
    g_autoptr(GString) csv = g_string_new(NULL);
    hr_chart_append_csv(chart, csv);
    GByteArray *bytes = g_byte_array_new();
    g_byte_array_append(bytes, (const guint8 *)csv->str, (guint)csv->len);
    add_piece(outputs, HR_STEAL(target), true, bytes);
    return true;
}

static bool prepare_directory(struct hr_outputs *outputs, const struct output *output,
                              const struct hr_output_sources *sources, GError **error)
{
    if (mkdir(output->path, 0777) != 0 && errno != EEXIST) {
        g_set_error(error, HR_ERROR, HR_ERROR_OUTPUT, "cannot make %s: %s", output->path,
                    g_strerror(errno));
        return false;
    }
    struct hr_node_iterator iterator = {.root = sources->document->root};
    while (hr_node_iterator_next(&iterator)) {
        const struct hr_node *node = iterator.node;
        const bool is_chart = iterator.entering && node->kind == HR_NODE_CHART;
        if (is_chart && node->chart->kind != HR_CHART_SPARKLINE &&
            (!prepare_chart(outputs, output, sources, node->chart->name, error) ||
             !prepare_numbers(outputs, output, node->chart, error))) {
            return false;
        }
    }
    return true;
}

static bool write_bytes(const struct hr_outputs *outputs, const struct output *output,
                        const struct hr_output_sources *sources, GByteArray *bytes, GError **error)
{
    if (output->backend) {
        return output->backend->write(sources->renderer, sources->document, outputs->chart, bytes,
                                      error);
    }
    if (output->export && output->export->write_model && !sources->model->final) {
        g_set_error_literal(error, HR_ERROR, HR_ERROR_INPUT,
                            "this format holds stacks, and no dump was read");
        return false;
    }
    if (output->export && output->export->write_model) {
        output->export->write_model(sources->model, bytes);
    } else if (output->export) {
        output->export->write_result(sources->result, sources->text, bytes);
    } else {
        g_byte_array_append(bytes, sources->result_bytes->data, sources->result_bytes->len);
    }
    return true;
}

static bool prepare_output(struct hr_outputs *outputs, struct output *output,
                           const struct hr_output_sources *sources, GError **error)
{
    if (output->is_directory) {
        return prepare_directory(outputs, output, sources, error);
    }
    g_autoptr(GByteArray) bytes = g_byte_array_new();
    if (!write_bytes(outputs, output, sources, bytes, error)) {
        g_prefix_error(error, "%s: ", output->path);
        return false;
    }
    add_piece(outputs, output->target, false, g_steal_pointer(&bytes));
    return true;
}

bool hr_outputs_prepare(struct hr_outputs *outputs, const struct hr_output_sources *sources,
                        GError **error)
{
    for (guint i = 0; i < outputs->outputs->len; i++) {
        if (!prepare_output(outputs, outputs->outputs->pdata[i], sources, error)) {
            return false;
        }
    }
    return true;
}

static bool fill_all(const struct hr_outputs *outputs, GError **error)
{
    for (guint i = 0; i < outputs->pieces->len; i++) {
        const struct piece *piece = outputs->pieces->pdata[i];
        if (piece->target &&
            !hr_target_fill(piece->target, piece->bytes->data, piece->bytes->len, error)) {
            return false;
        }
    }
    return true;
}

static bool commit_piece(const struct hr_outputs *outputs, const struct piece *piece,
                         GError **error)
{
    if (!piece->target) {
        if (hr_messages_output((const char *)piece->bytes->data, piece->bytes->len)) {
            return true;
        }
        g_set_error(error, HR_ERROR, HR_ERROR_OUTPUT, "cannot write to standard output: %s",
                    g_strerror(errno));
        return false;
    }
    if (!hr_target_commit(piece->target, error)) {
        return false;
    }
    // That nobody reads the paths does not unmake the report.
    if (!outputs->to_standard_output) {
        (void)hr_messages_path(hr_target_path(piece->target));
    }
    return true;
}

static bool commit_all(const struct hr_outputs *outputs, GError **error)
{
    if (!fill_all(outputs, error)) {
        return false;
    }
    for (guint i = 0; i < outputs->pieces->len; i++) {
        if (!commit_piece(outputs, outputs->pieces->pdata[i], error)) {
            return false;
        }
    }
    return true;
}

bool hr_outputs_commit(struct hr_outputs *outputs, GError **error)
{
    // An interrupt in between would leave temporary files behind.
    sigset_t interrupts;
    sigset_t before;
    sigemptyset(&interrupts);
    sigaddset(&interrupts, SIGINT);
    sigaddset(&interrupts, SIGTERM);
    sigaddset(&interrupts, SIGHUP);
    pthread_sigmask(SIG_BLOCK, &interrupts, &before);
    const bool committed = commit_all(outputs, error);
    if (!committed) {
        g_ptr_array_set_size(outputs->pieces, 0);
        g_ptr_array_set_size(outputs->outputs, 0);
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return committed;
}
