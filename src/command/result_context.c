// SPDX-License-Identifier: MIT
#include "command/result_context.h"

#include "command/configuration.h"

#include <math.h>
#include <string.h>

static const struct hr_label *labels(struct hr_arena *arena, const GPtrArray *given)
{
    struct hr_label *list = HR_ARENA_ARRAY(arena, struct hr_label, MAX(given->len, 1));
    for (guint i = 0; i < given->len; i++) {
        const char *text = given->pdata[i];
        const char *equals = strchr(text, '=');
        list[i].key = hr_arena_strndup(arena, text, (size_t)(equals - text));
        list[i].value = equals + 1;
    }
    return list;
}

// The filters as they would be given again; NULL-terminated.
static const char *const *filters(struct hr_arena *arena, const struct hr_options *options)
{
    const char *const names[] = {"focus", "ignore", "show", "hide"};
    const char *const given[] = {options->focus, options->ignore, options->show, options->hide};
    const char **list = HR_ARENA_ARRAY(arena, const char *, G_N_ELEMENTS(names) + 1);
    size_t count = 0;
    for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
        if (given[i]) {
            list[count++] = hr_arena_printf(arena, "--%s %s", names[i], given[i]);
        }
    }
    return list;
}

// What came from the configuration file, NULL-terminated.
static const char *const *configured(struct hr_arena *arena, const struct hr_options *options)
{
    g_auto(GStrv) set = hr_configuration_list(options);
    const char **list = HR_ARENA_ARRAY(arena, const char *, g_strv_length(set) + 1);
    for (size_t i = 0; set[i]; i++) {
        list[i] = hr_arena_strdup(arena, set[i]);
    }
    return list;
}

struct hr_result_context hr_result_context_of(struct hr_arena *arena,
                                              const struct hr_options *options, const char *sandbox)
{
    g_autofree char *reproduce = hr_options_reproduce(options);
    return (struct hr_result_context){
        .title = options->title,
        .labels = labels(arena, options->labels),
        .labels_count = options->labels->len,
        .generated_time_s = NAN,
        .paper = options->paper,
        .full = options->full,
        .top = options->top,
        .template_name = options->template_file,
        .reproduce = hr_arena_strdup(arena, reproduce),
        .filters = filters(arena, options),
        .configuration_file = options->configuration_file,
        .configured = configured(arena, options),
        .sandbox = sandbox,
    };
}
