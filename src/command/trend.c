// SPDX-License-Identifier: MIT
// heapreport trend HISTORY.jsonl [-o OUT ...]: all nights that --history kept, in one view.
#include "night/trend.h"
#include "command/confinement.h"
#include "command/data_dir.h"
#include "command/target.h"
#include "command/verbs.h"
#include "document/document.h"
#include "render/render.h"

#include <errno.h>
#include <string.h>

enum format { FORMAT_TEXT, FORMAT_CSV, FORMAT_JSON, FORMAT_DOCUMENT, FORMATS_COUNT };

static const char *const FORMATS[] = {"txt", "csv", "json", NULL};

// One -o; no target: standard output.
struct piece {
    enum format format;
    const struct hr_backend *backend; // of a document
    struct hr_target *target;
};

static void piece_free(void *pointer)
{
    struct piece *piece = pointer;
    hr_target_free(piece->target);
    g_free(piece);
}

static bool find_format(const char *name, struct piece *piece, GError **error)
{
    for (int i = 0; name && FORMATS[i]; i++) {
        if (strcmp(name, FORMATS[i]) == 0) {
            piece->format = (enum format)i;
            return true;
        }
    }
    piece->format = FORMAT_DOCUMENT;
    piece->backend = name ? hr_backend_find_name(name) : NULL;
    if (!piece->backend) {
        g_set_error(error, HR_ERROR, HR_ERROR_USAGE,
                    "trend writes html, pdf, md, png, svg, txt, csv and json, not \"%s\": name the "
                    "output nights.html or give --format",
                    name ? name : "");
    }
    return piece->backend != NULL;
}

// The format that --format asks for, or else the suffix.
static struct piece *piece_new(const char *path, const char *format, GError **error)
{
    const bool to_output = strcmp(path, "-") == 0;
    const char *dot = strrchr(path, '.');
    const char *name = format ? format : dot ? dot + 1 : NULL;
    struct piece *piece = g_new0(struct piece, 1);
    if (!find_format(name, piece, error) ||
        (!to_output && !(piece->target = hr_target_new(path, error)))) {
        piece_free(piece);
        return NULL;
    }
    return piece;
}

static bool add_piece(GPtrArray *pieces, const struct hr_options *options, const char *path,
                      const char *format, GError **error)
{
    struct piece *piece = piece_new(path, format, error);
    if (!piece) {
        return false;
    }
    g_ptr_array_add(pieces, piece);
    if (piece->target && hr_target_is_file(piece->target, options->input_file)) {
        g_set_error(error, HR_ERROR, HR_ERROR_USAGE, "-o %s would replace the history", path);
        return false;
    }
    for (guint i = 0; i + 1 < pieces->len; i++) {
        const struct piece *other = pieces->pdata[i];
        const bool same = piece->target && other->target
                              ? hr_target_equal(piece->target, other->target)
                              : !piece->target && !other->target;
        if (same) {
            g_set_error(error, HR_ERROR, HR_ERROR_USAGE, "-o %s is named twice", path);
            return false;
        }
    }
    return true;
}

static GPtrArray *plan(const struct hr_options *options, GError **error)
{
    g_autoptr(GPtrArray) pieces = g_ptr_array_new_with_free_func(piece_free);
    const char *format = options->format;
    if (options->outputs->len == 0 &&
        !add_piece(pieces, options, "-", format ? format : FORMATS[FORMAT_TEXT], error)) {
        return NULL;
    }
    for (guint i = 0; i < options->outputs->len; i++) {
        if (!add_piece(pieces, options, options->outputs->pdata[i], format, error)) {
            return NULL;
        }
    }
    return g_steal_pointer(&pieces);
}

static void append_json(const json_t *trend, GString *out)
{
    char *json = json_dumps(trend, JSON_INDENT(1));
    g_string_append_printf(out, "%s\n", json);
    free(json);
}

