// SPDX-License-Identifier: MIT
// The document: one tree of nodes, made from a result and a template, const afterwards, that every
// backend renders. Nodes hold typed raw values and chart data; never coordinates, page sizes or
// markup.
#pragma once

#include "base/arena.h"
#include "base/estimate.h"

#include <stdbool.h>
#include <stdint.h>

enum hr_node_kind {
    // blocks
    HR_NODE_DOCUMENT,
    HR_NODE_SECTION,   // role, id; starts with a heading
    HR_NODE_HEADING,   // level 1 to 4
    HR_NODE_PARAGRAPH, // holds inline nodes
    HR_NODE_LIST,      // role: "suspects", "steps" (numbered), "" (bullets)
    HR_NODE_ITEM,      // holds blocks; a CHART among them is a sparkline beside the line
    HR_NODE_TABLE,     // table; no children
    HR_NODE_CHART,     // chart; no children
    HR_NODE_CALLOUT,   // role: the tone ("verdict", "note", "warning"); text: what it is about
                       // ("heap_growth"), for style only; holds blocks
    HR_NODE_CODE,      // text; may break anywhere
    HR_NODE_STACK,     // stack; no children
    HR_NODE_FACTS,     // holds FACT: key numbers side by side; role: "key" or "evidence"
    HR_NODE_FACT,      // text: label; value; change
    // inline
    HR_NODE_TEXT,   // text
    HR_NODE_STRONG, // holds inline nodes
    HR_NODE_SYMBOL, // text: a function or path, monospaced, breaks at :: < , /
    HR_NODE_LINK,   // text, target: id of a section
    HR_NODE_VALUE,  // value
};

enum hr_value_kind {
    HR_VALUE_NULL,
    HR_VALUE_TEXT,
    HR_VALUE_SYMBOL,
    HR_VALUE_NUMBER,
    HR_VALUE_TIME,
    HR_VALUE_BOOLEAN
};

// A typed value; base/format.h writes it, by key.
struct hr_value {
    enum hr_value_kind kind;
    const char *key;  // "growth_bytes": the suffix is the unit
    const char *text; // text, symbol, RFC 3339 time
    struct hr_estimate number;
    bool significant; // false: written with "≈"
    bool boolean;
    const char *link; // NULL, or the id of a section
    unsigned depth;   // in a tree: levels that it is indented by
};

struct hr_column {
    const char *title;
    const char *key; // decides alignment: numbers right
    bool row_header;
    int weight; // share of the width that is left; 0: as narrow as its content
};

struct hr_table {
    const char *id;
    const char *caption;
    const struct hr_column *columns;
    unsigned columns_count;
    const struct hr_value *cells; // row by row
    unsigned rows_count;
    bool is_tree;           // its rows are indented and keep their order
    bool last_row_is_total; // sum or remainder: set apart
    unsigned foot_count; // how many of the last rows are sums: they stay last when rows are sorted
    const char *rest_note; // NULL, or what was cut, in words
};

struct hr_stack_line {
    const char *function;
    const char *place; // "src/cache.rs:88", module+0xoffset, or NULL
    bool inlined;
    bool responsible;
    const char *kind;  // allocator, runtime, library, app, unknown
    const char *trust; // exact, symbol, guessed, none
    const char *note; // the template's word for what is special ("responsible", "inlined"), or NULL
};

struct hr_stack_listing {
    const struct hr_stack_line *lines; // innermost first
    unsigned lines_count;
    bool is_whole;           // no run of frames may be folded (--full)
    const char *folded_note; // the template's words for folded frames, behind their number
};

// Charts are data. One struct serves all kinds; a kind uses the members that its layout in
// render/chart/ names.
enum hr_chart_kind {
    HR_CHART_TIMELINE,  // series over time, marks
    HR_CHART_BALANCE,   // bars: base and final
    HR_CHART_AREA,      // series stacked, the largest at the bottom
    HR_CHART_SPARKLINE, // one series, no axes
    HR_CHART_SUSPECT,   // one series with band and axes
    HR_CHART_FLAME,     // frames
    HR_CHART_HISTOGRAM, // bars by size class
    HR_CHART_NIGHTS,    // bars: the growth of each night
};

