// SPDX-License-Identifier: MIT
#include "command/option_value.h"
#include "command/view.h"

#include <math.h>
#include <string.h>

#define POINTS_MAX 512 // docs/result.md
#define JOBS_MAX 64

void hr_options_init(struct hr_options *options)
{
    *options = (struct hr_options){
        .outputs = g_ptr_array_new(),
        .pid = -1,
        .warmup_s = NAN,
        .since_s = NAN,
        .until_s = NAN,
        .every = 1,
        .points = POINTS_MAX,
        .evidence = g_ptr_array_new(),
        .limit_bytes = NAN,
        .thresholds = g_ptr_array_new(),
        .limits = g_ptr_array_new(),
        .debug_dirs = g_ptr_array_new(),
        .top = -1,
        .paper = "a4",
        .metric = "live_bytes",
        .labels = g_ptr_array_new(),
        .interval_s = 30,
        .units = g_ptr_array_new(),
        .for_s = NAN,
        .given = g_ptr_array_new_with_free_func(g_free),
    };
}

void hr_options_clear(struct hr_options *options)
{
    g_ptr_array_unref(options->outputs);
    g_ptr_array_unref(options->evidence);
    g_ptr_array_unref(options->thresholds);
    g_ptr_array_unref(options->limits);
    g_ptr_array_unref(options->debug_dirs);
    g_ptr_array_unref(options->labels);
    g_ptr_array_unref(options->units);
    g_ptr_array_unref(options->given);
    g_free(options->configuration_file);
    g_free(options->configuration_text);
}

static bool apply(struct hr_options *options, const struct hr_option *option, char *value,
                  GError **error)
{
    const bool may_be_empty = option->type == HR_OPTION_FILE_OR_NONE;
    if (option->argument && (!value || (*value == '\0' && !may_be_empty))) {
        g_set_error(error, HR_ERROR, HR_ERROR_USAGE, "--%s needs a value: --%s %s", option->name,
                    option->name, option->argument);
        return false;
    }
    if (!option->argument && value) {
        g_set_error(error, HR_ERROR, HR_ERROR_USAGE, "--%s takes no value", option->name);
        return false;
    }
    if (!hr_option_set(options, option, value, 0, error)) {
        g_prefix_error(error, "--%s: ", option->name);
        return false;
    }
    return true;
}

static void set_unknown_error(GError **error, enum hr_verb verb, const char *name)
{
    const struct hr_option *nearest = hr_option_find_nearest(verb, name);
    if (nearest) {
        g_set_error(error, HR_ERROR, HR_ERROR_USAGE, "unknown option --%s; did you mean --%s?",
                    name, nearest->name);
    } else {
        g_autofree char *command = g_strconcat(hr_verb_name(verb), " ", NULL);
        g_set_error(error, HR_ERROR, HR_ERROR_USAGE,
                    "unknown option --%s; \"heapreport %s--help\" lists them", name,
                    verb == HR_VERB_REPORT ? "" : command);
    }
}

// "--name", "--name=value" or "--name" "value".
static bool parse_long(struct hr_options *options, char **argv, int argc, int *index,
                       GError **error)
{
    char *text = argv[*index] + 2;
    char *equals = strchr(text, '=');
    g_autofree char *name = equals ? g_strndup(text, (gsize)(equals - text)) : g_strdup(text);
    const struct hr_option *option = hr_option_find(options->verb, name);
    if (!option) {
        set_unknown_error(error, options->verb, name);
        return false;
    }
    char *value = equals ? equals + 1 : NULL;
    if (option->argument && !equals && *index + 1 < argc) {
        value = argv[++*index];
    }
    return apply(options, option, value, error);
}

// "-qv", "-oOUT" or "-o" "OUT".
static bool parse_letters(struct hr_options *options, char **argv, int argc, int *index,
                          GError **error)
{
    for (char *letter = argv[*index] + 1; *letter; letter++) {
        const struct hr_option *option = hr_option_find_letter(options->verb, *letter);
        if (!option) {
            g_set_error(error, HR_ERROR, HR_ERROR_USAGE, "unknown option -%c", *letter);
            return false;
        }
        if (!option->argument) {
            if (!apply(options, option, NULL, error)) {
                return false;
            }
            continue;
        }
        char *value = letter[1] ? letter + 1 : *index + 1 < argc ? argv[++*index] : NULL;
        return apply(options, option, value, error);
    }
    return true;
}

