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

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/symbol/fold", test_fold);
    return g_test_run();
}
