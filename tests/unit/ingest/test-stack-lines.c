// SPDX-License-Identifier: MIT
#include "ingest/stack_lines.h"

#include <glib.h>
#include <string.h>

static uint32_t find(struct hr_stack_lines *table, uint32_t previous, const char *line, bool *added)
{
    const char *past;
    const uint32_t found =
        hr_stack_lines_find(table, previous, line, line + strlen(line), &past, added);
    g_assert_cmpint(past - line, ==, strlen(line));
    return found;
}

static void test_known_lines(void)
{
    struct hr_stack_lines table;
    hr_stack_lines_init(&table);
    bool added;
    g_assert_cmpuint(find(&table, HR_STACK_LINE_NONE, "@ 0x1\n", &added), ==, 0);
    g_assert_true(added);
    g_assert_cmpuint(find(&table, 0, "@ 0x1 0x2\n", &added), ==, 1);
    g_assert_true(added);
    g_assert_cmpuint(find(&table, HR_STACK_LINE_NONE, "@ 0x1\n", &added), ==, 0);
    g_assert_false(added);
    g_assert_cmpuint(find(&table, 0, "@ 0x1 0x2\n", &added), ==, 1);
    g_assert_false(added);
    hr_stack_lines_clear(&table);
}

// What came before the limit stays known; what comes behind it is never taken for another line.
static void test_limit(void)
{
    struct hr_stack_lines table;
    hr_stack_lines_init(&table);
    table.text_limit = strlen("@ 0x1\n@ 0x2\n");
    bool added;
    g_assert_cmpuint(find(&table, HR_STACK_LINE_NONE, "@ 0x1\n", &added), ==, 0);
    g_assert_cmpuint(find(&table, 0, "@ 0x2\n", &added), ==, 1);
    for (int pass = 0; pass < 2; pass++) {
        g_assert_cmpuint(find(&table, 1, "@ 0x3\n", &added), ==, HR_STACK_LINE_NONE);
        g_assert_false(added);
        g_assert_cmpuint(find(&table, HR_STACK_LINE_NONE, "@ 0x2\n", &added), ==, 1);
        g_assert_false(added);
    }
    g_assert_cmpuint(table.text_bytes, ==, table.text_limit);
    hr_stack_lines_clear(&table);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/stack-lines/known", test_known_lines);
    g_test_add_func("/stack-lines/limit", test_limit);
    return g_test_run();
}
