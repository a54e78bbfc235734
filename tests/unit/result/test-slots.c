// SPDX-License-Identifier: MIT
#include "result/slots.h"

#include <math.h>

#define MIB (1024.0 * 1024.0)

static char *filled(const char *text)
{
    struct hr_phrase phrase = hr_phrase_new("any");
    hr_phrase_add_number(&phrase, "growth_bytes", 96.4 * MIB);
    hr_phrase_add_number(&phrase, "growth_bytes_low", 85.2 * MIB);
    hr_phrase_add_number(&phrase, "growth_bytes_high", 107 * MIB);
    hr_phrase_add_number(&phrase, "live_bytes", 3 * MIB);
    hr_phrase_add_number(&phrase, "dumps_count", 12480);
    hr_phrase_add_number(&phrase, "one_count", 1);
    hr_phrase_add_number(&phrase, "unknown_bytes", NAN);
    hr_phrase_add_text(&phrase, "function", "cache::insert");
    hr_phrase_add_text(&phrase, "braces", "{function}");
    GString *out = g_string_new(NULL);
    hr_slots_append(out, text, &phrase);
    return g_string_free(out, FALSE);
}

static const struct {
    const char *text;
    const char *filled;
} CASES[] = {
    {"", ""},
    {"no slot", "no slot"},
    {"{function} holds {live_bytes}.", "cache::insert holds 3 MiB."},
    {"grew by {growth_bytes}", "grew by +96 MiB (85 to 107)"},
    {"{growth_bytes}, at least {growth_bytes_low}", "+96.4 MiB, at least +85.2 MiB"},
    {"{dumps_count} {dumps_count|dump|dumps}", "12\u202f480 dumps"},
    {"{one_count} {one_count|dump|dumps}", "1 dump"},
    {"{one_count|dump ends|dumps end} here{one_count||s}", "dump ends here"},
    {"{unknown_bytes}", "\u2014"},
    {"{nobody} and {nobody|a|b}", "{nobody} and {nobody|a|b}"},
    {"what a slot brings is not filled again: {braces}",
     "what a slot brings is not filled again: {function}"},
    {"format!(\"{:?}\", {}) {Not} { function } {function",
     "format!(\"{:?}\", {}) {Not} { function } {function"},
    {"{{function}}", "{cache::insert}"},
    {"{one_count|a|b|c}", "{one_count|a|b|c}"},
    {"{one_count|a}", "{one_count|a}"},
};

static void test_fill(void)
{
    for (size_t i = 0; i < G_N_ELEMENTS(CASES); i++) {
        g_autofree char *text = filled(CASES[i].text);
        g_assert_cmpstr(text, ==, CASES[i].filled);
    }
}

static void test_has(void)
{
    g_assert_true(hr_slots_has("a {b_bytes} c", "b_bytes", 7));
    g_assert_true(hr_slots_has("a {n|one|many} c", "n", 1));
    g_assert_false(hr_slots_has("a {b_bytes} c", "b", 1));
    g_assert_false(hr_slots_has("a b c", "b", 1));
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/slots/fill", test_fill);
    g_test_add_func("/slots/has", test_has);
    return g_test_run();
}
