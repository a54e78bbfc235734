// SPDX-License-Identifier: MIT
// The write functions of the formats that are drawn.
#pragma once

#include "render/render.h"

// The document as a tagged PDF with its attachments; with `chart`, that chart alone on a page of
// its own size.
bool hr_pdf_write(struct hr_renderer *renderer, const struct hr_document *document,
                  const char *chart, GByteArray *out, GError **error);

// One chart as SVG with its fonts; without `chart` the timeline.
bool hr_svg_write(struct hr_renderer *renderer, const struct hr_document *document,
                  const char *chart, GByteArray *out, GError **error);

// Page 1 as a picture of 144 dpi; with `chart`, that chart.
bool hr_png_write(struct hr_renderer *renderer, const struct hr_document *document,
                  const char *chart, GByteArray *out, GError **error);
