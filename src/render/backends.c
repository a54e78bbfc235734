// SPDX-License-Identifier: MIT
#include "render/backend.h"
#include "render/page/page.h"
#include "render/render.h"

#include <string.h>

static const struct hr_backend backends[] = {
    {"html", ".html", true, false, hr_html_write},
    {"markdown", ".md", false, false, hr_markdown_write},
    {"text", ".txt", false, false, hr_text_write},
    {"pdf", ".pdf", true, true, hr_pdf_write},
    {"png", ".png", true, true, hr_png_write},
    {"svg", ".svg", true, true, hr_svg_write},
    {NULL, NULL, false, false, NULL},
};

const struct hr_backend *hr_backends(void)
{
    return backends;
}

const struct hr_backend *hr_backend_find_name(const char *name)
{
    for (const struct hr_backend *backend = backends; backend->name; backend++) {
        if (strcmp(backend->name, name) == 0 || strcmp(backend->suffix + 1, name) == 0) {
            return backend;
        }
    }
    return NULL;
}

const struct hr_backend *hr_backend_find_path(const char *path)
{
    for (const struct hr_backend *backend = backends; backend->name; backend++) {
        if (g_str_has_suffix(path, backend->suffix)) {
            return backend;
        }
    }
    return NULL;
}
