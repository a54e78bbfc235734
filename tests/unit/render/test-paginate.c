// SPDX-License-Identifier: MIT
// Page breaks over made-up strips, and the boxes of a whole report as text against
// testdata/pages/; rewrite with HR_UPDATE_GOLDEN=1, and look at what changed.
#include "render/page/paginate.h"
#include "render/renderer.h"
#include "sample_document.h"

#include <string.h>

static struct hr_strips *strips_new(const struct hr_strip *list, guint count)
{
    struct hr_strips *strips = g_new0(struct hr_strips, 1);
    strips->strips = g_array_new(FALSE, TRUE, sizeof(struct hr_strip));
    strips->boxes = g_array_new(FALSE, TRUE, sizeof(struct hr_box));
    strips->tags = g_array_new(FALSE, TRUE, sizeof(struct hr_tag));
    strips->texts = g_ptr_array_new();
    strips->scenes = g_ptr_array_new();
    strips->words = g_string_chunk_new(16);
    g_array_append_vals(strips->strips, list, count);
    return strips;
}

// "0 1 | 2 (0) 3": strips by page, repeated ones in parentheses.
static char *break_pages(const struct hr_strip *list, guint count, double height)
{
    HR_AUTO(hr_strips) strips = strips_new(list, count);
    HR_AUTO(hr_pages) pages = hr_pages_new(strips, height);
    GString *out = g_string_new(NULL);
    for (guint p = 0; p < pages->pages->len; p++) {
        const struct hr_page *page = hr_pages_get(pages, p);
        g_string_append(out, p ? " |" : "");
        for (guint i = page->first; i < page->first + page->count; i++) {
            const struct hr_placement *placement = hr_pages_get_placement(pages, i);
            g_string_append_printf(out, placement->repeated ? " (%u)" : " %u", placement->strip);
        }
    }
    return g_string_free(out, FALSE);
}

#define LINE(...)                                                                                  \
    {                                                                                              \
        .height = 10, .head = -1, __VA_ARGS__                                                      \
    }

static void test_breaks(void)
{
    static const struct hr_strip plain[] = {LINE(), LINE(), LINE(), LINE(), LINE()};
    g_autofree char *fill = break_pages(plain, 5, 30);
    g_assert_cmpstr(fill, ==, " 0 1 2 | 3 4");
    static const struct hr_strip spaced[] = {LINE(.space_before = 25), LINE(),
                                             LINE(.space_before = 25), LINE()};
    g_autofree char *space = break_pages(spaced, 4, 30);
    g_assert_cmpstr(space, ==, " 0 1 | 2 3");
    static const struct hr_strip wished[] = {LINE(), LINE(.new_page = true), LINE()};
    g_autofree char *wish = break_pages(wished, 3, 30);
    g_assert_cmpstr(wish, ==, " 0 | 1 2");
    g_autofree char *none = break_pages(plain, 0, 30);
    g_assert_cmpstr(none, ==, "");
}

static void test_keeps(void)
{
    // a heading goes with what follows it
    static const struct hr_strip heading[] = {LINE(), LINE(), LINE(.keep_with_next = true), LINE()};
    g_autofree char *kept = break_pages(heading, 4, 30);
    g_assert_cmpstr(kept, ==, " 0 1 | 2 3");
    // what is longer than a page breaks all the same, and loses nothing
    static const struct hr_strip chain[] = {LINE(),
                                            LINE(.keep_with_next = true),
                                            LINE(.keep_with_next = true),
                                            LINE(.keep_with_next = true),
                                            LINE(.keep_with_next = true),
                                            LINE()};
    g_autofree char *broken = break_pages(chain, 6, 30);
    g_assert_cmpstr(broken, ==, " 0 | 1 2 3 | 4 5");
    static const struct hr_strip tall[] = {LINE(), {.height = 99, .head = -1}, LINE()};
    g_autofree char *alone = break_pages(tall, 3, 30);
    g_assert_cmpstr(alone, ==, " 0 | 1 | 2");
}

static void test_heads_repeat(void)
{
    static const struct hr_strip table[] = {
        LINE(.keep_with_next = true),
        {.height = 10, .head = 0, .head_count = 1},
        {.height = 10, .head = 0, .head_count = 1},
        {.height = 10, .head = 0, .head_count = 1},
        LINE(),
    };
    g_autofree char *pages = break_pages(table, 5, 30);
    g_assert_cmpstr(pages, ==, " 0 1 2 | (0) 3 4");
}

static struct hr_renderer *renderer_new(void)
{
    g_autoptr(GError) error = NULL;
    struct hr_renderer *renderer = hr_renderer_new(g_getenv("HR_DATA_DIR"), &error);
    g_assert_no_error(error);
    return renderer;
}

