// SPDX-License-Identifier: MIT
// The write functions that src/render/backends.c puts into its table, one a format.
#pragma once

#include "render/render.h"

bool hr_text_write(struct hr_renderer *renderer, const struct hr_document *document,
                   const char *chart, GByteArray *out, GError **error);
bool hr_html_write(struct hr_renderer *renderer, const struct hr_document *document,
                   const char *chart, GByteArray *out, GError **error);
bool hr_markdown_write(struct hr_renderer *renderer, const struct hr_document *document,
                       const char *chart, GByteArray *out, GError **error);
