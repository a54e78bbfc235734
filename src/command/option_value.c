// SPDX-License-Identifier: MIT
#include "command/option_value.h"

#include "base/quantity.h"

#include <math.h>
#include <string.h>

static bool set_count(unsigned *count, const char *value, GError **error)
{
    uint64_t number;
    if (!hr_quantity_read_count(value, 1, G_MAXINT, &number, error)) {
        return false;
    }
    *count = (unsigned)number;
    return true;
}

static bool set_top(int *top, const char *value, GError **error)
{
    uint64_t number;
    if (!hr_quantity_read_count(value, 0, G_MAXINT, &number, error)) {
        return false;
    }
    *top = (int)number;
    return true;
}

static bool set_pid(int64_t *pid, const char *value, GError **error)
{
    uint64_t number;
    if (!hr_quantity_read_count(value, 1, G_MAXINT64, &number, error)) {
        return false;
    }
    *pid = (int64_t)number;
    return true;
}

static bool set_size(double *size_bytes, const char *value, GError **error)
{
    if (!hr_quantity_read_size(value, size_bytes, error)) {
        return false;
    }
    if (*size_bytes > 0) {
        return true;
    }
    g_set_error(error, HR_ERROR, HR_ERROR_USAGE, "\"%s\" is not above 0", value);
    return false;
}

static bool set_paper(const char **paper, const char *value, GError **error)
{
    static const char *const papers[] = {"a4", "letter"};
    for (size_t i = 0; i < G_N_ELEMENTS(papers); i++) {
        if (g_ascii_strcasecmp(value, papers[i]) == 0) {
            *paper = papers[i];
            return true;
        }
    }
    g_set_error(error, HR_ERROR, HR_ERROR_USAGE, "\"%s\" is neither a4 nor letter", value);
    return false;
}

static bool set_pair(GPtrArray *list, char *value, GError **error)
{
    const char *equals = strchr(value, '=');
    if (!equals || equals == value) {
        g_set_error(error, HR_ERROR, HR_ERROR_USAGE, "\"%s\" is not of the form KEY=VALUE", value);
        return false;
    }
    g_ptr_array_add(list, value);
    return true;
}

static bool set_warmup(struct hr_options *options, const char *value, GError **error)
{
    options->warmup_auto = strcmp(value, "auto") == 0;
    options->warmup_s = NAN;
    return options->warmup_auto || hr_quantity_read_duration(value, &options->warmup_s, error);
}

static bool set_value(struct hr_options *options, const struct hr_option *option, char *value,
                      GError **error)
{
    void *const member = (char *)options + option->offset;
    switch (option->type) {
    case HR_OPTION_FLAG:
        *(bool *)member = true;
        return true;
    case HR_OPTION_TEXT:
        *(const char **)member = value;
        return true;
    case HR_OPTION_LIST:
        g_ptr_array_add(*(GPtrArray **)member, value);
        return true;
    case HR_OPTION_PAIR:
        return set_pair(*(GPtrArray **)member, value, error);
    case HR_OPTION_COUNT:
        return set_count(member, value, error);
    case HR_OPTION_TOP:
        return set_top(member, value, error);
    case HR_OPTION_PID:
        return set_pid(member, value, error);
    case HR_OPTION_SIZE:
        return set_size(member, value, error);
    case HR_OPTION_PAPER:
        return set_paper(member, value, error);
    case HR_OPTION_DURATION:
        return hr_quantity_read_duration(value, member, error);
    case HR_OPTION_TIME:
        return hr_quantity_read_time(value, member, error);
    case HR_OPTION_FILE_OR_NONE:
        *(const char **)member = *value ? value : "none";
        return true;
    case HR_OPTION_WARMUP:
        return set_warmup(options, value, error);
    }
    g_assert_not_reached();
}

bool hr_option_is_list(const struct hr_option *option)
{
    return option->type == HR_OPTION_LIST || option->type == HR_OPTION_PAIR;
}

struct hr_option_given *hr_option_find_given(const struct hr_options *options,
                                             const struct hr_option *option)
{
    for (guint i = 0; i < options->given->len; i++) {
        struct hr_option_given *given = options->given->pdata[i];
        if (given->option == option) {
            return given;
        }
    }
    return NULL;
}

// Of an option that counts once, the last one given wins, as everywhere.
static void keep_given(struct hr_options *options, const struct hr_option *option,
                       const char *value, unsigned line)
{
    struct hr_option_given *given =
        hr_option_is_list(option) ? NULL : hr_option_find_given(options, option);
    if (!given) {
        given = g_new0(struct hr_option_given, 1);
        g_ptr_array_add(options->given, given);
    }
    *given = (struct hr_option_given){option, value, line};
}

bool hr_option_set(struct hr_options *options, const struct hr_option *option, char *value,
                   unsigned line, GError **error)
{
    if (!set_value(options, option, value, error)) {
        return false;
    }
    keep_given(options, option, value, line);
    return true;
}

static void append_quoted(GString *out, const char *text)
{
    if (*text && !text[strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                    "0123456789_-./:=@,+%")]) {
        g_string_append(out, text);
        return;
    }
    g_autofree char *quoted = g_shell_quote(text);
    g_string_append(out, quoted);
}

char *hr_option_write(const struct hr_option_given *given)
{
    GString *out = g_string_new(NULL);
    g_string_append_printf(out, "--%s", given->option->name);
    if (given->value) {
        g_string_append_c(out, ' ');
        append_quoted(out, given->value);
    }
    return g_string_free(out, FALSE);
}
