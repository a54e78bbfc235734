// SPDX-License-Identifier: MIT
//
// heapreport.conf:
//
//   # comment
//   paper = letter            lines before the first section belong to report
//   full = true               an option without a value: true or false
//   [record]
//   every = 10s               to the end of the line, without blanks around it; no quotes
//   [report]
//   label = service=shop      what may be given several times stands several times
//   label = host=a7
//
#include "command/configuration.h"

#include "base/files.h"
#include "command/option_value.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define FILE_MAX_BYTES ((size_t)1024 * 1024)
#define NAME_BELOW "heapreport/heapreport.conf"

struct reading {
    struct hr_options *options;
    const char *path;
    unsigned line;
    enum hr_verb section;
    struct hr_options checked[HR_VERBS_COUNT]; // what every section says, in force or not
};

// False for a file that may be passed over; one that is there and cannot be read is a mistake.
static bool exists(const char *path, bool of_user)
{
    struct stat status;
    const int why = stat(path, &status) == 0 ? 0 : errno;
    // HOME may be that of another user, whose directories are closed to us.
    const bool closed = of_user && why == EACCES;
    return why != ENOENT && why != ENOTDIR && !closed;
}

// A relative directory is to be ignored (XDG Base Directory Specification).
static char *find_below(const char *directory, const char *rest, bool of_user)
{
    if (!directory || *directory != '/') {
        return NULL;
    }
    g_autofree char *path = g_build_filename(directory, rest, NULL);
    return exists(path, of_user) ? g_steal_pointer(&path) : NULL;
}

static char *find_of_user(void)
{
    const char *set = getenv("XDG_CONFIG_HOME");
    return set && *set == '/' ? find_below(set, NAME_BELOW, true)
                              : find_below(getenv("HOME"), ".config/" NAME_BELOW, true);
}

// The user's file, else the first of the system's; NULL when there is none.
static char *find_file(void)
{
    char *path = find_of_user();
    const char *set = getenv("XDG_CONFIG_DIRS");
    g_auto(GStrv) directories = g_strsplit(set && *set ? set : "/etc/xdg", ":", -1);
    for (char **directory = directories; !path && *directory; directory++) {
        path = find_below(*directory, NAME_BELOW, false);
    }
    return path;
}

static bool fail(const struct reading *reading, GError **error, const char *format, ...)
    G_GNUC_PRINTF(3, 4);

static bool fail(const struct reading *reading, GError **error, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *reason = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    g_set_error(error, HR_ERROR, HR_ERROR_USAGE, "%s:%u: %s", reading->path, reading->line, reason);
    return false;
}

static bool begin_section(struct reading *reading, char *text, GError **error)
{
    char *end = strchr(text, ']');
    if (!end || end[1] != '\0') {
        return fail(reading, error, "a section is such as [report]");
    }
    *end = '\0';
    const char *name = g_strstrip(text + 1);
    for (int verb = 0; verb < HR_VERBS_COUNT; verb++) {
        if (strcmp(name, hr_verb_name((enum hr_verb)verb)) == 0) {
            reading->section = (enum hr_verb)verb;
            return true;
        }
    }
    return fail(reading, error, "[%s] is no command of heapreport", name);
}

static const struct hr_option *find_key(const struct reading *reading, const char *key,
                                        GError **error)
{
    const struct hr_option *option = hr_option_find(reading->section, key);
    if (option && (option->verbs & HR_OPTION_ONE_RUN)) {
        fail(reading, error,
             "%s cannot stand in a configuration file: it says what one run does; give --%s on the "
             "command line",
             key, key);
        return NULL;
    }
    const struct hr_option *nearest = option ? NULL : hr_option_find_nearest(reading->section, key);
    if (nearest) {
        fail(reading, error, "unknown key \"%s\" in [%s]; did you mean %s?", key,
             hr_verb_name(reading->section), nearest->name);
    } else if (!option) {
        fail(reading, error, "unknown key \"%s\" in [%s]; keys are the long options of its --help",
             key, hr_verb_name(reading->section));
    }
    return option;
}

// Of KEY=VALUE the key tells one pair from another; of another kind of value all does. Only a flag
// has none.
static bool is_same(const struct hr_option *option, const char *value, const char *other)
{
    if (!value || !other) {
        return true;
    }
    const char *const separator = option->type == HR_OPTION_PAIR ? "=" : "";
    const size_t length = strcspn(value, separator);
    return length == strcspn(other, separator) && memcmp(value, other, length) == 0;
}

// Lists add up, but the command line has the last word on one KEY=VALUE, and on what stands once.
static bool is_overridden(const struct hr_options *options, const struct hr_option *option,
                          const char *value)
{
    for (guint i = 0; i < options->given->len; i++) {
        const struct hr_option_given *given = options->given->pdata[i];
        if (given->option == option && given->line == 0 &&
            (!hr_option_is_list(option) || is_same(option, value, given->value))) {
            return true;
        }
    }
    return false;
}

