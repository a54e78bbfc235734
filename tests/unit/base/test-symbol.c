// SPDX-License-Identifier: MIT
#include "base/symbol.h"

#include <glib.h>

static const struct {
    const char *name;
    size_t limit;
    const char *folded; // NULL: stays as it is
} NAMES[] = {
    {"cache::insert", 40, NULL},
    {"cache::insert", 4, NULL}, // nothing to fold
    {"map<int, list<pair<a, b>>>::at", 30, NULL},
    {"map<int, list<pair<a, b>>>::at", 29, "map<int, list<pair<…>>>::at"},
    {"map<int, list<pair<a, b>>>::at", 26, "map<int, list<…>>::at"},
    {"map<int, list<pair<a, b>>>::at", 12, "map<…>::at"},
    {"map<int, list<pair<a, b>>>::at", 2, "map<…>::at"},
    {"<Vec<u8> as io::Write<T>>::write", 20, "<Vec<…> as io::Write<…>>::write"},
    {"bool operator< <int>(pair<int> const&)", 34, "bool operator< <…>(pair<…> const&)"},
    {"f<int>(int)::{lambda()->g<int>}", 10, "f<…>(int)::{lambda()->g<…>}"},
    {"std::operator<< <char>(x)", 10, "std::operator<< <…>(x)"},
    {"broken<a<b>::c", 4, NULL},
    {"broken>a", 4, NULL},
    {"缓存<键值对>::插入", 8, "缓存<…>::插入"},
};

static void test_fold(void)
{
    for (size_t i = 0; i < G_N_ELEMENTS(NAMES); i++) {
        g_autofree char *folded = hr_symbol_fold(NAMES[i].name, NAMES[i].limit);
        g_assert_cmpstr(folded, ==, NAMES[i].folded);
    }
}

// As long as names get, and of brackets alone: what takes more than a moment here would hang a run.
static void test_hostile(void)
{
    enum { DEPTH = 200000 };
    g_autofree char *open = g_strnfill(DEPTH, '<');
    g_autofree char *close = g_strnfill(DEPTH, '>');
    g_autofree char *matched = g_strconcat("f", open, close, NULL);
    g_autofree char *folded = hr_symbol_fold(matched, 9);
    g_assert_cmpstr(folded, ==, "f<<<…>>>");
    g_autofree char *unmatched = g_strconcat("f", open, NULL);
    g_assert_null(hr_symbol_fold(unmatched, 9));
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/symbol/fold", test_fold);
    g_test_add_func("/symbol/hostile", test_hostile);
    return g_test_run();
}
