// SPDX-License-Identifier: MIT
// Lists in lists, and blocks of lines in items, as a house's own template may have them.
#include "render/render.h"

static struct hr_node *add(struct hr_arena *arena, struct hr_node *parent, enum hr_node_kind kind)
{
    return hr_node_append(parent, hr_node_new(arena, kind));
}

static void add_words(struct hr_arena *arena, struct hr_node *parent, const char *words)
{
    struct hr_node *paragraph = add(arena, parent, HR_NODE_PARAGRAPH);
    add(arena, paragraph, HR_NODE_TEXT)->text = words;
}

static void add_table(struct hr_arena *arena, struct hr_node *parent)
{
    static const struct hr_column columns[] = {{.title = "n", .key = "n"}};
    static const struct hr_value cells[] = {{.kind = HR_VALUE_TEXT, .text = "cell"}};
    struct hr_table *table = HR_ARENA_NEW(arena, struct hr_table);
    *table =
        (struct hr_table){.columns = columns, .columns_count = 1, .rows_count = 1, .cells = cells};
    add(arena, parent, HR_NODE_TABLE)->table = table;
}

// 1. outer, with a list and words behind it; 2. next; 3. a table alone.
static void add_list(struct hr_arena *arena, struct hr_node *root)
{
    struct hr_node *list = add(arena, root, HR_NODE_LIST);
    list->role = "steps";
    struct hr_node *first = add(arena, list, HR_NODE_ITEM);
    add_words(arena, first, "outer");
    struct hr_node *inner = add(arena, first, HR_NODE_LIST);
    add_words(arena, add(arena, inner, HR_NODE_ITEM), "inner");
    add_words(arena, first, "behind");
    add_words(arena, add(arena, list, HR_NODE_ITEM), "next");
    add_table(arena, add(arena, list, HR_NODE_ITEM));
}

static void check(const char *format, const char *expected)
{
    struct hr_arena *arena = hr_arena_new();
    struct hr_node *root = hr_node_new(arena, HR_NODE_DOCUMENT);
    add_list(arena, root);
    add_words(arena, root, "after");
    const struct hr_document document = {.arena = arena, .root = root, .rest_note = "more"};
    g_autoptr(GByteArray) out = g_byte_array_new();
    g_autoptr(GError) error = NULL;
    hr_backend_find_name(format)->write(NULL, &document, NULL, out, &error);
    g_assert_no_error(error);
    g_autofree char *text = g_strndup((const char *)out->data, out->len);
    g_assert_cmpstr(text, ==, expected);
    hr_arena_free(arena);
}

static void test_markdown(void)
{
    check("markdown", "1. outer\n"
                      "   - inner\n"
                      "\n"
                      "   behind\n"
                      "2. next\n"
                      "3.\n"
                      "| n |\n"
                      "|---|\n"
                      "| cell |\n"
                      "\n"
                      "after\n"
                      "\n"
                      "more\n");
}

static void test_text(void)
{
    check("text", "1. outer\n"
                  "    - inner\n"
                  "   behind\n"
                  "2. next\n"
                  "  n cell\n"
                  "\n"
                  "after\n"
                  "\n"
                  "more\n");
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/lists/markdown", test_markdown);
    g_test_add_func("/lists/text", test_text);
    return g_test_run();
}
