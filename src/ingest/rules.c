// SPDX-License-Identifier: MIT
//
// Key files under templates/rules/; groups and keys count in the order of the file:
//
//   frames.conf            [allocator] [runtime] [library] [app]
//                          function=glob;glob   file=glob   module=glob
//                          function.rust=glob   a key may bear a name, so that it can stand twice
//   categories.conf        [category]
//                          function=glob;glob
//   evidence-columns.conf  [source name]
//                          time=column   needs=column;column
//                          column=quantity unit
//   jemalloc-options.conf  [switch] [number] [word] [text]
//                          option=lowest highest   of a number
//                          option=word word        of a word
//
#include "ingest/ingest.h"

#include "base/cursor.h"
#include "base/files.h"
#include "base/key_file.h"

#include <string.h>

#define RULE_FILE_MAX_BYTES ((size_t)4 * 1024 * 1024)

struct rule_file {
    const char *path;
    char *text;
    size_t size;
    GKeyFile *keys;
};

static void rule_file_clear(struct rule_file *file)
{
    g_free(file->text);
    g_key_file_unref(file->keys);
}

static bool rule_file_read(struct rule_file *file, const char *path, GError **error)
{
    *file = (struct rule_file){.path = path};
    GError *reason = NULL;
    if (!hr_file_read(path, RULE_FILE_MAX_BYTES, &file->text, &file->size, &reason)) {
        g_set_error(error, HR_ERROR, HR_ERROR_TEMPLATE, "%s: %s", path, reason->message);
        g_error_free(reason);
        return false;
    }
    file->keys = hr_key_file_parse(path, file->text, file->size, HR_ERROR_TEMPLATE, error);
    if (!file->keys) {
        g_free(file->text);
    }
    return file->keys != NULL;
}

// The line of a key (NULL: of the group itself), for messages; GKeyFile does not keep it.
static unsigned line_of(const struct rule_file *file, const char *group, const char *key)
{
    struct hr_cursor cursor;
    struct hr_cursor line;
    bool inside = false;
    hr_cursor_init(&cursor, file->text, file->size);
    while (hr_cursor_take_line(&cursor, &line)) {
        hr_cursor_skip_blanks(&line);
        if (hr_cursor_take_if(&line, "[")) {
            inside = hr_span_equals(hr_cursor_take_until(&line, ']'), group);
            if (inside && !key) {
                return line.line;
            }
            continue;
        }
        if (inside && key && hr_cursor_take_if(&line, key)) {
            hr_cursor_skip_blanks(&line);
            if (hr_cursor_take_if(&line, "=")) {
                return line.line;
            }
        }
    }
    return 0;
}

static bool fail(const struct rule_file *file, const char *group, const char *key,
                 const char *reason, GError **error)
{
    g_set_error(error, HR_ERROR, HR_ERROR_TEMPLATE, "%s:%u: %s", file->path,
                line_of(file, group, key), reason);
    return false;
}

struct reading {
    struct hr_arena *arena;
    const struct rule_file *file;
    GArray *rules; // of the struct that the reader of the group appends
};

static bool frame_kind_of(const char *group, enum hr_frame_kind *kind)
{
    static const struct {
        const char *name;
        enum hr_frame_kind kind;
    } kinds[] = {{"allocator", HR_FRAME_ALLOCATOR},
                 {"runtime", HR_FRAME_RUNTIME},
                 {"library", HR_FRAME_LIBRARY},
                 {"app", HR_FRAME_APP}};
    for (size_t i = 0; i < G_N_ELEMENTS(kinds); i++) {
        if (strcmp(kinds[i].name, group) == 0) {
            *kind = kinds[i].kind;
            return true;
        }
    }
    return false;
}

static bool frame_field_of(const char *key, enum hr_frame_field *field)
{
    static const char *const names[] = {"function", "file", "module"};
    for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
        const size_t length = strlen(names[i]);
        if (strncmp(names[i], key, length) == 0 && (key[length] == '\0' || key[length] == '.')) {
            *field = (enum hr_frame_field)i;
            return true;
        }
    }
    return false;
}

static bool read_frame_key(struct reading *reading, const char *group, const char *key,
                           GError **error)
{
    struct hr_frame_rule rule;
    if (!frame_kind_of(group, &rule.kind)) {
        return fail(reading->file, group, NULL,
                    "the group must be allocator, runtime, library or app", error);
    }
    if (!frame_field_of(key, &rule.field)) {
        return fail(reading->file, group, key, "the key must be function, file or module", error);
    }
    g_auto(GStrv) globs = g_key_file_get_string_list(reading->file->keys, group, key, NULL, NULL);
    for (size_t i = 0; globs && globs[i]; i++) {
        rule.glob = hr_arena_strdup(reading->arena, g_strstrip(globs[i]));
        if (*rule.glob) {
            g_array_append_val(reading->rules, rule);
        }
    }
    return true;
}

