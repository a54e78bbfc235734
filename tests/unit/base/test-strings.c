// SPDX-License-Identifier: MIT
#include "base/strings.h"

#include <string.h>

static void test_equal_texts_share_a_pointer(void)
{
    HR_AUTO(hr_arena) arena = hr_arena_new();
    HR_AUTO(hr_strings) strings = hr_strings_new(arena);
    char spelled[] = "cache::insert";
    const char *first = hr_strings_intern(strings, spelled);
    memset(spelled, 'x', strlen(spelled));
    g_assert_true(first == hr_strings_intern(strings, "cache::insert"));
    g_assert_true(first ==
                  hr_strings_intern_n(strings, "cache::insert_all", strlen("cache::insert")));
    g_assert_true(first != hr_strings_intern(strings, "cache::inser"));
}

static void test_long_text(void)
{
    HR_AUTO(hr_arena) arena = hr_arena_new();
    HR_AUTO(hr_strings) strings = hr_strings_new(arena);
    g_autofree char *text = g_strnfill(100000, 'a');
    const char *first = hr_strings_intern_n(strings, text, 99999);
    g_assert_cmpuint(strlen(first), ==, 99999);
    g_assert_true(first == hr_strings_intern_n(strings, text, 99999));
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/strings/equal-texts-share-a-pointer", test_equal_texts_share_a_pointer);
    g_test_add_func("/strings/long-text", test_long_text);
    return g_test_run();
}
