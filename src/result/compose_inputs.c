// SPDX-License-Identifier: MIT
// inputs: which files the result stands on, what it stands on most first, for a page shows the first few.
#include "result/composer.h"

#include <math.h>
#include <string.h>
#include <sys/stat.h>

#define INPUTS_MAX 200

enum role { ROLE_BINARY, ROLE_DEBUG, ROLE_DUMP, ROLE_EVIDENCE, ROLE_COUNT };

static const char *const ROLE_NAMES[] = {[ROLE_BINARY] = "binary",
                                         [ROLE_DEBUG] = "debug",
                                         [ROLE_DUMP] = "dump",
                                         [ROLE_EVIDENCE] = "evidence"};

// Of the inputs; the dumps between base and final need room beside a long run's snapshots.
static const size_t LISTED_MAX[] = {
    [ROLE_BINARY] = 1, [ROLE_DEBUG] = 50, [ROLE_DUMP] = INPUTS_MAX, [ROLE_EVIDENCE] = 100};

struct input {
    const char *path;
    enum role role;
    double size_bytes;  // NAN: unknown
    const char *sha256; // NULL: not known
};

static double file_size(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 ? (double)status.st_size : NAN;
}

static void add_input(GArray *inputs, const char *path, enum role role, double size_bytes,
                      const char *sha256)
{
    const struct input input = {path, role, size_bytes, sha256};
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

static void add_dump(GArray *inputs, const struct hr_dump *dump, const char *sha256)
{
    if (dump) {
        add_input(inputs, dump->file, ROLE_DUMP, (double)dump->size_bytes, sha256);
    }
}

static void add_evidence(const struct hr_evidence *evidence, GArray *inputs)
{
    for (size_t i = 0; i < evidence->files_count; i++) {
        const struct hr_evidence_file *file = &evidence->files[i];
        add_input(inputs, file->file, ROLE_EVIDENCE, (double)file->size_bytes, file->sha256);
    }
}

static void add_files(const struct hr_composer *composer, GArray *inputs)
{
    const struct hr_run *run = composer->run;
    const struct hr_dump *base = hr_composer_base(composer);
    const struct hr_dump *final = hr_composer_final(composer);
    add_dump(inputs, base, base ? base->sha256 : NULL);
    add_dump(inputs, final != base ? final : NULL, final ? final->sha256 : NULL);
    add_symbol_files(composer->symbols, inputs);
    add_evidence(&run->evidence, inputs);
    for (size_t i = 0; i < run->dumps_count; i++) {
        const struct hr_dump *dump = &run->dumps[i];
        if (dump->used && dump != base && dump != final) {
            add_dump(inputs, dump, NULL);
        }
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
    add_files(composer, inputs);
    json_t *list = json_array();
    size_t listed[ROLE_COUNT] = {0};
    size_t rest_count = 0;
    double rest_bytes = 0;
    for (guint i = 0; i < inputs->len; i++) {
        const struct input *input = &g_array_index(inputs, struct input, i);
        if (json_array_size(list) < INPUTS_MAX && listed[input->role] < LISTED_MAX[input->role]) {
            hr_json_append(list, compose_input(input));
            listed[input->role]++;
        } else {
            rest_count++;
            rest_bytes += isnan(input->size_bytes) ? 0 : input->size_bytes;
        }
    }
    json_t *rest = json_object();
    hr_json_set(rest, "count", hr_json_count(rest_count));
    hr_json_set(rest, "size_bytes", hr_json_integer(rest_bytes));
    hr_json_set(result, "inputs", list);
    hr_json_set(result, "inputs_rest", rest);
}
