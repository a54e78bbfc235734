// SPDX-License-Identifier: MIT
#include "symbolize/names.h"

static const struct {
    const char *symbol;
    const char *function;
    const char *key_name;
} cases[] = {
    {"malloc", "malloc", "malloc"},
    {"handle_request.isra.0.cold", "handle_request", "handle_request"},
    {"handle.constprop.0", "handle", "handle"},
    {"nested.1234", "nested.1234", "nested.1234"},
    {"poll.llvm.1234567890", "poll", "poll"},
    {"_Z3addi", "add(int)", "add(int)"},
    {"_Z3addl", "add(long)", "add(long)"},
    {"_Z3addi.part.0", "add(int)", "add(int)"},
    // Legacy Rust: the hash goes, the type of a trait's method stays.
    {"_ZN5bytes5abort17h34d9e0f4d0b451c7E", "bytes::abort", "bytes::abort"},
    {"_ZN42_$LT$$RF$T$u20$as$u20$core..fmt..Debug$GT$3fmt17h2ff32863606298e7E",
     "<&T as core::fmt::Debug>::fmt", "<&T as core::fmt::Debug>::fmt"},
    {"_ZN4core3ptr61drop_in_place$LT$alloc..vec..Vec$LT$regex..prog..Inst$GT$$GT$17h4e1291f0670b42"
     "29E",
     "core::ptr::drop_in_place<\u2026>",
     "core::ptr::drop_in_place<alloc::vec::Vec<regex::prog::Inst>>"},
    // Rust v0.
    {"_RNvNtCs1234_7mycrate3foo3bar", "mycrate::foo::bar", "mycrate::foo::bar"},
    {"_RINvNtCs1234_7mycrate3foo3barhE", "mycrate::foo::bar::<u8>", "mycrate::foo::bar::<u8>"},
    // C++: long argument lists fold, short ones and operators stay.
    {"_ZNSt6vectorIiSaIiEE9push_backERKi", "std::vector<\u2026>::push_back(int const&)",
     "std::vector<int, std::allocator<int> >::push_back(int const&)"},
    {"_ZN5StackIiE4pushEi", "Stack<int>::push(int)", "Stack<int>::push(int)"},
    {"_ZN1AlsEi", "A::operator<<(int)", "A::operator<<(int)"},
    {"_ZN1AptEv", "A::operator->()", "A::operator->()"},
    {"_ZltRK1AS1_", "operator<(A const&, A const&)", "operator<(A const&, A const&)"},
    {"_Znot a mangled name", "_Znot a mangled name", "_Znot a mangled name"},
    {"", "", ""},
    {".cold", ".cold", ".cold"},
};

static void test_cases(void)
{
    HR_AUTO(hr_arena) arena = hr_arena_new();
    HR_AUTO(hr_strings) strings = hr_strings_new(arena);
    HR_AUTO(hr_names) names = hr_names_new(strings);
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        const struct hr_name name = hr_names_get(names, cases[i].symbol);
        g_assert_cmpstr(name.function, ==, cases[i].function);
        g_assert_cmpstr(name.key_name, ==, cases[i].key_name);
        g_assert_true(hr_names_get(names, cases[i].symbol).function == name.function);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/names/cases", test_cases);
    return g_test_run();
}
