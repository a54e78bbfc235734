// SPDX-License-Identifier: MIT
//
// NAME=value of one line     blanks around it are left out, those within stay
// NAME="a \"b\"" 'c'         quotes are taken off; a backslash at the end joins the next line
// # comment                  ; too
//
#include "doctor/environment_file.h"

#include "base/files.h"

#include <string.h>

#define FILE_BYTES_MAX ((size_t)1024 * 1024)

// What a backslash takes its meaning from: anything outside quotes, little between double ones,
// nothing between single ones.
static bool is_escape(const char *at, char quote)
{
    return at[0] == '\\' && at[1] && quote != '\'' && (!quote || strchr("\"\\`$\n", at[1]));
}

// The value that begins at `at`, which moves to the end of its line.
static char *take_value(const char **at)
{
    g_autoptr(GString) value = g_string_new(NULL);
    gsize kept = 0; // blanks that were quoted stay
    char quote = 0;
    const char *text = *at + strspn(*at, " \t");
    for (; *text && (quote || *text != '\n'); text++) {
        if (is_escape(text, quote)) {
            text++;
            g_string_append_len(value, text, *text != '\n');
            kept = value->len;
        } else if (*text == quote) {
            quote = 0;
        } else if (!quote && strchr("\"'", *text)) {
            quote = *text;
        } else {
            g_string_append_c(value, *text);
            kept = quote || !strchr(" \t", *text) ? value->len : kept;
        }
    }
    *at = text;
    return g_strndup(value->str, kept);
}

bool hr_environment_file_read(struct hr_arena *arena, const char *path, GPtrArray *assignments)
{
    g_autofree char *bytes = NULL;
    size_t size;
    if (!hr_file_read(path, FILE_BYTES_MAX, &bytes, &size, NULL)) {
        return false;
    }
    g_autoptr(GString) text = g_string_new(bytes);
    g_string_replace(text, "\r\n", "\n", 0);
    for (const char *at = text->str; *at;) {
        at += strspn(at, " \t\n");
        const size_t length = strcspn(at, "=\n");
        if (at[length] != '=' || strchr("#;", *at)) {
            at += strcspn(at, "\n");
            continue;
        }
        g_autofree char *name = g_strchomp(g_strndup(at, length));
        at += length + 1;
        g_autofree char *value = take_value(&at);
        g_ptr_array_add(assignments, hr_arena_printf(arena, "%s=%s", name, value));
    }
    return true;
}
