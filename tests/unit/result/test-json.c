// SPDX-License-Identifier: MIT
#include "result/json.h"

#include <glib.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

static const struct {
    const char *raw;
    const char *text;
} TEXTS[] = {
    {"", ""},
    {"plain", "plain"},
    {"缓存::插入", "缓存::插入"},
    {"\u05de\u05d8", "\u05de\u05d8"},
    {"a\nb\tc\x1b[31m\x7f", "a\\x0ab\\x09c\\x1b[31m\\x7f"},
    {"c1 \xc2\x85", "c1 \\x85"},
    {"turns\u202eback\u2066", "turns\\u202eback\\u2066"},
    {"line\u2028end", "line\\u2028end"},
    {"bad \xff\xc3( \xe7\xbc", "bad \\xff\\xc3( \\xe7\\xbc"},
    {"surrogate \xed\xa0\x80", "surrogate \\xed\\xa0\\x80"},
    {"overlong \xc0\xaf", "overlong \\xc0\\xaf"},
    {"quote \" back \\", "quote \" back \\"},
};

static void test_text(void)
{
    for (size_t i = 0; i < G_N_ELEMENTS(TEXTS); i++) {
        json_t *text = hr_json_text(TEXTS[i].raw);
        g_assert_cmpstr(json_string_value(text), ==, TEXTS[i].text);
        json_decref(text);
    }
    g_assert_true(json_is_null(hr_json_text(NULL)));
}

// Every cut leaves valid text of at most the limit, with its start and its end.
static void test_long_text(void)
{
    g_autoptr(GString) name = g_string_new("start");
    for (int i = 0; i < 500; i++) {
        g_string_append(name, "\u7f13\u5b58a");
    }
    g_string_append(name, "end");
    for (size_t limit = 40; limit < 60; limit++) {
        json_t *text = hr_json_text_within(name->str, limit);
        const char *cut = json_string_value(text);
        g_assert_cmpuint(strlen(cut), <=, limit);
        g_assert_cmpuint(strlen(cut), >, limit - 10);
        g_assert_true(g_utf8_validate(cut, -1, NULL));
        g_assert_true(g_str_has_prefix(cut, "start"));
        g_assert_true(g_str_has_suffix(cut, "end"));
        g_assert_nonnull(strstr(cut, "\u2026"));
        json_decref(text);
    }
}

static void check(json_t *value, const char *expected)
{
    char *text = json_dumps(value, JSON_ENCODE_ANY | JSON_REAL_PRECISION(15));
    g_assert_cmpstr(text, ==, expected);
    free(text);
    json_decref(value);
}

static void test_numbers(void)
{
    check(hr_json_integer(2.5), "3");
    check(hr_json_integer(-0.4), "0");
    check(hr_json_integer(NAN), "null");
    check(hr_json_integer(INFINITY), "null");
    check(hr_json_integer(9223372036854775808.0), "null");
    check(hr_json_integer(-9.3e18), "null");
    check(hr_json_count(UINT64_MAX), "null");
    check(hr_json_count(INT64_MAX), "9223372036854775807");
    check(hr_json_hex(UINT64_MAX), "\"0xffffffffffffffff\"");
    check(hr_json_ratio(0.1 + 0.2), "0.3");
    check(hr_json_ratio(-1e-9), "0.0");
    check(hr_json_ratio(NAN), "null");
    check(hr_json_seconds(1764536100.1234), "1764536100.123");
    check(hr_json_time(NAN), "null");
    check(hr_json_time(1e30), "null");
    check(hr_json_by_key("growth_bytes", 1.6), "2");
    check(hr_json_by_key("rate_bytes_per_hour_low", 1.6), "2");
    check(hr_json_by_key("share_ratio", 0.25), "0.25");
    check(hr_json_by_key("taken_time", 0), "\"1970-01-01T00:00:00Z\"");
}

static void check_estimate(struct hr_estimate estimate, const char *expected)
{
    json_t *object = json_object();
    hr_json_set_estimate(object, "b", estimate);
    char *text = json_dumps(object, JSON_COMPACT);
    g_assert_cmpstr(text, ==, expected);
    free(text);
    json_decref(object);
}

static void test_estimates(void)
{
    check_estimate((struct hr_estimate){10.4, 3.9, 12.1}, "{\"b\":10,\"b_low\":3,\"b_high\":13}");
    check_estimate((struct hr_estimate){10.6, 10.6, 10.6}, "{\"b\":11,\"b_low\":11,\"b_high\":11}");
    check_estimate((struct hr_estimate){10, NAN, NAN}, "{\"b\":10,\"b_low\":null,\"b_high\":null}");
    check_estimate(HR_ESTIMATE_UNKNOWN, "{\"b\":null,\"b_low\":null,\"b_high\":null}");
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/json/text", test_text);
    g_test_add_func("/json/long-text", test_long_text);
    g_test_add_func("/json/numbers", test_numbers);
    g_test_add_func("/json/estimates", test_estimates);
    return g_test_run();
}
