// SPDX-License-Identifier: MIT
#include "base/cursor.h"

#include <glib.h>
#include <locale.h>
#include <string.h>

static struct hr_cursor cursor_of(const char *text)
{
    struct hr_cursor cursor;
    hr_cursor_init(&cursor, text, strlen(text));
    return cursor;
}

static void test_numbers(void)
{
    static const struct {
        const char *text;
        bool hex;
        bool ok;
        uint64_t value;
        const char *rest;
    } cases[] = {
        {"0", false, true, 0, ""},
        {"18446744073709551615 x", false, true, UINT64_MAX, " x"},
        {"18446744073709551616", false, false, 0, NULL},
        {"007]", false, true, 7, "]"},
        {"", false, false, 0, NULL},
        {"-1", false, false, 0, NULL},
        {" 1", false, false, 0, NULL},
        {"0xffffffffffffffff", true, true, UINT64_MAX, ""},
        {"0Xab0g", true, true, 0xab0, "g"},
        {"10000000000000000", true, false, 0, NULL},
        {"0000000000000000000001", true, true, 1, ""},
        {"0x", true, false, 0, NULL},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        struct hr_cursor cursor = cursor_of(cases[i].text);
        const uint64_t value =
            cases[i].hex ? hr_cursor_take_hex(&cursor) : hr_cursor_take_u64(&cursor);
        g_assert_cmpint(hr_cursor_ok(&cursor), ==, cases[i].ok);
        g_assert_cmpuint(value, ==, cases[i].value);
        if (cases[i].ok) {
            g_assert_cmpstr(cursor.at, ==, cases[i].rest);
        }
    }
}

static void test_doubles(void)
{
    setlocale(LC_ALL, ""); // must not matter
    struct hr_cursor cursor = cursor_of("1796160604.19,-2.5e3 1e");
    g_assert_cmpfloat(hr_cursor_take_double(&cursor), ==, 1796160604.19);
    hr_cursor_expect(&cursor, ",");
    g_assert_cmpfloat(hr_cursor_take_double(&cursor), ==, -2500);
    hr_cursor_skip_blanks(&cursor);
    g_assert_cmpfloat(hr_cursor_take_double(&cursor), ==, 1);
    g_assert_true(hr_cursor_take_if(&cursor, "e"));
    g_assert_true(hr_cursor_ok(&cursor));
    hr_cursor_take_double(&cursor);
    g_assert_false(hr_cursor_ok(&cursor));
}

static void test_lines(void)
{
    struct hr_cursor cursor = cursor_of("one\r\n\n  three: x\nfour");
    static const char *const expected[] = {"one", "", "  three: x", "four"};
    struct hr_cursor line;
    unsigned count = 0;
    while (hr_cursor_take_line(&cursor, &line)) {
        g_assert_cmpuint(line.line, ==, count + 1);
        g_assert_cmpuint(hr_cursor_column(&line), ==, 1);
        const struct hr_span whole = {line.at, (size_t)(line.end - line.at)};
        g_assert_true(hr_span_equals(whole, expected[count]));
        count++;
        if (count == 3) {
            hr_cursor_skip_blanks(&line);
            g_assert_cmpuint(hr_cursor_column(&line), ==, 3);
            g_assert_true(hr_span_equals(hr_cursor_take_until(&line, ':'), "three"));
        }
    }
    g_assert_cmpuint(count, ==, 4);
}

static void test_first_error_sticks(void)
{
    struct hr_cursor cursor = cursor_of("t*: 12 x");
    hr_cursor_expect(&cursor, "t*: ");
    g_assert_cmpuint(hr_cursor_take_u64(&cursor), ==, 12);
    hr_cursor_expect(&cursor, ": ");
    g_assert_cmpstr(cursor.error, ==, ": ");
    g_assert_cmpuint(hr_cursor_column(&cursor), ==, 7);
    g_assert_cmpuint(hr_cursor_take_u64(&cursor), ==, 0);
    g_assert_cmpuint(hr_cursor_take_word(&cursor).length, ==, 0);
    g_assert_false(hr_cursor_take_if(&cursor, " x"));
    g_assert_cmpstr(cursor.error, ==, ": ");
    g_assert_cmpuint(hr_cursor_column(&cursor), ==, 7);
}

// Every cut of a text must stay inside its bounds; the sanitizer build watches.
static void test_bounds(void)
{
    static const char text[] = "0x1f 12 -1.5e-3 word\nnext";
    for (size_t length = 0; length < sizeof text; length++) {
        g_autofree char *exact = g_memdup2(text, length);
        struct hr_cursor cursor;
        hr_cursor_init(&cursor, exact, length);
        hr_cursor_take_hex(&cursor);
        hr_cursor_skip_blanks(&cursor);
        hr_cursor_take_u64(&cursor);
        hr_cursor_skip_blanks(&cursor);
        hr_cursor_take_double(&cursor);
        hr_cursor_skip_blanks(&cursor);
        hr_cursor_take_word(&cursor);
        hr_cursor_take_until(&cursor, '\0');
        g_assert_cmpint(hr_cursor_ok(&cursor), ==, length >= 10);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/cursor/numbers", test_numbers);
    g_test_add_func("/cursor/doubles", test_doubles);
    g_test_add_func("/cursor/lines", test_lines);
    g_test_add_func("/cursor/first-error-sticks", test_first_error_sticks);
    g_test_add_func("/cursor/bounds", test_bounds);
    return g_test_run();
}
