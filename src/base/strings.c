// SPDX-License-Identifier: MIT
#include "base/strings.h"

#include <string.h>

struct hr_strings {
    struct hr_arena *arena;
    GHashTable *texts; // a set: text -> itself
};

struct hr_strings *hr_strings_new(struct hr_arena *arena)
{
    struct hr_strings *strings = g_new0(struct hr_strings, 1);
    strings->arena = arena;
    strings->texts = g_hash_table_new(g_str_hash, g_str_equal);
    return strings;
}

void hr_strings_free(struct hr_strings *strings)
{
    if (!strings) {
        return;
    }
    g_hash_table_destroy(strings->texts);
    g_free(strings);
}

const char *hr_strings_intern(struct hr_strings *strings, const char *text)
{
    const char *known = g_hash_table_lookup(strings->texts, text);
    if (known) {
        return known;
    }
    char *copy = hr_arena_strdup(strings->arena, text);
    g_hash_table_add(strings->texts, copy);
    return copy;
}

const char *hr_strings_intern_n(struct hr_strings *strings, const char *text, size_t length)
{
    char small[256];
    if (length < sizeof small) {
        memcpy(small, text, length);
        small[length] = '\0';
        return hr_strings_intern(strings, small);
    }
    g_autofree char *large = g_strndup(text, length);
    return hr_strings_intern(strings, large);
}
