// SPDX-License-Identifier: MIT
#include "doctor/settings.h"

#include <glib.h>

static const struct hr_setting_rule RULES[] = {
    {.name = "prof", .kind = HR_SETTING_SWITCH},
    {.name = "lg_prof_sample", .kind = HR_SETTING_NUMBER, .least = 0, .most = 63},
    {.name = "dss",
     .kind = HR_SETTING_WORD,
     .words = (const char *[]){"disabled", "primary", NULL}},
    {.name = "prof_prefix", .kind = HR_SETTING_TEXT},
};

static void test_read(void)
{
    HR_AUTO(hr_arena) arena = hr_arena_new();
    const struct {
        const char *text;
        size_t count;
        const char *blank_in;
        const char *broken_in;
        bool ends_with_comma;
    } cases[] = {
        {"", 0, NULL, "", false},
        {"prof:true", 1, NULL, NULL, false},
        {"prof:true,", 1, NULL, NULL, true},
        {"prof:true,,dss:primary", 2, NULL, "", false},
        {"prof:true, dss:primary", 2, " dss:primary", NULL, false},
        {"prof_prefix:/a:b,prof:true", 2, NULL, NULL, false},
        {"prof,dss:primary", 1, NULL, "prof", false},
        {":true", 0, NULL, ":true", false},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_test_message("%s", cases[i].text);
        const struct hr_settings settings = hr_settings_read(arena, cases[i].text);
        g_assert_cmpuint(settings.count, ==, cases[i].count);
        g_assert_cmpstr(settings.blank_in, ==, cases[i].blank_in);
        g_assert_cmpint(settings.ends_with_comma, ==, cases[i].ends_with_comma);
        if (*cases[i].text) {
            g_assert_cmpstr(settings.broken_in, ==, cases[i].broken_in);
        }
    }
}

static void test_find(void)
{
    HR_AUTO(hr_arena) arena = hr_arena_new();
    const struct hr_settings settings = hr_settings_read(
        arena, "prof:false, prof:true ,prof_prefix:/a:b,lg_prof_sample:0x13,dss:x");
    g_assert_true(hr_settings_is_on(&settings, "prof", false)); // the last one wins
    g_assert_true(hr_settings_is_on(&settings, "prof_final", true));
    g_assert_cmpstr(hr_settings_find(&settings, "prof_prefix"), ==, "/a:b");
    g_assert_cmpint(hr_settings_find_number(&settings, "lg_prof_sample", -1), ==, 19);
    g_assert_cmpint(hr_settings_find_number(&settings, "dss", 7), ==, 7);
    g_assert_null(hr_settings_find(&settings, "pro"));
}

static void test_rules(void)
{
    const struct hr_rules rules = {.setting_rules = RULES,
                                   .setting_rules_count = G_N_ELEMENTS(RULES)};
    const struct {
        const char *name;
        const char *value;
        bool valid;
    } cases[] = {
        {"prof", "true", true},
        {"prof", "yes", false},
        {"prof", "", false},
        {"lg_prof_sample", "63", true},
        {"lg_prof_sample", "64", false},
        {"lg_prof_sample", "-1", false},
        {"lg_prof_sample", "1x", false},
        {"lg_prof_sample", "99999999999999999999", false},
        {"dss", "primary", true},
        {"dss", "prim", false},
        {"prof_prefix", "", true},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_test_message("%s:%s", cases[i].name, cases[i].value);
        const struct hr_setting_rule *rule = hr_settings_find_rule(&rules, cases[i].name);
        g_assert_nonnull(rule);
        g_assert_cmpint(hr_settings_is_valid(rule, cases[i].value), ==, cases[i].valid);
    }
    g_assert_null(hr_settings_find_rule(&rules, "lg_prof"));
    g_assert_cmpstr(hr_settings_find_nearest(&rules, "lg_prof_sampel"), ==, "lg_prof_sample");
    g_assert_cmpstr(hr_settings_find_nearest(&rules, "prov"), ==, "prof");
    g_assert_null(hr_settings_find_nearest(&rules, "tcache_max"));
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/settings/read", test_read);
    g_test_add_func("/settings/find", test_find);
    g_test_add_func("/settings/rules", test_rules);
    return g_test_run();
}
