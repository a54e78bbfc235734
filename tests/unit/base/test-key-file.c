// SPDX-License-Identifier: MIT
#include "base/key_file.h"

#include <string.h>

#define TEXT(literal) literal, sizeof literal - 1

static const struct {
    const char *text;
    size_t size;
    const char *message; // NULL: it is fine
} FILES[] = {
    {TEXT(""), NULL},
    {TEXT("\xef\xbb\xbf"), NULL},
    {TEXT("# nothing\n\n"), NULL},
    {TEXT("\xef\xbb\xbf[a]\r\nkey = value\r\n"), NULL},
    {TEXT("[a]\nkey = one\\;two;three\n[b]\nkey = x\n"), NULL},
    {TEXT("[a]\nkey = x\n[b]\n\n[a]\nother = y\n"), "name:5: a stands here twice"},
    {TEXT("[a]\nkey = x\n key=y\n"), "name:3: key stands here twice"},
    {TEXT("[a]\nkey = x\\q\n"), "name: [a]: key: "},
    {TEXT("[a]\nkey = x\\\n"), "name: [a]: key: "},
    {TEXT("[a]\nkey = x\xff\n"), "name:2: is no UTF-8 text"},
    {TEXT("[a]\nkey = x\0y\n"), "name:2: is no UTF-8 text"},
    {TEXT("key = x\n"), "name: "},
    {TEXT("[a\n"), "name: "},
};

static void test_files(void)
{
    for (size_t i = 0; i < G_N_ELEMENTS(FILES); i++) {
        g_autoptr(GError) error = NULL;
        g_autoptr(GKeyFile) file =
            hr_key_file_parse("name", FILES[i].text, FILES[i].size, HR_ERROR_TEMPLATE, &error);
        if (!FILES[i].message) {
            g_assert_no_error(error);
            g_assert_nonnull(file);
            continue;
        }
        g_assert_null(file);
        g_assert_error(error, HR_ERROR, HR_ERROR_TEMPLATE);
        g_assert_true(g_str_has_prefix(error->message, FILES[i].message));
    }
}

static void test_values(void)
{
    static const char text[] = "[a]\nplain = x y \nlist = one\\;two\n";
    g_autoptr(GError) error = NULL;
    g_autoptr(GKeyFile) file = hr_key_file_parse("name", TEXT(text), HR_ERROR_USAGE, &error);
    g_assert_no_error(error);
    g_autofree char *plain = NULL;
    g_assert_true(hr_key_file_get(file, "a", "plain", &plain, HR_ERROR_USAGE, &error));
    g_assert_cmpstr(plain, ==, "x y ");
    char *absent;
    g_assert_true(hr_key_file_get(file, "a", "absent", &absent, HR_ERROR_USAGE, &error));
    g_assert_null(absent);
    // What a list may escape, one value may not.
    char *wrong;
    g_assert_false(hr_key_file_get(file, "a", "list", &wrong, HR_ERROR_USAGE, &error));
    g_assert_error(error, HR_ERROR, HR_ERROR_USAGE);
    g_assert_nonnull(strstr(error->message, "[a]: list: "));
    g_assert_null(wrong);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/key-file/files", test_files);
    g_test_add_func("/key-file/values", test_values);
    return g_test_run();
}
