// SPDX-License-Identifier: MIT
//
// [Service]
// Key=value                  # and ; begin a comment; a backslash at the end joins the next line
// Environment="A=b c" D=e    words as a shell quotes them; an empty value forgets what was there
//
#include "doctor/unit.h"

#include "base/files.h"

#include <string.h>

#define UNIT_BYTES_MAX ((size_t)1024 * 1024)

struct reading {
    struct hr_arena *arena;
    struct hr_unit *unit;
    GPtrArray *environment;
    GPtrArray *writable;
    GPtrArray *read_only;
};

// The next word of a value, quotes taken off; NULL at the end. systemd splits so.
static char *take_word(const char **at)
{
    const char *text = *at + strspn(*at, " \t");
    if (!*text) {
        *at = text;
        return NULL;
    }
    GString *word = g_string_new(NULL);
    char quote = 0;
    for (; *text && (quote || !strchr(" \t", *text)); text++) {
        if (*text == quote) {
            quote = 0;
        } else if (!quote && strchr("\"'", *text)) {
            quote = *text;
        } else if (*text == '\\' && text[1]) {
            g_string_append_c(word, *++text);
        } else if (*text == '%' && text[1] == '%') {
            g_string_append_c(word, *++text);
        } else {
            g_string_append_c(word, *text);
        }
    }
    *at = text;
    return g_string_free(word, FALSE);
}

// An empty value empties the list.
static void add_words(struct reading *reading, GPtrArray *list, const char *value,
                      const char *prefix)
{
    if (!*value) {
        g_ptr_array_set_size(list, 0);
        return;
    }
    for (char *word = take_word(&value); word; word = take_word(&value)) {
        g_ptr_array_add(list, hr_arena_printf(reading->arena, "%s%s", prefix, word));
        g_free(word);
    }
}

static void set_text(struct reading *reading, const char **member, const char *value)
{
    *member = *value ? hr_arena_strdup(reading->arena, value) : NULL;
}

static void set_program(struct reading *reading, const char *value)
{
    // "-", "@", ":", "+" and "!" before the path change how it is started.
    const char *at = value + strspn(value, "-@:+!");
    g_autofree char *word = take_word(&at);
    reading->unit->program = word ? hr_arena_strdup(reading->arena, word) : NULL;
}

// One assignment a line; "-" before the path: it may be missing.
static void read_environment_file(struct reading *reading, const char *value)
{
    g_autofree char *text = NULL;
    size_t size;
    if (!hr_file_read(value + (*value == '-'), UNIT_BYTES_MAX, &text, &size, NULL)) {
        return;
    }
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    for (char **line = lines; *line; line++) {
        const char *at = g_strstrip(*line);
        if (!*at || strchr("#;", *at) || !strchr(at, '=')) {
            continue;
        }
        g_autofree char *word = take_word(&at);
        g_ptr_array_add(reading->environment, hr_arena_strdup(reading->arena, word));
    }
}

static bool is_yes(const char *value)
{
    return g_ascii_strcasecmp(value, "yes") == 0 || g_ascii_strcasecmp(value, "true") == 0 ||
           g_ascii_strcasecmp(value, "on") == 0 || strcmp(value, "1") == 0;
}

// Keys whose value is kept as it is.
static bool set_text_key(struct reading *reading, const char *key, const char *value)
{
    struct hr_unit *unit = reading->unit;
    const struct {
        const char *key;
        const char **member;
    } keys[] = {
        {"User", &unit->user},
        {"Group", &unit->group},
        {"WorkingDirectory", &unit->working_directory},
        {"RootDirectory", &unit->root_directory},
        {"KillSignal", &unit->kill_signal},
        {"ProtectSystem", &unit->protect_system},
        {"LimitFSIZE", &unit->file_size_limit},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(keys); i++) {
        if (strcmp(keys[i].key, key) == 0) {
            set_text(reading, keys[i].member, value);
            return true;
        }
    }
    return false;
}

static void read_key(struct reading *reading, const char *key, const char *value)
{
    const struct {
        const char *key;
        GPtrArray *list;
        const char *prefix;
    } lists[] = {
        {"Environment", reading->environment, ""},
        {"ReadWritePaths", reading->writable, ""},
        {"StateDirectory", reading->writable, "/var/lib/"},
        {"LogsDirectory", reading->writable, "/var/log/"},
        {"CacheDirectory", reading->writable, "/var/cache/"},
        {"RuntimeDirectory", reading->writable, "/run/"},
        {"ReadOnlyPaths", reading->read_only, ""},
        {"InaccessiblePaths", reading->read_only, ""},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(lists); i++) {
        if (strcmp(lists[i].key, key) == 0) {
            add_words(reading, lists[i].list, value, lists[i].prefix);
            return;
        }
    }
    if (set_text_key(reading, key, value)) {
        return;
    }
    if (strcmp(key, "ExecStart") == 0) {
        set_program(reading, value);
    } else if (strcmp(key, "EnvironmentFile") == 0) {
        read_environment_file(reading, value);
    } else if (strcmp(key, "DynamicUser") == 0) {
        reading->unit->dynamic_user = is_yes(value);
    } else if (strcmp(key, "PrivateTmp") == 0) {
        reading->unit->private_tmp = is_yes(value);
    }
}

static void read_text(struct reading *reading, char *text)
{
    g_autoptr(GString) joined = g_string_new(text);
    g_string_replace(joined, "\\\n", " ", 0);
    g_auto(GStrv) lines = g_strsplit(joined->str, "\n", -1);
    bool in_service = false;
    for (char **line = lines; *line; line++) {
        char *at = g_strstrip(*line);
        if (*at == '[') {
            in_service = strcmp(at, "[Service]") == 0;
            continue;
        }
        char *equals = strchr(at, '=');
        if (!in_service || !*at || strchr("#;", *at) || !equals) {
            continue;
        }
        *equals = '\0';
        read_key(reading, g_strchomp(at), g_strchug(equals + 1));
    }
}

static const char *const *finish(struct reading *reading, GPtrArray *list)
{
    g_ptr_array_add(list, NULL);
    return hr_arena_copy(reading->arena, list->pdata, list->len, sizeof(char *));
}

const struct hr_unit *hr_unit_read(struct hr_arena *arena, const char *const *paths, GError **error)
{
    g_autoptr(GPtrArray) environment = g_ptr_array_new();
    g_autoptr(GPtrArray) writable = g_ptr_array_new();
    g_autoptr(GPtrArray) read_only = g_ptr_array_new();
    struct hr_unit *unit = HR_ARENA_NEW(arena, struct hr_unit);
    struct reading reading = {arena, unit, environment, writable, read_only};
    g_autofree char *name = g_path_get_basename(paths[0]);
    unit->name = hr_arena_strdup(arena, name);
    for (; *paths; paths++) {
        g_autofree char *text = NULL;
        size_t size;
        if (!hr_file_read(*paths, UNIT_BYTES_MAX, &text, &size, error)) {
            g_prefix_error(error, "%s: ", *paths);
            return NULL;
        }
        read_text(&reading, text);
    }
    unit->environment = finish(&reading, environment);
    unit->writable = finish(&reading, writable);
    unit->read_only = finish(&reading, read_only);
    return unit;
}
