// SPDX-License-Identifier: MIT
#include "base/csv.h"

#include <locale.h>
#include <math.h>

static const struct {
    const char *text;
    const char *cell;
} TEXTS[] = {
    {NULL, ""},
    {"", ""},
    {"cache::insert", "cache::insert"},
    {"a, b", "\"a, b\""},
    {"say \"b\"", "\"say \"\"b\"\"\""},
    {"two\r\nlines", "\"two\r\nlines\""},
    {" kept ", "\" kept \""},
    {"=1+1", "\"'=1+1\""},
    {"+cmd", "\"'+cmd\""},
    {"-2", "\"'-2\""},
    {"@SUM(\"a\")", "\"'@SUM(\"\"a\"\")\""},
    {"\t=1", "\"'\t=1\""},
    {"\r=1", "\"'\r=1\""},
    {" =1", "\"' =1\""},
    {"a=1", "a=1"},
};

static void test_texts(void)
{
    for (size_t i = 0; i < G_N_ELEMENTS(TEXTS); i++) {
        g_autoptr(GString) out = g_string_new(NULL);
        struct hr_csv csv = {.out = out};
        hr_csv_add_text(&csv, TEXTS[i].text);
        g_assert_cmpstr(out->str, ==, TEXTS[i].cell);
    }
}

static void test_rows(void)
{
    static const char *const HEAD[] = {"id", "live_bytes", "note", NULL};
    g_autoptr(GString) out = g_string_new(NULL);
    struct hr_csv csv = {.out = out};
    hr_csv_add_head(&csv, HEAD);
    hr_csv_add_text(&csv, NULL); // an empty first cell still has its comma
    hr_csv_add_number(&csv, 9007199254740991.0);
    hr_csv_add_number(&csv, NAN);
    hr_csv_end_row(&csv);
    hr_csv_add_text(&csv, "S1");
    hr_csv_add_number(&csv, -0.5);
    hr_csv_add_text(&csv, "b");
    hr_csv_end_row(&csv);
    g_assert_cmpstr(out->str, ==, "id,live_bytes,note\r\n,9007199254740991,\r\nS1,-0.5,b\r\n");
}

static void test_locale(void)
{
    if (!setlocale(LC_ALL, "de_DE.UTF-8")) {
        g_test_skip("no German locale");
        return;
    }
    g_autoptr(GString) out = g_string_new(NULL);
    struct hr_csv csv = {.out = out};
    hr_csv_add_number(&csv, 1.5);
    setlocale(LC_ALL, "C");
    g_assert_cmpstr(out->str, ==, "1.5");
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/csv/texts", test_texts);
    g_test_add_func("/csv/rows", test_rows);
    g_test_add_func("/csv/locale", test_locale);
    return g_test_run();
}
