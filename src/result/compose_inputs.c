// SPDX-License-Identifier: MIT
// inputs: which files the result stands on.
#include "result/composer.h"

#include <math.h>
#include <string.h>
#include <sys/stat.h>

#define INPUTS_MAX 200
#define EVIDENCE_MAX 100 // of the inputs; dumps need room beside a long run's snapshots

enum role { ROLE_BINARY, ROLE_DEBUG, ROLE_DUMP, ROLE_EVIDENCE };

static const char *const ROLE_NAMES[] = {[ROLE_BINARY] = "binary",
                                         [ROLE_DEBUG] = "debug",
                                         [ROLE_DUMP] = "dump",
                                         [ROLE_EVIDENCE] = "evidence"};

struct input {
    const char *path;
    enum role role;
    double size_bytes;  // NAN: unknown
    const char *sha256; // NULL: not known
    bool listed;
};

static double file_size(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 ? (double)status.st_size : NAN;
}

static void add_input(GArray *inputs, const char *path, enum role role, double size_bytes,
                      const char *sha256)
{
    const struct input input = {path, role, size_bytes, sha256, false};
    g_array_append_val(inputs, input);
}

static bool has_path(const GArray *inputs, const char *path)
{
    for (guint i = 0; i < inputs->len; i++) {
        if (strcmp(g_array_index(inputs, struct input, i).path, path) == 0) {
            return true;
        }
    }
    return false;
}

static void add_debug(GArray *inputs, const char *path)
{
    if (path && !has_path(inputs, path)) {
        add_input(inputs, path, ROLE_DEBUG, file_size(path), NULL);
    }
}

static void add_symbol_files(const struct hr_symbols *symbols, GArray *inputs)
{
    if (!symbols) {
        return;
    }
    if (symbols->binary_path) {
        add_input(inputs, symbols->binary_path, ROLE_BINARY, file_size(symbols->binary_path), NULL);
    }
    add_debug(inputs, symbols->binary_debug_file);
    for (uint32_t i = 0; i < symbols->modules_count; i++) {
        add_debug(inputs, symbols->modules[i].debug_file);
    }
}

static void add_run_files(const struct hr_composer *composer, GArray *inputs)
{
    const struct hr_run *run = composer->run;
    const struct hr_dump *base = hr_composer_base(composer);
    const struct hr_dump *final = hr_composer_final(composer);
    for (size_t i = 0; i < run->dumps_count; i++) {
        const struct hr_dump *dump = &run->dumps[i];
        if (dump->used) {
            add_input(inputs, dump->file, ROLE_DUMP, (double)dump->size_bytes,
                      dump == base || dump == final ? dump->sha256 : NULL);
        }
    }
    for (size_t i = 0; i < run->evidence.files_count; i++) {
        const struct hr_evidence_file *file = &run->evidence.files[i];
        add_input(inputs, file->file, ROLE_EVIDENCE, (double)file->size_bytes, file->sha256);
    }
}

// Marks up to `limit` more inputs of that kind as listed.
static void list_inputs(GArray *inputs, enum role role, bool hashed_only, size_t limit,
                        size_t *listed)
{
    for (guint i = 0; i < inputs->len && limit > 0 && *listed < INPUTS_MAX; i++) {
        struct input *input = &g_array_index(inputs, struct input, i);
        if (input->role != role || input->listed || (hashed_only && !input->sha256)) {
            continue;
        }
        input->listed = true;
        limit--;
        (*listed)++;
    }
}

static json_t *compose_input(const struct input *input)
{
    json_t *entry = json_object();
    hr_json_set(entry, "path", hr_json_text(input->path));
    hr_json_set(entry, "role", json_string(ROLE_NAMES[input->role]));
    hr_json_set(entry, "size_bytes", hr_json_integer(input->size_bytes));
    hr_json_set(entry, "sha256", input->sha256 ? json_string(input->sha256) : json_null());
    return entry;
}

void hr_compose_set_inputs(const struct hr_composer *composer, json_t *result)
{
    g_autoptr(GArray) inputs = g_array_new(FALSE, FALSE, sizeof(struct input));
    add_symbol_files(composer->symbols, inputs);
    add_run_files(composer, inputs);
    size_t listed = 0;
    list_inputs(inputs, ROLE_DUMP, true, INPUTS_MAX, &listed);
    list_inputs(inputs, ROLE_BINARY, false, INPUTS_MAX, &listed);
    list_inputs(inputs, ROLE_DEBUG, false, EVIDENCE_MAX / 2, &listed);
    list_inputs(inputs, ROLE_EVIDENCE, false, EVIDENCE_MAX, &listed);
    list_inputs(inputs, ROLE_DUMP, false, INPUTS_MAX, &listed);
    json_t *list = json_array();
    double rest_bytes = 0;
    for (guint i = 0; i < inputs->len; i++) {
        const struct input *input = &g_array_index(inputs, struct input, i);
        if (input->listed) {
            hr_json_append(list, compose_input(input));
        } else {
            rest_bytes += isnan(input->size_bytes) ? 0 : input->size_bytes;
        }
    }
    json_t *rest = json_object();
    hr_json_set(rest, "count", hr_json_count(inputs->len - listed));
    hr_json_set(rest, "size_bytes", hr_json_integer(rest_bytes));
    hr_json_set(result, "inputs", list);
    hr_json_set(result, "inputs_rest", rest);
}