static bool read_category_key(struct reading *reading, const char *group, const char *key,
                              GError **error)
{
    if (strcmp(key, "function") != 0) {
        return fail(reading->file, group, key, "the key must be function", error);
    }
    g_auto(GStrv) globs = g_key_file_get_string_list(reading->file->keys, group, key, NULL, NULL);
    const char *category = hr_arena_strdup(reading->arena, group);
    for (size_t i = 0; globs && globs[i]; i++) {
        g_autofree char *lower = g_ascii_strdown(g_strstrip(globs[i]), -1);
        const struct hr_category_rule rule = {category, hr_arena_strdup(reading->arena, lower)};
        if (*lower) {
            g_array_append_val(reading->rules, rule);
        }
    }
    return true;
}

static bool scale_of(const char *unit, enum hr_evidence_id id, double *scale)
{
    static const struct {
        const char *unit;
        double scale;
    } units[] = {{"bytes", 1},
                 {"KiB", 1024},
                 {"MiB", 1024 * 1024},
                 {"GiB", 1024.0 * 1024 * 1024},
                 {"count", 1}};
    for (size_t i = 0; i < G_N_ELEMENTS(units); i++) {
        const bool is_count = strcmp(units[i].unit, "count") == 0;
        if (strcmp(units[i].unit, unit) == 0 && is_count == (id == HR_EVIDENCE_THREADS)) {
            *scale = units[i].scale;
            return true;
        }
    }
    return false;
}

static bool read_column_key(struct reading *reading, const char *group, const char *key,
                            GError **error)
{
    g_autofree char *text = g_key_file_get_string(reading->file->keys, group, key, NULL);
    g_auto(GStrv) words = g_strsplit(text ? g_strstrip(text) : "", " ", 2);
    struct hr_column_rule rule = {.column = hr_arena_strdup(reading->arena, key)};
    if (!words[0] || !words[1] || !hr_evidence_find_name(words[0], &rule.id) ||
        !scale_of(g_strstrip(words[1]), rule.id, &rule.scale)) {
        return fail(reading->file, group, key, "expected a quantity and its unit: rss MiB", error);
    }
    g_array_append_val(reading->rules, rule);
    return true;
}

static const char *const *copy_list(struct hr_arena *arena, char **list)
{
    const size_t count = list ? g_strv_length(list) : 0;
    const char **copy = HR_ARENA_ARRAY(arena, const char *, count + 1);
    for (size_t i = 0; i < count; i++) {
        copy[i] = hr_arena_strdup(arena, g_strstrip(list[i]));
    }
    return copy;
}

static bool setting_kind_of(const char *group, enum hr_setting_kind *kind)
{
    static const char *const names[] = {"switch", "number", "word", "text"};
    for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
        if (strcmp(names[i], group) == 0) {
            *kind = (enum hr_setting_kind)i;
            return true;
        }
    }
    return false;
}

static bool read_setting_key(struct reading *reading, const char *group, const char *key,
                             GError **error)
{
    struct hr_setting_rule rule = {.name = hr_arena_strdup(reading->arena, key)};
    if (!setting_kind_of(group, &rule.kind)) {
        return fail(reading->file, group, NULL, "the group must be switch, number, word or text",
                    error);
    }
    g_autofree char *text = g_key_file_get_string(reading->file->keys, group, key, NULL);
    g_auto(GStrv) words = g_strsplit(text ? g_strstrip(text) : "", " ", -1);
    if (rule.kind == HR_SETTING_NUMBER &&
        (g_strv_length(words) != 2 ||
         !g_ascii_string_to_signed(words[0], 10, INT64_MIN, INT64_MAX, &rule.least, NULL) ||
         !g_ascii_string_to_signed(words[1], 10, rule.least, INT64_MAX, &rule.most, NULL))) {
        return fail(reading->file, group, key, "expected the lowest and the highest value", error);
    }
    if (rule.kind == HR_SETTING_WORD && !words[0]) {
        return fail(reading->file, group, key, "expected the words that may stand there", error);
    }
    rule.words = copy_list(reading->arena, words);
    g_array_append_val(reading->rules, rule);
    return true;
}

typedef bool read_key_function(struct reading *reading, const char *group, const char *key,
                               GError **error);

// Reads every key of every group, in order.
static bool read_keys(struct reading *reading, read_key_function *read_key, GError **error)
{
    g_auto(GStrv) groups = g_key_file_get_groups(reading->file->keys, NULL);
    for (size_t i = 0; groups[i]; i++) {
        g_auto(GStrv) keys = g_key_file_get_keys(reading->file->keys, groups[i], NULL, NULL);
        for (size_t k = 0; keys && keys[k]; k++) {
            if (!read_key(reading, groups[i], keys[k], error)) {
                return false;
            }
        }
    }
    return true;
}

