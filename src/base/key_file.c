// SPDX-License-Identifier: MIT
#include "base/key_file.h"

#include "base/cursor.h"

// NUL bytes are no UTF-8 here: GKeyFile would end a value at one.
static bool check_text(const char *path, const char *text, size_t size, enum hr_error code,
                       GError **error)
{
    const char *end;
    if (g_utf8_validate_len(text, size, &end)) {
        return true;
    }
    unsigned line = 1;
    for (const char *at = text; at < end; at++) {
        line += *at == '\n';
    }
    g_set_error(error, HR_ERROR, code, "%s:%u: is no UTF-8 text", path, line);
    return false;
}

static bool check_twice(const char *path, const char *text, size_t size, enum hr_error code,
                        GError **error)
{
    g_autoptr(GHashTable) seen = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    g_autofree char *group = g_strdup("");
    struct hr_cursor cursor;
    struct hr_cursor line;
    hr_cursor_init(&cursor, text, size);
    while (hr_cursor_take_line(&cursor, &line)) {
        hr_cursor_skip_blanks(&line);
        const bool is_group = hr_cursor_take_if(&line, "[");
        const struct hr_span name = hr_cursor_take_until(&line, is_group ? ']' : '=');
        if (hr_cursor_at_end(&line) || name.length == 0 || *name.text == '#') {
            continue;
        }
        g_autofree char *said = g_strndup(name.text, name.length);
        char *full = is_group ? g_strdup(said) : g_strconcat(group, "]", g_strstrip(said), NULL);
        if (!g_hash_table_add(seen, full)) {
            g_set_error(error, HR_ERROR, code, "%s:%u: %s stands here twice", path, line.line,
                        said);
            return false;
        }
        if (is_group) {
            g_free(group);
            group = g_steal_pointer(&said);
        }
    }
    return true;
}

// A value that no reader could take, as a list or as one.
static bool check_values(GKeyFile *file, const char *path, enum hr_error code, GError **error)
{
    g_auto(GStrv) groups = g_key_file_get_groups(file, NULL);
    for (char **group = groups; *group; group++) {
        g_auto(GStrv) keys = g_key_file_get_keys(file, *group, NULL, NULL);
        for (char **key = keys; key && *key; key++) {
            g_autoptr(GError) reason = NULL;
            g_strfreev(g_key_file_get_string_list(file, *group, *key, NULL, &reason));
            if (reason) {
                g_set_error(error, HR_ERROR, code, "%s: [%s]: %s: %s", path, *group, *key,
                            reason->message);
                return false;
            }
        }
    }
    return true;
}

GKeyFile *hr_key_file_parse(const char *path, const char *text, size_t size, enum hr_error code,
                            GError **error)
{
    g_autoptr(GKeyFile) file = g_key_file_new();
    g_autoptr(GError) reason = NULL;
    struct hr_cursor cursor;
    hr_cursor_init(&cursor, text, size);
    hr_cursor_take_mark(&cursor);
    text = cursor.at;
    size = (size_t)(cursor.end - cursor.at);
    if (!check_text(path, text, size, code, error)) {
        return NULL;
    }
    // GLib says of an empty file that it is none.
    if (size > 0 && !g_key_file_load_from_data(file, text, size, G_KEY_FILE_NONE, &reason)) {
        g_set_error(error, HR_ERROR, code, "%s: %s", path, reason->message);
        return NULL;
    }
    if (!check_twice(path, text, size, code, error) || !check_values(file, path, code, error)) {
        return NULL;
    }
    return g_steal_pointer(&file);
}

bool hr_key_file_get(GKeyFile *file, const char *group, const char *key, char **value,
                     enum hr_error code, GError **error)
{
    g_autoptr(GError) reason = NULL;
    *value = g_key_file_get_string(file, group, key, &reason);
    if (!reason || g_error_matches(reason, G_KEY_FILE_ERROR, G_KEY_FILE_ERROR_KEY_NOT_FOUND)) {
        return true;
    }
    g_clear_pointer(value, g_free);
    g_set_error(error, HR_ERROR, code, "[%s]: %s: %s", group, key, reason->message);
    return false;
}
