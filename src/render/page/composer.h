// SPDX-License-Identifier: MIT
// Inside of page/: the state while nodes become strips, and what each block does with it.
#pragma once

#include "render/page/strips.h"

struct hr_page_context {
    double left, right;
    int tag; // parent of what comes
    int panel;
    enum hr_paint panel_fill, panel_accent;
    double panel_left, panel_right;
    bool verdict;       // the callout that answers
    enum hr_paint mark; // colour of the suspect that this is about, or NONE
    unsigned number;    // items counted so far
    bool numbered;      // of a list
    bool compact;       // list of one-liners
    bool in_card;       // of a suspect, before its chart
    guint card_begin;   // its first strip
    double aside;       // width taken at the right of the item's first line
};

// How close the summary is set, so that it fits one page: 0 is at ease.
#define HR_PAGE_DENSITY_MAX 3

struct hr_page_composer {
    struct hr_fonts *fonts;
    struct hr_strips *strips;
    const struct hr_document *document;
    GArray *contexts; // struct hr_page_context, the last is in force
    double space;     // wanted before the next strip
    bool new_page;
    const char *anchor;
    int section_depth;
    int panels_count;
    unsigned headings_count;
    int density;
    bool in_summary;
};

struct hr_page_context *hr_page_context(struct hr_page_composer *composer);
// Pushes a copy of the context in force and returns it.
struct hr_page_context *hr_page_push(struct hr_page_composer *composer);
void hr_page_pop(struct hr_page_composer *composer);

int hr_page_tag(struct hr_page_composer *composer, const char *name, int parent);
struct hr_tag *hr_page_get_tag(struct hr_page_composer *composer, int tag);

// Asks for at least that much space before the next strip.
void hr_page_space(struct hr_page_composer *composer, double space);

// Begins a strip; boxes added until the next one belong to it.
struct hr_strip *hr_page_strip(struct hr_page_composer *composer, double height);
struct hr_box *hr_page_box(struct hr_page_composer *composer, enum hr_box_kind kind, int tag);
void hr_page_rectangle(struct hr_page_composer *composer, double x, double y, double width,
                       double height, enum hr_paint paint);

// Keeps all strips from `first` on together on a page, those after them apart.
void hr_page_keep(struct hr_page_composer *composer, guint first);

// A text that the strips own.
struct hr_passage *hr_page_text(struct hr_page_composer *composer, enum hr_font font, double size,
                                double line_height);
// A broken text as one strip a line, at least two lines on either side of a page break.
void hr_page_lines(struct hr_page_composer *composer, const struct hr_passage *text, double x,
                   int tag, bool keep_with_next);
// One line of text as a box on the current strip.
void hr_page_line(struct hr_page_composer *composer, const struct hr_passage *text, unsigned line,
                  double x, double y, int tag);
// All lines of a text as boxes on the current strip, from y down.
void hr_page_all_lines(struct hr_page_composer *composer, const struct hr_passage *text, double x,
                       double y, int tag);

// A background of its own around lines that the caller draws, `inset` from its left.
void hr_page_enter_panel(struct hr_page_composer *composer, double inset);
void hr_page_leave_panel(struct hr_page_composer *composer);

// Appends a value, and the inline children of a node, to a text.
void hr_page_append_value(struct hr_passage *text, const struct hr_value *value,
                          struct hr_passage_style style);
void hr_page_append_inline(struct hr_passage *text, const struct hr_node *node,
                           struct hr_passage_style style);

// Blocks without blocks inside.
void hr_page_heading(struct hr_page_composer *composer, const struct hr_node *node);
void hr_page_paragraph(struct hr_page_composer *composer, const struct hr_node *node);
void hr_page_code(struct hr_page_composer *composer, const struct hr_node *node);
void hr_page_stack(struct hr_page_composer *composer, const struct hr_node *node);
void hr_page_facts(struct hr_page_composer *composer, const struct hr_node *node);
void hr_page_chart(struct hr_page_composer *composer, const struct hr_node *node);
void hr_page_table(struct hr_page_composer *composer, const struct hr_table *table);
