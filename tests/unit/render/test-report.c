// SPDX-License-Identifier: MIT
// The shipped template over whole results: what is drawn stays inside its column, page 1 holds the
// answer, and every suspect has a place. With HR_KEEP=DIR the files stay there to be looked at.
#include "document/document.h"
#include "render/page/page.h"
#include "render/page/paginate.h"
#include "render/renderer.h"

#include <string.h>

static struct hr_document *compose(const char *name, char **bytes)
{
    g_autofree char *path =
        g_strdup_printf("%s/testdata/result/%s.json", g_getenv("HR_DATA_DIR"), name);
    gsize size = 0;
    g_autoptr(GError) error = NULL;
    g_file_get_contents(path, bytes, &size, &error);
    g_assert_no_error(error);
    json_t *result = json_loadb(*bytes, size, 0, NULL);
    g_assert_nonnull(result);
    g_autofree char *template =
        g_build_filename(g_getenv("HR_DATA_DIR"), "templates", "report.xml", NULL);
    struct hr_document *document = hr_document_compose(result, template, *bytes, size, &error);
    g_assert_no_error(error);
    json_decref(result);
    return document;
}

static void check_columns(const struct hr_strips *strips)
{
    for (guint i = 0; i < strips->boxes->len; i++) {
        const struct hr_box *box = hr_strips_get_box(strips, i);
        if (box->x < -0.01 || box->x + box->width > strips->width + 3) {
            g_autofree char *words =
                box->text ? hr_passage_line_text(box->text, box->line) : g_strdup("(shape)");
            g_error("runs off the column: %s", words);
        }
    }
}

// What a chart writes stays on it.
static void check_charts(struct hr_fonts *fonts, const struct hr_strips *strips)
{
    for (guint s = 0; s < strips->scenes->len; s++) {
        const struct hr_scene *scene = strips->scenes->pdata[s];
        for (guint i = 0; i < scene->items->len; i++) {
            const struct hr_scene_item *item =
                &g_array_index(scene->items, struct hr_scene_item, i);
            if (item->kind != HR_SCENE_TEXT) {
                continue;
            }
            const double width = hr_fonts_measure(fonts, item->font, item->size, item->text);
            const double left = item->x - width * (item->anchor == HR_ANCHOR_END      ? 1
                                                   : item->anchor == HR_ANCHOR_MIDDLE ? 0.5
                                                                                      : 0);
            if (left < -1 || left + width > scene->width + 1) {
                g_error("runs off its chart: %s", item->text);
            }
        }
    }
}

static void keep(const char *name, const GByteArray *bytes, const char *suffix)
{
    if (g_getenv("HR_KEEP")) {
        g_autofree char *path = g_strdup_printf("%s/%s%s", g_getenv("HR_KEEP"), name, suffix);
        g_assert_true(
            g_file_set_contents(path, (const char *)bytes->data, (gssize)bytes->len, NULL));
    }
}

static void test_result(gconstpointer name)
{
    g_autofree char *bytes = NULL;
    HR_AUTO(hr_document) document = compose(name, &bytes);
    g_autoptr(GError) error = NULL;
    HR_AUTO(hr_renderer) renderer = hr_renderer_new(g_getenv("HR_DATA_DIR"), &error);
    g_assert_no_error(error);
    HR_AUTO(hr_strips) strips = hr_strips_new(renderer->fonts, document, 499, 755);
    check_columns(strips);
    check_charts(renderer->fonts, strips);
    g_autoptr(GByteArray) pdf = g_byte_array_new();
    g_assert_true(hr_pdf_write(renderer, document, NULL, pdf, &error));
    g_assert_no_error(error);
    g_assert_cmpuint(pdf->len, <, 1024 * 1024);
    keep(name, pdf, ".pdf");
    g_autoptr(GByteArray) png = g_byte_array_new();
    g_assert_true(hr_png_write(renderer, document, NULL, png, &error));
    g_assert_no_error(error);
    g_assert_cmpmem(png->data, 4, "\x89PNG", 4);
    keep(name, png, ".png");
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_data_func("/report/heap-growth", "heap-growth", test_result);
    g_test_add_data_func("/report/no-growth", "no-growth", test_result);
    g_test_add_data_func("/report/no-dumps", "no-dumps", test_result);
    g_test_add_data_func("/report/hostile-names", "hostile-names", test_result);
    return g_test_run();
}
