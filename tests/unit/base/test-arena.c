// SPDX-License-Identifier: MIT
#include "base/arena.h"

#include <stdint.h>
#include <string.h>

static void test_alignment_and_zero(void)
{
    HR_AUTO(hr_arena) arena = hr_arena_new();
    for (size_t size = 0; size < 3000; size += 7) {
        char *memory = hr_arena_alloc(arena, size);
        g_assert_cmpuint((uintptr_t)memory % 16, ==, 0);
        for (size_t i = 0; i < size; i++) {
            g_assert_cmpint(memory[i], ==, 0);
        }
        memset(memory, 0xff, size);
    }
}

static void test_large_between_small(void)
{
    HR_AUTO(hr_arena) arena = hr_arena_new();
    char *before = hr_arena_strdup(arena, "before");
    char *large = hr_arena_alloc(arena, (size_t)8 * 1024 * 1024);
    char *after = hr_arena_strdup(arena, "after");
    large[8 * 1024 * 1024 - 1] = 'x';
    g_assert_cmpstr(before, ==, "before");
    g_assert_cmpstr(after, ==, "after");
    // the block that was in use before the large request is still in use after it
    g_assert_cmpuint((uintptr_t)after - (uintptr_t)before, ==, 16);
}

static void test_strings(void)
{
    HR_AUTO(hr_arena) arena = hr_arena_new();
    g_assert_cmpstr(hr_arena_strndup(arena, "abcdef", 3), ==, "abc");
    g_assert_cmpstr(hr_arena_printf(arena, "%d-%s", 7, "x"), ==, "7-x");
    const int numbers[] = {1, 2, 3};
    const int *copy = hr_arena_copy(arena, numbers, 3, sizeof *numbers);
    g_assert_cmpmem(copy, sizeof numbers, numbers, sizeof numbers);
    g_assert_nonnull(hr_arena_copy(arena, NULL, 0, 4));
    g_assert_cmpuint(hr_arena_used_bytes(arena), >=, 4 + 4 + 12);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/arena/alignment-and-zero", test_alignment_and_zero);
    g_test_add_func("/arena/large-between-small", test_large_between_small);
    g_test_add_func("/arena/strings", test_strings);
    return g_test_run();
}