static bool read_file(struct hr_arena *arena, const char *path, GArray *rules,
                      read_key_function *read_key, GError **error)
{
    struct rule_file file;
    if (!rule_file_read(&file, path, error)) {
        return false;
    }
    struct reading reading = {arena, &file, rules};
    const bool complete = read_keys(&reading, read_key, error);
    rule_file_clear(&file);
    return complete;
}

static bool read_table(struct hr_arena *arena, const struct rule_file *file, const char *group,
                       GArray *tables, GError **error)
{
    g_autoptr(GArray) columns = g_array_new(FALSE, FALSE, sizeof(struct hr_column_rule));
    struct reading reading = {arena, file, columns};
    g_auto(GStrv) keys = g_key_file_get_keys(file->keys, group, NULL, NULL);
    g_autofree char *time = g_key_file_get_string(file->keys, group, "time", NULL);
    g_auto(GStrv) needs = g_key_file_get_string_list(file->keys, group, "needs", NULL, NULL);
    if (!time) {
        return fail(file, group, NULL, "the group must say which column is the time", error);
    }
    for (size_t i = 0; keys && keys[i]; i++) {
        if (strcmp(keys[i], "time") != 0 && strcmp(keys[i], "needs") != 0 &&
            !read_column_key(&reading, group, keys[i], error)) {
            return false;
        }
    }
    const struct hr_table_rule table = {
        .source = hr_arena_strdup(arena, group),
        .time_column = hr_arena_strdup(arena, time),
        .needs = copy_list(arena, needs),
        .columns = hr_arena_copy(arena, columns->data, columns->len, sizeof(struct hr_column_rule)),
        .columns_count = columns->len};
    g_array_append_val(tables, table);
    return true;
}

static bool read_tables(struct hr_arena *arena, const char *path, GArray *tables, GError **error)
{
    struct rule_file file;
    if (!rule_file_read(&file, path, error)) {
        return false;
    }
    bool complete = true;
    g_auto(GStrv) groups = g_key_file_get_groups(file.keys, NULL);
    for (size_t i = 0; complete && groups[i]; i++) {
        complete = read_table(arena, &file, groups[i], tables, error);
    }
    rule_file_clear(&file);
    return complete;
}

bool hr_ingest_read_rules(struct hr_arena *arena, struct hr_rules *rules, const char *data_dir,
                          const char *frames_file, GError **error)
{
    g_autofree char *folder = g_build_filename(data_dir, "templates", "rules", NULL);
    g_autofree char *frames_path = g_build_filename(folder, "frames.conf", NULL);
    g_autofree char *categories_path = g_build_filename(folder, "categories.conf", NULL);
    g_autofree char *columns_path = g_build_filename(folder, "evidence-columns.conf", NULL);
    g_autofree char *settings_path = g_build_filename(folder, "jemalloc-options.conf", NULL);
    g_autoptr(GArray) frames = g_array_new(FALSE, FALSE, sizeof(struct hr_frame_rule));
    g_autoptr(GArray) categories = g_array_new(FALSE, FALSE, sizeof(struct hr_category_rule));
    g_autoptr(GArray) tables = g_array_new(FALSE, FALSE, sizeof(struct hr_table_rule));
    g_autoptr(GArray) settings = g_array_new(FALSE, FALSE, sizeof(struct hr_setting_rule));
    if ((frames_file && !read_file(arena, frames_file, frames, read_frame_key, error)) ||
        !read_file(arena, frames_path, frames, read_frame_key, error) ||
        !read_file(arena, categories_path, categories, read_category_key, error) ||
        !read_tables(arena, columns_path, tables, error) ||
        !read_file(arena, settings_path, settings, read_setting_key, error)) {
        return false;
    }
    *rules = (struct hr_rules){
        .frame_rules =
            hr_arena_copy(arena, frames->data, frames->len, sizeof(struct hr_frame_rule)),
        .frame_rules_count = frames->len,
        .category_rules = hr_arena_copy(arena, categories->data, categories->len,
                                        sizeof(struct hr_category_rule)),
        .category_rules_count = categories->len,
        .table_rules =
            hr_arena_copy(arena, tables->data, tables->len, sizeof(struct hr_table_rule)),
        .table_rules_count = tables->len,
        .setting_rules =
            hr_arena_copy(arena, settings->data, settings->len, sizeof(struct hr_setting_rule)),
        .setting_rules_count = settings->len};
    hr_rules_init_thresholds(rules);
    return true;
}
