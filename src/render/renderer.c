// SPDX-License-Identifier: MIT
#include "render/renderer.h"

struct hr_renderer *hr_renderer_new(const char *data_dir, GError **error)
{
    g_autofree char *fonts_dir = g_build_filename(data_dir, "fonts", NULL);
    struct hr_fonts *fonts = hr_fonts_new(fonts_dir, error);
    if (!fonts) {
        return NULL;
    }
    struct hr_renderer *renderer = g_new0(struct hr_renderer, 1);
    renderer->data_dir = g_strdup(data_dir);
    renderer->fonts = fonts;
    return renderer;
}

void hr_renderer_free(struct hr_renderer *renderer)
{
    if (!renderer) {
        return;
    }
    hr_fonts_free(renderer->fonts);
    g_free(renderer->data_dir);
    g_free(renderer);
}