static void check_golden(const char *name, const char *text)
{
    g_autofree char *path =
        g_strdup_printf("%s/testdata/pages/%s.txt", g_getenv("HR_DATA_DIR"), name);
    if (g_getenv("HR_UPDATE_GOLDEN")) {
        g_assert_true(g_file_set_contents(path, text, -1, NULL));
    }
    g_autofree char *expected = NULL;
    g_assert_true(g_file_get_contents(path, &expected, NULL, NULL));
    g_assert_cmpstr(text, ==, expected);
}

// Boxes stay inside the column, and no text lies on another.
static void check_boxes(const struct hr_strips *strips)
{
    for (guint s = 0; s < strips->strips->len; s++) {
        const struct hr_strip *strip = hr_strips_get(strips, s);
        for (unsigned i = 0; i < strip->boxes_count; i++) {
            const struct hr_box *box = hr_strips_get_box(strips, strip->first_box + i);
            g_assert_cmpfloat(box->x, >=, -0.01);
            g_assert_cmpfloat(box->x + box->width, <=, strips->width + 3);
            for (unsigned k = 0; k < i && box->kind == HR_BOX_TEXT; k++) {
                const struct hr_box *other = hr_strips_get_box(strips, strip->first_box + k);
                const bool apart = other->kind != HR_BOX_TEXT ||
                                   other->x >= box->x + box->width - 0.5 ||
                                   box->x >= other->x + other->width - 0.5 ||
                                   other->y >= box->y + box->height - 0.5 ||
                                   box->y >= other->y + other->height - 0.5;
                g_assert_true(apart);
            }
        }
    }
}

static void check_document(const char *name, unsigned suspects_count, bool golden)
{
    HR_AUTO(hr_renderer) renderer = renderer_new();
    HR_AUTO(hr_arena) arena = hr_arena_new();
    const struct hr_document *document = hr_sample_document(arena, suspects_count);
    HR_AUTO(hr_strips) strips = hr_strips_new(renderer->fonts, document, 499, 750);
    HR_AUTO(hr_pages) pages = hr_pages_new(strips, 750);
    check_boxes(strips);
    if (golden) {
        g_autoptr(GString) text = g_string_new(NULL);
        hr_pages_append_text(pages, strips, text);
        check_golden(name, text->str);
    }
}

static void test_document(void)
{
    check_document("none", 0, true);
    check_document("one", 1, true);
    // names in letters that only some systems have fonts for: no golden
    check_document("thirty", 30, false);
}

// A run of ten foreign frames shows its first two and its last, and says how many lie between.
static void test_stack_folds(void)
{
    HR_AUTO(hr_renderer) renderer = renderer_new();
    HR_AUTO(hr_arena) arena = hr_arena_new();
    struct hr_stack_line lines[12] = {{.function = "own", .kind = "app", .responsible = true}};
    for (unsigned i = 1; i < 11; i++) {
        lines[i].function = hr_arena_printf(arena, "library_%u", i);
        lines[i].kind = "library";
    }
    lines[11] = (struct hr_stack_line){.function = "main", .kind = "app"};
    const struct hr_stack_listing stack = {
        .lines = lines, .lines_count = G_N_ELEMENTS(lines), .folded_note = "frames of others"};
    struct hr_node *root = hr_node_new(arena, HR_NODE_DOCUMENT);
    hr_node_append(root, hr_node_new(arena, HR_NODE_STACK))->stack = &stack;
    const struct hr_document document = {.arena = arena, .root = root};
    HR_AUTO(hr_strips) strips = hr_strips_new(renderer->fonts, &document, 499, 750);
    g_autoptr(GString) words = g_string_new(NULL);
    for (guint i = 0; i < strips->boxes->len; i++) {
        const struct hr_box *box = hr_strips_get_box(strips, i);
        if (box->kind == HR_BOX_TEXT) {
            g_autofree char *line = hr_passage_line_text(box->text, box->line);
            g_string_append_printf(words, "%s|", line);
        }
    }
    g_assert_cmpstr(words->str, ==,
                    "own|library_1|library_2|… 7 frames of others|library_10|main|");
}

// The answer stands on page 1, also beside three suspects with long names.
static void test_summary_fits(void)
{
    HR_AUTO(hr_renderer) renderer = renderer_new();
    HR_AUTO(hr_arena) arena = hr_arena_new();
    const struct hr_document *document = hr_sample_document(arena, 30);
    HR_AUTO(hr_strips) strips = hr_strips_new(renderer->fonts, document, 499, 706);
    HR_AUTO(hr_pages) pages = hr_pages_new(strips, 706);
    const struct hr_page *second = hr_pages_get(pages, 1);
    const struct hr_placement *first = hr_pages_get_placement(pages, second->first);
    g_assert_cmpstr(hr_strips_get(strips, first->strip)->anchor, ==, "suspects");
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/paginate/breaks", test_breaks);
    g_test_add_func("/paginate/keeps", test_keeps);
    g_test_add_func("/paginate/heads-repeat", test_heads_repeat);
    g_test_add_func("/paginate/document", test_document);
    g_test_add_func("/paginate/stack-folds", test_stack_folds);
    g_test_add_func("/paginate/summary-fits", test_summary_fits);
    return g_test_run();
}