// What a mark stands for decides its colour, and the theme says which; 1 to 7 are the suspects, the
// same everywhere.
enum hr_colour {
    HR_COLOUR_NEUTRAL = 0,
    HR_COLOUR_SUSPECT_FIRST = 1,
    HR_COLOUR_SUSPECT_LAST = 7,
    HR_COLOUR_REST = 8,
    HR_COLOUR_HEAP,
    HR_COLOUR_ALLOCATED,
    HR_COLOUR_RESIDENT,
    HR_COLOUR_ANONYMOUS,
    HR_COLOUR_FILE,
    HR_COLOUR_OTHER,
};

struct hr_chart_series {
    const char *id;
    const char *label;
    int colour;   // enum hr_colour, or HR_COLOUR_SUSPECT_FIRST + n
    bool sampled; // drawn with its band; exact ones are plain lines
    unsigned count;
    const double *x; // seconds since base, or sequence
    const double *y; // bytes; NAN is a gap
    const double *low;
    const double *high;
};

struct hr_chart_mark {
    const char *kind;  // "base", "final", "peak", "break", "teardown", "third", "dump"
    const char *label; // NULL: none
    double x;
};

struct hr_chart_bar {
    const char *id;
    const char *label;
    int colour;
    double base; // NAN: unknown
    double final;
    struct hr_estimate growth;
    double from, to; // histogram: bucket bounds in bytes
};

struct hr_chart_frame {
    int32_t parent_index;
    const char *function;
    double base, final, growth;
    const char *suspect; // "S1" or NULL
};

struct hr_chart {
    enum hr_chart_kind kind;
    const char *name; // "timeline", "suspect-S1": file name and --chart
    const char *title;
    const char *caption; // one sentence: what it shows
    const char *alt;     // its message with first, last, min, max
    bool x_is_time;      // else the dumps' sequence
    const struct hr_chart_series *series;
    unsigned series_count;
    const struct hr_chart_mark *marks;
    unsigned marks_count;
    const struct hr_chart_bar *bars;
    unsigned bars_count;
    const struct hr_chart_frame *frames;
    unsigned frames_count;
    const bool *unlinked_frames; // NULL, or which frames' suspects have no section in this document
};

struct hr_node {
    enum hr_node_kind kind;
    struct hr_node *parent;
    struct hr_node *first_child;
    struct hr_node *last_child;
    struct hr_node *next;

    const char *id;   // anchor; NULL: none
    const char *role; // section: "summary", "suspect", "appendix"...; callout: tone; paragraph:
                      // "lead", "identity"
    const char *text;
    const char *target; // link
    int level;          // heading
    bool detail;        // left out of short formats (Markdown, text)
    bool brief;         // stands in short formats only
    struct hr_value value;
    struct hr_value change; // FACT
    const struct hr_table *table;
    const struct hr_chart *chart;
    const struct hr_stack_listing *stack;
};

// A file carried inside the document (PDF attachment).
struct hr_attachment {
    const char *name;
    const char *mime_type;
    const char *description;
    const void *bytes;
    size_t size;
};

struct hr_word {
    const char *id; // "contents"
    const char *text;
};

struct hr_document {
    struct hr_arena *arena; // owns the tree
    const struct hr_node *root;
    const char *title;
    const char *language;        // "en"
    const char *generated_time;  // RFC 3339
    const char *paper;           // "a4" or "letter"
    const char *producer;        // "heapreport 0.1.0"
    const char *rest_note;       // what a short format says when it ends early
    const struct hr_word *words; // furniture of pages: <names key="page">
    unsigned words_count;
    const struct hr_attachment *attachments;
    unsigned attachments_count;
};

struct hr_node *hr_node_new(struct hr_arena *arena, enum hr_node_kind kind);

// Appends `child` to `parent` and returns it.
struct hr_node *hr_node_append(struct hr_node *parent, struct hr_node *child);

// The template's word for a piece of page furniture; "" when it has none.
const char *hr_document_word(const struct hr_document *document, const char *id);

// Walks a tree without recursion: enter every node, leave those with children. Start with .node =
// NULL.
struct hr_node_iterator {
    const struct hr_node *root;
    const struct hr_node *node;
    bool entering; // false: leaving `node`
};

// Moves on; false at the end. Leaf nodes are entered and left too.
bool hr_node_iterator_next(struct hr_node_iterator *iterator);
