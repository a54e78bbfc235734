// SPDX-License-Identifier: MIT
// A paragraph of mixed runs: built from pieces with a style each, broken into lines by Pango, drawn
// line by line. Symbols break at :: < , / without a hyphen, numbers with their unit never do.
#pragma once

#include "render/fonts.h"
#include "render/theme.h"

#include <cairo.h>

struct hr_passage_style {
    enum hr_font font;
    double scale; // of the text's size; 0 is read as 1
    enum hr_paint paint;
    const char *target; // NULL, or the id that it links to; must outlive the text
    bool symbol;        // breaks at its joints
    bool whole;         // never breaks
};

struct hr_passage_span {
    guint start, end; // bytes
    struct hr_passage_style style;
};

struct hr_passage {
    struct hr_fonts *fonts;
    enum hr_font font;
    double size;        // points
    double line_height; // points, the same for all lines
    bool tabular;       // figures of one width, for columns
    double symbol_room; // 0, or the width that a symbol is shortened to
    GString *bytes;
    GArray *spans; // struct hr_passage_span
    PangoLayout *layout;
    unsigned lines_count;
};

struct hr_passage *hr_passage_new(struct hr_fonts *fonts, enum hr_font font, double size,
                                  double line_height);
void hr_passage_free(struct hr_passage *text);
HR_DEFINE_AUTO(hr_passage, hr_passage_free)

// Appends a piece; control characters and letters that no font has are made visible.
void hr_passage_append(struct hr_passage *text, const char *piece, struct hr_passage_style style);

// Breaks into lines of at most `width` points (0: one line a paragraph); lines after the first are
// indented by `hang`.
void hr_passage_break(struct hr_passage *text, double width, double hang);

// The width of a line, and of the widest, in points.
double hr_passage_line_width(const struct hr_passage *text, unsigned line);
double hr_passage_width(const struct hr_passage *text);

// A piece of one line that is all link to one target, or all not.
typedef void (*hr_passage_piece_function)(void *user, const char *target, bool entering);

// Draws a line with its top left at x, y. `piece` (NULL: none) is told of each run of pieces with
// one target, before and after it is drawn.
void hr_passage_draw_line(const struct hr_passage *text, unsigned line, cairo_t *cr, double x,
                          double y, hr_passage_piece_function piece, void *user);

// The same without pieces, by the baseline.
void hr_passage_draw_baseline(const struct hr_passage *text, unsigned line, cairo_t *cr, double x,
                              double baseline);

// All characters as they are drawn; the caller frees them.
char *hr_passage_plain(const struct hr_passage *text);

// The characters of a line as they are drawn, for golden tests.
char *hr_passage_line_text(const struct hr_passage *text, unsigned line);
