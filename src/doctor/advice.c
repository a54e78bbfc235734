// SPDX-License-Identifier: MIT
#include "doctor/advice.h"

#include <string.h>

// Options that the advice sets itself; what else the string says stays, where jemalloc takes it.
static const char *const set_here[] = {"prof",
                                       "prof_active",
                                       "prof_prefix",
                                       "lg_prof_sample",
                                       "lg_prof_interval",
                                       "prof_final",
                                       "prof_thread_active_init",
                                       NULL};

// What would end a line of the unit, and begin one of its own.
static bool has_controls(const char *text)
{
    for (; *text; text++) {
        if (g_ascii_iscntrl(*text)) {
            return true;
        }
    }
    return false;
}

static const char *service_name(const struct hr_subject *subject)
{
    const char *path = subject->unit && subject->unit->program ? subject->unit->program
                       : subject->process                      ? subject->process->program
                       : subject->program                      ? subject->program->path
                                                               : "app";
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    return has_controls(name) || strchr(name, ',') ? "app" : name;
}

// jemalloc takes no comma in a path.
static const char *choose_prefix(const struct hr_subject *subject)
{
    if (subject->prefix && g_path_is_absolute(subject->prefix) && !has_controls(subject->prefix)) {
        return subject->prefix;
    }
    const char *name = service_name(subject);
    const char *directory = subject->options->directory;
    if (directory && !strchr(directory, ',') && !has_controls(directory)) {
        g_autofree char *absolute = g_canonicalize_filename(directory, NULL);
        return hr_arena_printf(subject->arena, "%s/%s", absolute, name);
    }
    return hr_arena_printf(subject->arena, "/var/log/%s/heap/%s", name, name);
}

static int64_t choose_number(const struct hr_subject *subject, const char *name, int64_t least,
                             int64_t most, int64_t usual)
{
    const int64_t number = hr_settings_find_number(&subject->settings, name, usual);
    return number >= least && number <= most ? number : usual;
}

static const char *compose_settings(const struct hr_subject *subject)
{
    g_autoptr(GString) out = g_string_new(NULL);
    for (size_t i = 0; i < subject->settings.count; i++) {
        const struct hr_setting *setting = &subject->settings.list[i];
        const struct hr_setting_rule *rule = hr_settings_find_rule(subject->rules, setting->name);
        if (rule && hr_settings_is_valid(rule, setting->value) && !has_controls(setting->value) &&
            !g_strv_contains(set_here, setting->name)) {
            g_string_append_printf(out, "%s:%s,", setting->name, setting->value);
        }
    }
    g_string_append_printf(
        out,
        "prof:true,prof_active:true,prof_prefix:%s,lg_prof_sample:%" G_GINT64_FORMAT
        ",lg_prof_interval:%" G_GINT64_FORMAT ",prof_final:true",
        choose_prefix(subject), choose_number(subject, "lg_prof_sample", 12, 24, 19),
        choose_number(subject, "lg_prof_interval", 20, 33, 26));
    return hr_arena_strdup(subject->arena, out->str);
}

// Text between double quotes, as systemd reads it.
static void append_quoted(GString *out, const char *text)
{
    for (; *text; text++) {
        g_string_append(out, strchr("\"\\", *text) ? "\\" : *text == '%' ? "%" : "");
        g_string_append_c(out, *text);
    }
    g_string_append(out, "\"\n");
}

static void append_environment(GString *out, const char *variable, const char *settings)
{
    g_string_append_printf(out, "Environment=\"%s=", variable);
    append_quoted(out, settings);
}

static const char *compose_override(const struct hr_subject *subject, const char *settings)
{
    g_autoptr(GString) out = g_string_new("[Service]\n");
    if (subject->variable) {
        append_environment(out, subject->variable, settings);
    } else {
        append_environment(out, "MALLOC_CONF", settings);
        append_environment(out, "_RJEM_MALLOC_CONF", settings);
    }
    const struct hr_unit *unit = subject->unit;
    if (unit && unit->protect_system) {
        g_autofree char *directory = g_path_get_dirname(choose_prefix(subject));
        g_string_append(out, "ReadWritePaths=\"");
        append_quoted(out, directory);
    }
    return hr_arena_strdup(subject->arena, out->str);
}

struct hr_advice hr_advice_compose(const struct hr_subject *subject)
{
    const char *settings = compose_settings(subject);
    return (struct hr_advice){.variable = subject->variable,
                              .settings = settings,
                              .override = compose_override(subject, settings)};
}