// The document carries the trend as JSON inside, where its format can.
static bool append_document(const json_t *trend, const struct hr_backend *backend, GString *out,
                            GError **error)
{
    g_autofree char *data_dir = hr_data_dir_find(error);
    if (!data_dir) {
        return false;
    }
    HR_AUTO(hr_renderer) renderer = backend->needs_fonts ? hr_renderer_new(data_dir, error) : NULL;
    if (backend->needs_fonts && !renderer) {
        return false;
    }
    g_autoptr(GString) json = g_string_new(NULL);
    append_json(trend, json);
    g_autofree char *template_file = g_build_filename(data_dir, "templates", "trend.xml", NULL);
    HR_AUTO(hr_document)
    document = hr_document_compose(trend, template_file, json->str, json->len, error);
    g_autoptr(GByteArray) bytes = g_byte_array_new();
    if (!document || !backend->write(renderer, document, NULL, bytes, error)) {
        return false;
    }
    g_string_append_len(out, (const char *)bytes->data, bytes->len);
    return true;
}

static bool append(const json_t *trend, const struct piece *piece, const struct hr_text *text,
                   GString *out, GError **error)
{
    switch (piece->format) {
    case FORMAT_TEXT:
        hr_trend_append_text(trend, text, out);
        return true;
    case FORMAT_CSV:
        hr_trend_append_csv(trend, out);
        return true;
    case FORMAT_JSON:
        append_json(trend, out);
        return true;
    case FORMAT_DOCUMENT:
        return append_document(trend, piece->backend, out, error);
    case FORMATS_COUNT:
        break;
    }
    g_assert_not_reached();
}

static bool write_piece(const struct piece *piece, const GString *out, bool names_paths,
                        GError **error)
{
    bool printed;
    if (!piece->target) {
        printed = hr_messages_output(out->str, out->len);
    } else if (!hr_target_fill(piece->target, out->str, out->len, error) ||
               !hr_target_commit(piece->target, error)) {
        return false;
    } else {
        printed = !names_paths || hr_messages_path(hr_target_path(piece->target));
    }
    if (!printed) {
        g_set_error(error, HR_ERROR, HR_ERROR_OUTPUT, "standard output: %s", g_strerror(errno));
    }
    return printed;
}

static bool write_all(const json_t *trend, const GPtrArray *pieces, const struct hr_text *text,
                      GError **error)
{
    bool names_paths = true; // not where they would end up inside an output
    for (guint i = 0; i < pieces->len; i++) {
        names_paths &= ((const struct piece *)pieces->pdata[i])->target != NULL;
    }
    for (guint i = 0; i < pieces->len; i++) {
        const struct piece *piece = pieces->pdata[i];
        g_autoptr(GString) out = g_string_new(NULL);
        if (!append(trend, piece, text, out, error) ||
            !write_piece(piece, out, names_paths, error)) {
            return false;
        }
    }
    return true;
}

static void say_skipped(struct hr_messages *messages, unsigned skipped)
{
    if (skipped > 0 && !messages->quiet) {
        struct hr_phrase phrase = hr_phrase_new("trend-skipped");
        hr_phrase_add_number(&phrase, "lines_count", skipped);
        hr_messages_phrase(messages, &phrase);
    }
}

static struct hr_confinement *confine(const struct hr_options *options, const GPtrArray *pieces,
                                      const struct hr_text *text)
{
    g_autofree char *data_dir = hr_data_dir_find(NULL);
    g_autoptr(GPtrArray) targets = g_ptr_array_new();
    for (guint i = 0; i < pieces->len; i++) {
        const struct piece *piece = pieces->pdata[i];
        if (piece->target) {
            g_ptr_array_add(targets, piece->target);
        }
    }
    return hr_confinement_new(options, data_dir, NULL, targets, text);
}

bool hr_verb_trend(const struct hr_options *options, struct hr_messages *messages, GError **error)
{
    if (!options->input_file) {
        g_set_error_literal(error, HR_ERROR, HR_ERROR_USAGE,
                            "trend needs a history: heapreport trend HISTORY.jsonl");
        return false;
    }
    g_autoptr(GPtrArray) pieces = plan(options, error);
    if (!pieces) {
        return false;
    }
    HR_AUTO(hr_confinement) confinement = confine(options, pieces, messages->text);
    HR_AUTO(hr_history) history = hr_history_read(options->input_file, error);
    if (!history) {
        return false;
    }
    say_skipped(messages, hr_history_skipped_count(history));
    json_t *trend = hr_trend_compose(history, messages->text);
    const bool written = write_all(trend, pieces, messages->text, error);
    json_decref(trend);
    return written;
}
