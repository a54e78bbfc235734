// SPDX-License-Identifier: MIT
#include "model/stacks.h"

static void test_same_addresses_same_id(void)
{
    HR_AUTO(hr_stacks) stacks = hr_stacks_new();
    const uint64_t a[] = {3, 2, 1};
    const uint64_t b[] = {3, 2, 1, UINT64_MAX};
    g_assert_cmpuint(hr_stacks_intern(stacks, a, 3), ==, 0);
    g_assert_cmpuint(hr_stacks_intern(stacks, b, 4), ==, 1);
    g_assert_cmpuint(hr_stacks_intern(stacks, b, 3), ==, 0);
    g_assert_cmpuint(hr_stacks_intern(stacks, a, 0), ==, 2);
    g_assert_cmpuint(hr_stacks_count(stacks), ==, 3);
    g_assert_cmpuint(hr_stacks_location_count(stacks), ==, 4);
    const struct hr_stack stack = hr_stacks_get(stacks, 1);
    g_assert_cmpuint(stack.depth, ==, 4);
    g_assert_cmpuint(hr_stacks_location_address(stacks, stack.locations[3]), ==, UINT64_MAX);
    g_assert_cmpuint(hr_stacks_get(stacks, 2).depth, ==, 0);
}

static void test_many(void)
{
    HR_AUTO(hr_stacks) stacks = hr_stacks_new();
    for (int pass = 0; pass < 2; pass++) {
        for (uint64_t i = 0; i < 50000; i++) {
            const uint64_t addresses[] = {i * 16, i / 3, 7};
            g_assert_cmpuint(hr_stacks_intern(stacks, addresses, 3), ==, i);
        }
    }
    g_assert_cmpuint(hr_stacks_count(stacks), ==, 50000);
    g_assert_cmpuint(hr_stacks_location_address(stacks, hr_stacks_get(stacks, 49999).locations[1]),
                     ==, 16666);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/stacks/same-addresses-same-id", test_same_addresses_same_id);
    g_test_add_func("/stacks/many", test_many);
    return g_test_run();
}