static bool parse_positional(struct hr_options *options, const char *text, GError **error)
{
    const bool reads_a_file = options->verb == HR_VERB_RENDER || options->verb == HR_VERB_SHOW ||
                              options->verb == HR_VERB_TREND;
    if (reads_a_file && !options->input_file) {
        options->input_file = text;
        return true;
    }
    if (options->verb == HR_VERB_REPORT && !options->directory) {
        g_set_error(error, HR_ERROR, HR_ERROR_USAGE,
                    "unexpected \"%s\"; a directory of dumps is named by --dir", text);
        return false;
    }
    g_set_error(error, HR_ERROR, HR_ERROR_USAGE, "unexpected \"%s\"", text);
    return false;
}

// The first word, where it is no option, is the verb.
static bool parse_verb(struct hr_options *options, const char *word, GError **error)
{
    for (int verb = 0; verb < HR_VERBS_COUNT; verb++) {
        if (strcmp(word, hr_verb_name((enum hr_verb)verb)) == 0) {
            options->verb = (enum hr_verb)verb;
            return true;
        }
    }
    g_set_error(error, HR_ERROR, HR_ERROR_USAGE,
                "unknown command \"%s\"; \"heapreport --help\" shows what there is", word);
    return false;
}

bool hr_options_check(const struct hr_options *options, GError **error)
{
    if (options->points < 3 || options->points > POINTS_MAX) {
        g_set_error(error, HR_ERROR, HR_ERROR_USAGE, "--points: from 3 to %d", POINTS_MAX);
        hr_error_blame(error, "points", NULL);
        return false;
    }
    if (options->since_s >= options->until_s) {
        g_set_error_literal(error, HR_ERROR, HR_ERROR_USAGE, "--since is not before --until");
        return false;
    }
    if (options->interval_s < 0.05) {
        g_set_error_literal(error, HR_ERROR, HR_ERROR_USAGE, "--every: at least 50ms");
        hr_error_blame(error, "every", NULL);
        return false;
    }
    return hr_view_check(options, error);
}

bool hr_options_parse(struct hr_options *options, int argc, char **argv, GError **error)
{
    int first = 1;
    if (argc > 1 && argv[1][0] != '-') {
        if (!parse_verb(options, argv[1], error)) {
            return false;
        }
        first = 2;
    }
    bool only_words = false;
    for (int i = first; i < argc; i++) {
        const char *text = argv[i];
        bool parsed;
        if (only_words || text[0] != '-' || text[1] == '\0') {
            parsed = parse_positional(options, text, error);
        } else if (strcmp(text, "--") == 0 && options->verb == HR_VERB_RECORD) {
            options->program = i + 1 < argc ? argv + i + 1 : NULL;
            break;
        } else if (strcmp(text, "--") == 0) {
            only_words = parsed = true;
        } else if (text[1] == '-') {
            parsed = parse_long(options, argv, argc, &i, error);
        } else {
            parsed = parse_letters(options, argv, argc, &i, error);
        }
        if (!parsed) {
            return false;
        }
    }
    return options->help || options->version || hr_options_check(options, error);
}

static int compare_given(const void *left, const void *right)
{
    const struct hr_option_given *a = *(struct hr_option_given *const *)left;
    const struct hr_option_given *b = *(struct hr_option_given *const *)right;
    const int by_name = strcmp(a->option->name, b->option->name);
    return by_name != 0 ? by_name : g_strcmp0(a->value, b->value);
}

// Whether anything in force came from a configuration file, which must not be read again then.
static bool is_configured(const struct hr_options *options)
{
    for (guint i = 0; i < options->given->len; i++) {
        const struct hr_option_given *given = options->given->pdata[i];
        if (given->line > 0) {
            return true;
        }
    }
    return false;
}

char *hr_options_reproduce(const struct hr_options *options)
{
    g_autoptr(GPtrArray) sorted = g_ptr_array_copy(options->given, NULL, NULL);
    g_ptr_array_set_free_func(sorted, NULL);
    g_ptr_array_sort(sorted, compare_given);
    GString *out = g_string_new("heapreport");
    g_string_append(out, is_configured(options) ? " --config none" : "");
    for (guint i = 0; i < sorted->len; i++) {
        const struct hr_option_given *given = sorted->pdata[i];
        if (given->option->changes_result) {
            g_autofree char *written = hr_option_write(given);
            g_string_append_printf(out, " %s", written);
        }
    }
    return g_string_free(out, FALSE);
}

unsigned hr_options_jobs(const struct hr_options *options)
{
    return MIN(options->jobs ? options->jobs : g_get_num_processors(), JOBS_MAX);
}