static bool set(struct reading *reading, const struct hr_option *option, char *value,
                GError **error)
{
    struct hr_options *checked = &reading->checked[reading->section];
    const struct hr_option_given *before = hr_option_find_given(checked, option);
    if (before && !hr_option_is_list(option)) {
        return fail(reading, error, "%s stands in line %u too", option->name, before->line);
    }
    g_autoptr(GError) reason = NULL;
    if (!hr_option_set(checked, option, value, reading->line, &reason)) {
        return fail(reading, error, "%s: %s", option->name, reason->message);
    }
    return reading->section != reading->options->verb ||
           is_overridden(reading->options, option, value) ||
           hr_option_set(reading->options, option, value, reading->line, error);
}

static bool set_flag(struct reading *reading, const struct hr_option *option, const char *value,
                     GError **error)
{
    if (strcmp(value, "true") == 0) {
        return set(reading, option, NULL, error);
    }
    return strcmp(value, "false") == 0 ||
           fail(reading, error, "%s is true or false, not \"%s\"", option->name, value);
}

static bool read_key(struct reading *reading, char *text, GError **error)
{
    char *equals = strchr(text, '=');
    if (!equals) {
        return fail(reading, error, "expected KEY = VALUE, a [section] or a # comment");
    }
    *equals = '\0';
    const char *key = g_strstrip(text);
    char *value = g_strstrip(equals + 1);
    const struct hr_option *option = find_key(reading, key, error);
    if (!option) {
        return false;
    }
    if (*value == '\0') {
        return fail(reading, error, "%s needs a value: %s = %s", key, key,
                    option->argument ? option->argument : "true");
    }
    return option->argument ? set(reading, option, value, error)
                            : set_flag(reading, option, value, error);
}

static bool read_line(struct reading *reading, char *text, GError **error)
{
    text = g_strstrip(text);
    if (*text == '\0' || *text == '#') {
        return true;
    }
    return *text == '[' ? begin_section(reading, text, error) : read_key(reading, text, error);
}

static bool read_lines(struct reading *reading, GError **error)
{
    char *rest = reading->options->configuration_text;
    while (rest) {
        char *text = rest;
        rest = strchr(text, '\n');
        if (rest) {
            *rest++ = '\0';
        }
        reading->line++;
        if (!read_line(reading, text, error)) {
            return false;
        }
    }
    return true;
}

static bool load(struct hr_options *options, const char *path, GError **error)
{
    g_autoptr(GError) reason = NULL;
    size_t size;
    if (!hr_file_read(path, FILE_MAX_BYTES, &options->configuration_text, &size, &reason)) {
        g_set_error(error, HR_ERROR, HR_ERROR_USAGE,
                    "configuration file %s: %s; --config none reads no file", path,
                    reason->message);
        return false;
    }
    if (strlen(options->configuration_text) != size) {
        g_set_error(error, HR_ERROR, HR_ERROR_USAGE, "configuration file %s: is no text", path);
        return false;
    }
    return true;
}

// The line of what the error is about; 0 where that came from elsewhere.
static unsigned find_line(const struct hr_options *options, const GError *error)
{
    const char *value;
    const char *name = hr_error_blamed(error, &value);
    for (guint i = 0; name && i < options->given->len; i++) {
        const struct hr_option_given *given = options->given->pdata[i];
        if (strcmp(given->option->name, name) == 0 &&
            (!value || g_strcmp0(given->value, value) == 0)) {
            return given->line;
        }
    }
    return 0;
}

static void explain(const struct hr_options *options, const char *path, GError **error)
{
    const unsigned line = error && *error ? find_line(options, *error) : 0;
    if (line > 0) {
        g_prefix_error(error, "%s:%u: ", path, line);
    }
}

void hr_configuration_explain(const struct hr_options *options, GError **error)
{
    explain(options, options->configuration_file, error);
}

static bool check(const struct reading *reading, GError **error)
{
    for (int verb = 0; verb < HR_VERBS_COUNT; verb++) {
        if (!hr_options_check(&reading->checked[verb], error)) {
            explain(&reading->checked[verb], reading->path, error);
            return false;
        }
    }
    return true;
}

static bool read_file(struct hr_options *options, const char *path, GError **error)
{
    if (!load(options, path, error)) {
        return false;
    }
    struct reading reading = {.options = options, .path = path, .section = HR_VERB_REPORT};
    for (int verb = 0; verb < HR_VERBS_COUNT; verb++) {
        hr_options_init(&reading.checked[verb]);
    }
    const bool fits = read_lines(&reading, error) && check(&reading, error);
    for (int verb = 0; verb < HR_VERBS_COUNT; verb++) {
        hr_options_clear(&reading.checked[verb]);
    }
    return fits;
}

bool hr_configuration_apply(struct hr_options *options, GError **error)
{
    if (g_strcmp0(options->config, "none") == 0) {
        return true;
    }
    options->configuration_file = options->config ? g_strdup(options->config) : find_file();
    return !options->configuration_file ||
           (read_file(options, options->configuration_file, error) &&
            hr_options_check(options, error));
}

char **hr_configuration_list(const struct hr_options *options)
{
    g_autoptr(GPtrArray) list = g_ptr_array_new();
    for (guint i = 0; i < options->given->len; i++) {
        const struct hr_option_given *given = options->given->pdata[i];
        if (given->line > 0) {
            g_ptr_array_add(list, hr_option_write(given));
        }
    }
    g_ptr_array_add(list, NULL);
    return (char **)g_ptr_array_free(g_steal_pointer(&list), FALSE);
}
