// SPDX-License-Identifier: MIT
// One chart as a file of its own: with the letters that it needs, and colours for dark screens.
#include "render/chart/svg.h"
#include "render/chart/find.h"
#include "render/page/page.h"
#include "render/renderer.h"

#define SVG_WIDTH 860.0
#define SVG_TEXT_SIZE 12.0

static void collect_letters(const struct hr_scene *scene, GString *sans, GString *mono)
{
    for (guint i = 0; i < scene->items->len; i++) {
        const struct hr_scene_item *item = &g_array_index(scene->items, struct hr_scene_item, i);
        if (item->text) {
            const bool is_mono = item->font == HR_FONT_MONO || item->font == HR_FONT_MONO_BOLD;
            g_string_append(is_mono ? mono : sans, item->text);
        }
    }
}

bool hr_svg_write(struct hr_renderer *renderer, const struct hr_document *document,
                  const char *chart, GByteArray *out, GError **error)
{
    const struct hr_chart *found = hr_chart_find(document, chart, error);
    if (!found) {
        return false;
    }
    const struct hr_chart_space space = {.width = SVG_WIDTH, .text_size = SVG_TEXT_SIZE};
    HR_AUTO(hr_scene) scene = hr_chart_layout(renderer->fonts, found, space);
    g_autoptr(GString) sans = g_string_new(NULL);
    g_autoptr(GString) mono = g_string_new(NULL);
    collect_letters(scene, sans, mono);
    g_autoptr(GString) style = g_string_new("\n");
    hr_fonts_append_subset_css(renderer, sans->str, mono->str, style);
    hr_theme_append_css(style);
    g_autoptr(GString) svg = g_string_new("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    if (!hr_svg_append_scene(scene, found, style->str, svg, error)) {
        return false;
    }
    g_string_append_c(svg, '\n');
    g_byte_array_append(out, (const guint8 *)svg->str, (guint)svg->len);
    return true;
}
