// SPDX-License-Identifier: MIT
// Pages onto cairo: boxes, backgrounds, page numbers; in a PDF also the structure tree, links,
// destinations and bookmarks.
#pragma once

#include "base/error.h"
#include "render/page/paginate.h"

#include <cairo.h>

struct hr_paper {
    double width, height; // points
    double left, top;     // margins
    double column_width, column_height;
};

// "a4" or "letter"; anything else is A4.
struct hr_paper hr_paper_find(const char *name);

struct hr_painting {
    struct hr_fonts *fonts;
    const struct hr_document *document;
    const struct hr_strips *strips;
    const struct hr_pages *pages;
    struct hr_paper paper;
    bool bare; // without a footer
};

// Draws one page as a picture.
void hr_paint_page(const struct hr_painting *painting, guint page, cairo_t *cr);

// Draws all pages as a PDF into `out`. On success tells the tags in the order in which they stand
// in the structure tree (indices into strips->tags), for what cairo cannot write itself.
bool hr_paint_pdf(const struct hr_painting *painting, GByteArray *out, GArray *tag_order,
                  GError **error);
