// SPDX-License-Identifier: MIT
#include "doctor/settings.h"

#include <errno.h>
#include <glib.h>
#include <stdlib.h>
#include <string.h>

#define NEAR_LETTERS 3

struct hr_settings hr_settings_read(struct hr_arena *arena, const char *text)
{
    struct hr_settings settings = {.ends_with_comma = g_str_has_suffix(text, ",")};
    g_auto(GStrv) pieces = g_strsplit(text, ",", -1);
    const guint count = g_strv_length(pieces);
    struct hr_setting *list = HR_ARENA_ARRAY(arena, struct hr_setting, MAX(count, 1));
    for (guint i = 0; i < count; i++) {
        if (i + 1 == count && settings.ends_with_comma) {
            break;
        }
        if (!settings.blank_in && strpbrk(pieces[i], " \t\r\n\v\f")) {
            settings.blank_in = hr_arena_strdup(arena, pieces[i]);
        }
        char *name = g_strstrip(pieces[i]);
        char *colon = strchr(name, ':');
        if (!colon || colon == name) {
            settings.broken_in =
                settings.broken_in ? settings.broken_in : hr_arena_strdup(arena, name);
            continue;
        }
        *colon = '\0';
        list[settings.count++] = (struct hr_setting){
            .name = hr_arena_strdup(arena, g_strchomp(name)),
            .value = hr_arena_strdup(arena, g_strchug(colon + 1)),
        };
    }
    settings.list = list;
    return settings;
}

const char *hr_settings_find(const struct hr_settings *settings, const char *name)
{
    for (size_t i = settings->count; i-- > 0;) {
        if (strcmp(settings->list[i].name, name) == 0) {
            return settings->list[i].value;
        }
    }
    return NULL;
}

bool hr_settings_is_on(const struct hr_settings *settings, const char *name, bool by_default)
{
    const char *value = hr_settings_find(settings, name);
    return value ? strcmp(value, "true") == 0 : by_default;
}

// With any base, and nothing behind the digits.
static bool read_number(const char *text, int64_t *number)
{
    char *end;
    errno = 0;
    *number = strtoll(text, &end, 0);
    return end != text && *end == '\0' && errno == 0;
}

int64_t hr_settings_find_number(const struct hr_settings *settings, const char *name,
                                int64_t by_default)
{
    const char *value = hr_settings_find(settings, name);
    int64_t number;
    return value && read_number(value, &number) ? number : by_default;
}

const struct hr_setting_rule *hr_settings_find_rule(const struct hr_rules *rules, const char *name)
{
    for (size_t i = 0; i < rules->setting_rules_count; i++) {
        if (strcmp(rules->setting_rules[i].name, name) == 0) {
            return &rules->setting_rules[i];
        }
    }
    return NULL;
}

// Letters that differ, from the front and from the back: enough to find one that was mistyped.
static size_t difference(const char *a, const char *b)
{
    size_t front = 0;
    while (a[front] && a[front] == b[front]) {
        front++;
    }
    const size_t length_a = strlen(a);
    const size_t length_b = strlen(b);
    const size_t most = MIN(length_a, length_b) - front;
    size_t back = 0;
    while (back < most && a[length_a - 1 - back] == b[length_b - 1 - back]) {
        back++;
    }
    return MAX(length_a, length_b) - front - back;
}

const char *hr_settings_find_nearest(const struct hr_rules *rules, const char *name)
{
    const char *nearest = NULL;
    size_t least = NEAR_LETTERS + 1;
    for (size_t i = 0; i < rules->setting_rules_count; i++) {
        const size_t letters = difference(name, rules->setting_rules[i].name);
        if (letters < least) {
            least = letters;
            nearest = rules->setting_rules[i].name;
        }
    }
    return nearest;
}

bool hr_settings_is_valid(const struct hr_setting_rule *rule, const char *value)
{
    int64_t number;
    switch (rule->kind) {
    case HR_SETTING_SWITCH:
        return strcmp(value, "true") == 0 || strcmp(value, "false") == 0;
    case HR_SETTING_NUMBER:
        return read_number(value, &number) && number >= rule->least && number <= rule->most;
    case HR_SETTING_WORD:
        return g_strv_contains(rule->words, value);
    case HR_SETTING_TEXT:
        return true;
    }
    g_assert_not_reached();
}
