// SPDX-License-Identifier: MIT
// heapreport trend HISTORY.jsonl [-o OUT ...]: all nights that --history kept, in one view.
#include "night/trend.h"
#include "command/target.h"
#include "command/verbs.h"

#include <errno.h>
#include <string.h>

enum format { FORMAT_TEXT, FORMAT_CSV, FORMAT_JSON, FORMATS_COUNT };

static const char *const FORMATS[] = {"txt", "csv", "json"};

// One -o; no target: standard output.
struct piece {
    enum format format;
    struct hr_target *target;
};

static void piece_free(void *pointer)
{
    struct piece *piece = pointer;
    hr_target_free(piece->target);
    g_free(piece);
}

static bool find_format(const char *name, enum format *format, GError **error)
{
    for (int i = 0; name && i < FORMATS_COUNT; i++) {
        if (strcmp(name, FORMATS[i]) == 0) {
            *format = (enum format)i;
            return true;
        }
    }
    g_set_error(error, HR_ERROR, HR_ERROR_USAGE,
                "trend writes txt, csv and json, not \"%s\": name the output nights.csv or "
                "give --format",
                name ? name : "");
    return false;
}

// The format that --format asks for, or else the suffix.
static struct piece *piece_new(const char *path, const char *format, GError **error)
{
    const bool to_output = strcmp(path, "-") == 0;
    const char *dot = strrchr(path, '.');
    const char *name = format ? format : dot ? dot + 1 : NULL;
    struct piece *piece = g_new0(struct piece, 1);
    if (!find_format(name, &piece->format, error) ||
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

static void append(const json_t *trend, enum format format, const struct hr_text *text,
                   GString *out)
{
    switch (format) {
    case FORMAT_TEXT:
        hr_trend_append_text(trend, text, out);
        return;
    case FORMAT_CSV:
        hr_trend_append_csv(trend, out);
        return;
    case FORMAT_JSON: {
        char *json = json_dumps(trend, JSON_INDENT(1));
        g_string_append_printf(out, "%s\n", json);
        free(json);
        return;
    }
    case FORMATS_COUNT:
        g_assert_not_reached();
    }
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
        append(trend, piece->format, text, out);
        if (!write_piece(piece, out, names_paths, error)) {
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

bool hr_verb_trend(const struct hr_options *options, struct hr_messages *messages, GError **error)
{
    if (!options->input_file) {
        g_set_error_literal(error, HR_ERROR, HR_ERROR_USAGE,
                            "trend needs a history: heapreport trend HISTORY.jsonl");
        return false;
    }
    g_autoptr(GPtrArray) pieces = plan(options, error);
    HR_AUTO(hr_history) history = pieces ? hr_history_read(options->input_file, error) : NULL;
    if (!history) {
        return false;
    }
    say_skipped(messages, hr_history_skipped_count(history));
    json_t *trend = hr_trend_compose(history, messages->text);
    const bool written = write_all(trend, pieces, messages->text, error);
    json_decref(trend);
    return written;
}
