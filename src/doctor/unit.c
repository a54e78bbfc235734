// SPDX-License-Identifier: MIT
//
// [Service]
// Key=value                  a backslash at the end joins the next line that is no comment (# ;)
// Environment="A=b c" D=e    words as a shell quotes them; an empty value forgets what was there
//
#include "doctor/unit.h"

#include "base/files.h"
#include "doctor/environment_file.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#define UNIT_BYTES_MAX ((size_t)1024 * 1024)

struct reading {
    struct hr_arena *arena;
    struct hr_unit *unit;
    GPtrArray *environment;
    GPtrArray *from_files; // EnvironmentFile: these win over the unit's own
    GPtrArray *unset;
    GPtrArray *writable;
    GPtrArray *read_only;
    GPtrArray *inaccessible;
};

// What stands for "%S" and its like in a unit of the system; what is not known here stays.
static char *expand(const char *name, const char *value)
{
    const char *dot = strrchr(name, '.');
    const char *at_sign = strchr(name, '@');
    const char *end = dot ? dot : name + strlen(name);
    const char *instance = at_sign && at_sign < end ? at_sign + 1 : end;
    const char *prefix_end = at_sign && at_sign < end ? at_sign : end;
    const struct {
        char letter;
        const char *text;
        const char *end;
    } known[] = {
        {'%', "%", NULL},        {'n', name, NULL},         {'N', name, end},
        {'p', name, prefix_end}, {'i', instance, end},      {'S', "/var/lib", NULL},
        {'L', "/var/log", NULL}, {'C', "/var/cache", NULL}, {'t', "/run", NULL},
        {'E', "/etc", NULL},     {'T', "/tmp", NULL},       {'V', "/var/tmp", NULL},
    };
    GString *out = g_string_new(NULL);
    for (; *value; value++) {
        size_t i = 0;
        while (*value == '%' && i < G_N_ELEMENTS(known) && known[i].letter != value[1]) {
            i++;
        }
        if (*value != '%' || i == G_N_ELEMENTS(known)) {
            g_string_append_c(out, *value);
            continue;
        }
        g_string_append_len(out, known[i].text, known[i].end ? known[i].end - known[i].text : -1);
        value++;
    }
    return g_string_free(out, FALSE);
}

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

static void read_environment_file(struct reading *reading, const char *value)
{
    const bool may_be_missing = *value == '-';
    const char *path = value + may_be_missing;
    if (!*value) {
        g_ptr_array_set_size(reading->from_files, 0);
        reading->unit->unread_file = NULL;
        return;
    }
    if (!hr_environment_file_read(reading->arena, path, reading->from_files) &&
        !(may_be_missing && access(path, F_OK) != 0 && errno == ENOENT)) {
        reading->unit->unread_file = hr_arena_strdup(reading->arena, path);
    }
}

static bool is_yes(const char *value)
{
    static const char *const words[] = {"1", "yes", "y", "true", "t", "on", NULL};
    g_autofree char *word = g_ascii_strdown(value, -1);
    return g_strv_contains(words, word);
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
        {"RootDirectory", &unit->root_directory},
        {"KillSignal", &unit->kill_signal},
        {"ProtectSystem", &unit->protect_system},
        {"ProtectHome", &unit->protect_home},
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
        {"InaccessiblePaths", reading->inaccessible, ""},
        {"UnsetEnvironment", reading->unset, ""},
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
    if (strcmp(key, "WorkingDirectory") == 0) {
        // "-": it may be missing
        set_text(reading, &reading->unit->working_directory, value + (*value == '-'));
    } else if (strcmp(key, "ExecStart") == 0) {
        set_program(reading, value);
    } else if (strcmp(key, "EnvironmentFile") == 0) {
        read_environment_file(reading, value);
    } else if (strcmp(key, "DynamicUser") == 0) {
        reading->unit->dynamic_user = is_yes(value);
    } else if (strcmp(key, "PrivateTmp") == 0) {
        reading->unit->private_tmp = is_yes(value);
    } else if (strcmp(key, "NoNewPrivileges") == 0) {
        reading->unit->no_new_privileges = is_yes(value);
    }
}

