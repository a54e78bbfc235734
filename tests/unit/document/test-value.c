// SPDX-License-Identifier: MIT
#include "document/value.h"

struct written {
    const char *object;
    const char *key;
    const char *unit;
    enum hr_value_kind kind;
    const char *text;
};

static const struct written cases[] = {
    {"{\"a_bytes\": 1048576}", "a_bytes", NULL, HR_VALUE_NUMBER, "1 MiB"},
    {"{\"growth_bytes\": 100663296, \"growth_bytes_low\": 89128960, "
     "\"growth_bytes_high\": 112197632}",
     "growth_bytes", NULL, HR_VALUE_NUMBER, "+96 MiB (85 to 107)"},
    {"{\"growth_bytes\": 1048576, \"significant\": false}", "growth_bytes", NULL, HR_VALUE_NUMBER,
     "≈+1 MiB"},
    {"{\"base_bytes\": 1048576, \"significant\": false}", "base_bytes", NULL, HR_VALUE_NUMBER,
     "1 MiB"},
    {"{\"pid\": 10055}", "pid", NULL, HR_VALUE_NUMBER, "10055"},
    {"{\"value\": 0.02}", "value", "floor_ratio", HR_VALUE_NUMBER, "2 %"},
    {"{\"at_time\": \"2026-12-01T21:06:05Z\"}", "at_time", NULL, HR_VALUE_TIME,
     "2026-12-01 21:06:05 UTC"},
    {"{\"at_time\": \"yesterday\"}", "at_time", NULL, HR_VALUE_TIME, "yesterday"},
    {"{\"function\": \"a::b\"}", "function", NULL, HR_VALUE_SYMBOL, "a::b"},
    {"{\"note\": null}", "note", NULL, HR_VALUE_NULL, "\xe2\x80\x94"},
    {"{}", "a_bytes", NULL, HR_VALUE_NULL, "\xe2\x80\x94"},
};

static void test_written(void)
{
    HR_AUTO(hr_arena) arena = hr_arena_new();
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        json_t *object = json_loads(cases[i].object, 0, NULL);
        g_assert_nonnull(object);
        struct hr_value value = hr_value_read(arena, object, cases[i].key, cases[i].unit);
        json_decref(object);
        g_autoptr(GString) text = g_string_new(NULL);
        hr_value_append(text, &value);
        g_assert_cmpstr(text->str, ==, cases[i].text);
        g_assert_cmpint(value.kind, ==, cases[i].kind);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/value/written", test_written);
    return g_test_run();
}
