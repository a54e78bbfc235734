// SPDX-License-Identifier: MIT
// A document as a sequence of strips: slices of the column that no page break may cut, with the
// boxes on them and the wishes that pagination heeds. Made from nodes and the column's width;
// knows no pages.
#pragma once

#include "document/node.h"
#include "render/chart/scene.h"
#include "render/page/passage.h"

// Structure for readers that do not see: a tree in reading order, one element a tag.
struct hr_tag {
    const char *name;  // "H1", "P", "TD": PDF's standard structure types
    int parent;        // -1: the document itself
    const char *alt;   // Figure
    const char *scope; // TH: "Column" or "Row"
    bool pieces;       // text is drawn in Span and Link elements of its own
};

enum hr_box_kind { HR_BOX_TEXT, HR_BOX_RECTANGLE, HR_BOX_SCENE };

struct hr_box {
    enum hr_box_kind kind;
    int tag;     // -1: decoration
    double x, y; // from the column's left and the strip's top
    double width, height;
    enum hr_paint paint;
    const struct hr_passage *text;
    unsigned line;
    const struct hr_scene *scene;
};

struct hr_strip {
    double space_before; // dropped at the top of a page
    double height;
    bool keep_with_next;
    bool new_page;
    int head, head_count; // strips repeated when a page begins here; -1: none
    unsigned first_box, boxes_count;
    // background, drawn as one with that of the strips around it
    int panel; // -1: none
    enum hr_paint panel_fill, panel_accent;
    double panel_left, panel_right;
    const char *anchor;   // NULL, or the id of what begins here
    const char *bookmark; // NULL, or the heading's words
    int bookmark_level;
};

struct hr_strips {
    GArray *strips;
    GArray *boxes;
    GArray *tags;
    GPtrArray *texts, *scenes; // owned
    GStringChunk *words;       // bookmarks and made-up anchors
    double width;
};

// Lays out `document` for a column of `width` by `height` points. The summary is drawn closer where
// it would not fit one page otherwise. Texts of the document are kept by pointer: it must outlive
// the strips.
struct hr_strips *hr_strips_new(struct hr_fonts *fonts, const struct hr_document *document,
                                double width, double height);
void hr_strips_free(struct hr_strips *strips);
HR_DEFINE_AUTO(hr_strips, hr_strips_free)

const struct hr_strip *hr_strips_get(const struct hr_strips *strips, guint i);
const struct hr_box *hr_strips_get_box(const struct hr_strips *strips, guint i);
const struct hr_tag *hr_strips_get_tag(const struct hr_strips *strips, int i);
