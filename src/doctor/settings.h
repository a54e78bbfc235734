// SPDX-License-Identifier: MIT
// jemalloc's configuration string, taken apart: "prof:true,lg_prof_interval:26". What an option may
// say is the rules' business (templates/rules/jemalloc-options.conf). Pure: reads no files.
#pragma once

#include "base/arena.h"
#include "model/rules.h"

#include <stdbool.h>

struct hr_setting {
    const char *name;
    const char *value;
};

struct hr_settings {
    const struct hr_setting *list; // in the order of the string; blanks around words are left out
    size_t count;
    const char *blank_in;  // the piece that holds the first blank, NULL: none
    const char *broken_in; // the first piece that is no "name:value", NULL: none
    bool ends_with_comma;
};

struct hr_settings hr_settings_read(struct hr_arena *arena, const char *text);

// What is in force: the last of that name; NULL when it does not occur.
const char *hr_settings_find(const struct hr_settings *settings, const char *name);

// True when it is "true"; `by_default` when it does not occur.
bool hr_settings_is_on(const struct hr_settings *settings, const char *name, bool by_default);

// The number behind a name, as jemalloc reads it (decimal, 0x, 0); `by_default` when it does not
// occur or is none.
int64_t hr_settings_find_number(const struct hr_settings *settings, const char *name,
                                int64_t by_default);

// The rule of an option; NULL: jemalloc does not know it.
const struct hr_setting_rule *hr_settings_find_rule(const struct hr_rules *rules, const char *name);

// The known option whose name is nearest, NULL when none is near.
const char *hr_settings_find_nearest(const struct hr_rules *rules, const char *name);

// True when the value may stand behind that option.
bool hr_settings_is_valid(const struct hr_setting_rule *rule, const char *value);