static void read_line(struct reading *reading, char *line, bool *in_service)
{
    char *at = g_strstrip(line);
    char *equals = strchr(at, '=');
    if (*at == '[') {
        *in_service = strcmp(at, "[Service]") == 0;
    } else if (*in_service && equals) {
        *equals = '\0';
        g_autofree char *value = expand(reading->unit->name, g_strchug(equals + 1));
        read_key(reading, g_strchomp(at), value);
    }
}

static bool is_continued(const char *line)
{
    size_t backslashes = 0;
    for (size_t at = strlen(line); at > 0 && line[at - 1] == '\\'; at--) {
        backslashes++;
    }
    return backslashes % 2 == 1;
}

// Comments between lines that are joined are none of their text, and join nothing themselves.
static void read_text(struct reading *reading, const char *text)
{
    g_autoptr(GString) joined = g_string_new(text);
    g_string_replace(joined, "\r\n", "\n", 0);
    g_auto(GStrv) lines = g_strsplit(joined->str, "\n", -1);
    g_string_truncate(joined, 0);
    bool in_service = false;
    for (char **line = lines; *line; line++) {
        const char *begin = *line + strspn(*line, " \t");
        if (*begin && strchr("#;", *begin)) {
            continue;
        }
        g_string_append(joined, *line);
        if (is_continued(*line) && line[1]) {
            joined->str[joined->len - 1] = ' ';
            continue;
        }
        read_line(reading, joined->str, &in_service);
        g_string_truncate(joined, 0);
    }
}

// "NAME" takes the variable away, "NAME=VALUE" only with that value.
static bool is_unset(const struct reading *reading, const char *assignment)
{
    for (guint i = 0; i < reading->unset->len; i++) {
        const char *unset = reading->unset->pdata[i];
        const size_t length = strlen(unset);
        if (strcmp(unset, assignment) == 0 ||
            (!strchr(unset, '=') && strncmp(unset, assignment, length) == 0 &&
             assignment[length] == '=')) {
            return true;
        }
    }
    return false;
}

static const char *const *compose_environment(struct reading *reading)
{
    g_autoptr(GPtrArray) list = g_ptr_array_new();
    g_ptr_array_extend(list, reading->environment, NULL, NULL);
    g_ptr_array_extend(list, reading->from_files, NULL, NULL);
    for (guint i = list->len; i-- > 0;) {
        if (is_unset(reading, list->pdata[i])) {
            g_ptr_array_remove_index(list, i);
        }
    }
    g_ptr_array_add(list, NULL);
    return hr_arena_copy(reading->arena, list->pdata, list->len, sizeof(char *));
}

static const char *const *finish(struct reading *reading, GPtrArray *list)
{
    g_ptr_array_add(list, NULL);
    return hr_arena_copy(reading->arena, list->pdata, list->len, sizeof(char *));
}

const struct hr_unit *hr_unit_read(struct hr_arena *arena, const char *const *paths, GError **error)
{
    g_autoptr(GPtrArray) environment = g_ptr_array_new();
    g_autoptr(GPtrArray) from_files = g_ptr_array_new();
    g_autoptr(GPtrArray) unset = g_ptr_array_new();
    g_autoptr(GPtrArray) writable = g_ptr_array_new();
    g_autoptr(GPtrArray) read_only = g_ptr_array_new();
    g_autoptr(GPtrArray) inaccessible = g_ptr_array_new();
    struct hr_unit *unit = HR_ARENA_NEW(arena, struct hr_unit);
    struct reading reading = {arena, unit,     environment, from_files,
                              unset, writable, read_only,   inaccessible};
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
    unit->environment = compose_environment(&reading);
    unit->writable = finish(&reading, writable);
    unit->read_only = finish(&reading, read_only);
    unit->inaccessible = finish(&reading, inaccessible);
    return unit;
}
