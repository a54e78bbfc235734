// SPDX-License-Identifier: MIT
// Headings, paragraphs, code, stacks and charts as strips.
#include "render/chart/layout.h"
#include "render/page/composer.h"

#include <math.h>
#include <string.h>

#define MARK_WIDTH 4.0
#define MARK_INSET 11.0
#define CODE_PADDING 4.0
// A name is told in full once, below its heading.
#define HEADING_SYMBOL_LINES 1.7
#define ID_ROOM "S00 "

struct heading_style {
    const char *tag;
    double size, line_height, space_before, space_after;
};

// By level; the last also serves deeper ones.
static const struct heading_style heading_styles[] = {
    {"H1", 17, 21, 0, 6},
    {"H2", 14, 18, 24, 5},
    {"H3", 11, 14.5, 15, 3},
    {"H4", HR_TYPE_BODY, 13.4, 11, 2},
};

static bool has_role(const struct hr_node *node, const char *role)
{
    return node->role && strcmp(node->role, role) == 0;
}

// The words of a node without markup, for bookmarks.
static const char *plain_words(struct hr_page_composer *composer, const struct hr_node *node)
{
    struct hr_passage *text = hr_page_text(composer, HR_FONT_SANS, 1, 1);
    hr_page_append_inline(text, node, (struct hr_passage_style){.paint = HR_PAINT_INK});
    g_autofree char *words = hr_passage_plain(text);
    return g_string_chunk_insert(composer->strips->words, words);
}

// A name for a heading whose section has none, so that a bookmark can lead there.
static const char *make_anchor(struct hr_page_composer *composer)
{
    g_autofree char *name = g_strdup_printf("heading-%u", ++composer->headings_count);
    return g_string_chunk_insert(composer->strips->words, name);
}

void hr_page_heading(struct hr_page_composer *composer, const struct hr_node *node)
{
    const struct hr_page_context *context = hr_page_context(composer);
    const int level = CLAMP(node->level, 1, (int)G_N_ELEMENTS(heading_styles));
    struct heading_style style = heading_styles[level - 1];
    if (level > 1 && composer->in_summary) {
        style.size = HR_TYPE_BODY;
        style.line_height = 13.4;
        style.space_before = 9;
        style.space_after = 1;
    }
    const bool marked = context->mark != HR_PAINT_NONE;
    const double inset = marked ? MARK_INSET : 0;
    struct hr_passage *text =
        hr_page_text(composer, HR_FONT_SANS_BOLD, style.size, style.line_height);
    text->symbol_room = HEADING_SYMBOL_LINES * (context->right - context->left);
    hr_page_append_inline(
        text, node, (struct hr_passage_style){.font = HR_FONT_SANS_BOLD, .paint = HR_PAINT_INK});
    hr_passage_break(text, context->right - context->left - inset, 0);
    hr_page_space(composer, style.space_before);
    const int tag = hr_page_tag(composer, style.tag, context->tag);
    hr_page_get_tag(composer, tag)->pieces = true;
    if (!composer->anchor) {
        composer->anchor = make_anchor(composer);
    }
    const guint first = composer->strips->strips->len;
    for (unsigned i = 0; i < text->lines_count; i++) {
        hr_page_strip(composer, style.line_height)->keep_with_next = true;
        if (marked) {
            hr_page_rectangle(composer, context->left, 0, MARK_WIDTH, style.line_height,
                              context->mark);
        }
        hr_page_line(composer, text, i, context->left + inset, 0, tag);
    }
    const char *words = plain_words(composer, node);
    struct hr_strip *strip = &g_array_index(composer->strips->strips, struct hr_strip, first);
    strip->bookmark = words;
    strip->bookmark_level = level;
    hr_page_space(composer, style.space_after);
}

struct paragraph_style {
    const char *role;
    enum hr_font font;
    double size, line_height, space;
    enum hr_paint paint;
};

static const struct paragraph_style paragraph_styles[] = {
    {"class", HR_FONT_SANS, 8.5, 12, 2, HR_PAINT_MUTED},
    {"lead", HR_FONT_SANS, 11.5, 16, 3, HR_PAINT_INK},
    {"identity", HR_FONT_SANS, HR_TYPE_SMALL, 10.5, 7, HR_PAINT_MUTED},
    {"keywords", HR_FONT_SANS, HR_TYPE_SMALL, 10.5, 5, HR_PAINT_MUTED},
    {"note", HR_FONT_SANS, 8.5, 12, 5, HR_PAINT_MUTED},
    {NULL, HR_FONT_SANS, HR_TYPE_BODY, 13.4, 5, HR_PAINT_INK},
};

static const struct paragraph_style *paragraph_style(const struct hr_node *node)
{
    size_t i = 0;
    while (paragraph_styles[i].role && !has_role(node, paragraph_styles[i].role)) {
        i++;
    }
    return &paragraph_styles[i];
}

// Introduces what stands right below it.
static bool introduces(const struct hr_node *node)
{
    return node->next && (node->next->kind == HR_NODE_STACK || node->next->kind == HR_NODE_CODE ||
                          node->next->kind == HR_NODE_LIST || node->next->kind == HR_NODE_FACTS);
}

void hr_page_paragraph(struct hr_page_composer *composer, const struct hr_node *node)
{
    const struct hr_page_context *context = hr_page_context(composer);
    const struct paragraph_style *style = paragraph_style(node);
    struct hr_passage *text = hr_page_text(composer, style->font, style->size, style->line_height);
    const double width = context->right - context->left - context->aside;
    // a name has one line, with the suspect's id before it
    text->symbol_room = context->compact ? width - hr_fonts_measure(composer->fonts, HR_FONT_SANS,
                                                                    style->size, ID_ROOM)
                                         : 0;
    hr_page_append_inline(text, node,
                          (struct hr_passage_style){.font = style->font, .paint = style->paint});
    if (text->bytes->len == 0) {
        return;
    }
    hr_passage_break(text, width, 0);
    const int tag = hr_page_tag(composer, "P", context->tag);
    hr_page_get_tag(composer, tag)->pieces = true;
    if (context->tag == -1 || node->parent->kind != HR_NODE_ITEM ||
        node->parent->first_child != node) {
        hr_page_space(composer, style->space);
    }
    hr_page_lines(composer, text, context->left, tag, introduces(node));
    hr_page_space(composer, style->space);
}

void hr_page_enter_panel(struct hr_page_composer *composer, double inset)
{
    struct hr_page_context *context = hr_page_push(composer);
    context->panel = composer->panels_count++;
    context->panel_fill = HR_PAINT_PANEL;
    context->panel_accent = HR_PAINT_NONE;
    context->panel_left = context->left;
    context->panel_right = context->right;
    context->left += inset;
    context->right -= inset;
    hr_page_strip(composer, CODE_PADDING)->keep_with_next = true;
}

void hr_page_leave_panel(struct hr_page_composer *composer)
{
    GArray *strips = composer->strips->strips;
    g_array_index(strips, struct hr_strip, strips->len - 1).keep_with_next = true;
    hr_page_strip(composer, CODE_PADDING);
    hr_page_pop(composer);
}

void hr_page_code(struct hr_page_composer *composer, const struct hr_node *node)
{
    hr_page_space(composer, 3);
    hr_page_enter_panel(composer, 8);
    const struct hr_page_context *context = hr_page_context(composer);
    struct hr_passage *text = hr_page_text(composer, HR_FONT_MONO, HR_TYPE_STACK, 11.5);
    const struct hr_passage_style style = {
        .font = HR_FONT_MONO, .paint = HR_PAINT_INK, .symbol = true};
    if (node->text) {
        hr_passage_append(text, node->text, style);
    } else {
        hr_page_append_inline(text, node, style);
    }
    hr_passage_break(text, context->right - context->left, 12);
    const int tag = hr_page_tag(composer, "Code", context->tag);
    hr_page_get_tag(composer, tag)->pieces = true;
    hr_page_lines(composer, text, context->left, tag, false);
    hr_page_leave_panel(composer);
    hr_page_space(composer, 5);
}

// What the numbers in a flame graph stand for, as a table.
static void draw_notes(struct hr_page_composer *composer, const struct hr_chart *chart,
                       const struct hr_scene *scene)
{
    const struct hr_document *document = composer->document;
    const struct hr_column columns[] = {
        {.title = "", .key = "sequence"},
        {hr_document_word(document, "frame"), .key = "function", .row_header = true, .weight = 1},
        {hr_document_word(document, "final"), .key = "final_bytes"},
        {hr_document_word(document, "growth"), .key = "growth_bytes"},
    };
    const unsigned count = scene->notes->len;
    struct hr_value *cells = HR_ARENA_ARRAY(scene->arena, struct hr_value, (size_t)count * 4);
    for (unsigned i = 0; i < count; i++) {
        const struct hr_scene_note *note = &g_array_index(scene->notes, struct hr_scene_note, i);
        const struct hr_chart_frame *frame = &chart->frames[note->index];
        struct hr_value *row = cells + (size_t)i * 4;
        row[0] = (struct hr_value){.kind = HR_VALUE_TEXT,
                                   .text = hr_arena_printf(scene->arena, "%u", note->number)};
        row[1] = (struct hr_value){.kind = HR_VALUE_SYMBOL,
                                   .text = chart->frames[note->named].function,
                                   .significant = true};
        if (frame->suspect) {
            row[1].link = hr_arena_printf(scene->arena, "suspect-%s", frame->suspect);
        }
        row[2] = (struct hr_value){.kind = HR_VALUE_NUMBER,
                                   .key = "final_bytes",
                                   .number = {frame->final, NAN, NAN},
                                   .significant = true};
        row[3] = (struct hr_value){.kind = HR_VALUE_NUMBER,
                                   .key = "growth_bytes",
                                   .number = {frame->growth, NAN, NAN},
                                   .significant = true};
    }
    struct hr_table *table = HR_ARENA_NEW(scene->arena, struct hr_table);
    table->columns = columns;
    table->columns_count = G_N_ELEMENTS(columns);
    table->cells = cells;
    table->rows_count = count;
    hr_page_table(composer, table);
}

// The title runs into the caption, above the figure, so that a figure never begins a page unnamed.
static void draw_caption(struct hr_page_composer *composer, const struct hr_chart *chart,
                         int parent)
{
    const struct hr_page_context *context = hr_page_context(composer);
    struct hr_passage *text = hr_page_text(composer, HR_FONT_SANS, HR_TYPE_SMALL, 10.5);
    if (chart->title) {
        hr_passage_append(
            text, chart->title,
            (struct hr_passage_style){.font = HR_FONT_SANS_BOLD, .paint = HR_PAINT_INK});
        hr_passage_append(text, chart->caption ? ".  " : "",
                          (struct hr_passage_style){.paint = HR_PAINT_INK});
    }
    if (chart->caption) {
        hr_passage_append(text, chart->caption, (struct hr_passage_style){.paint = HR_PAINT_MUTED});
    }
    if (text->bytes->len == 0) {
        return;
    }
    hr_passage_break(text, context->right - context->left, 0);
    const int tag = hr_page_tag(composer, "Caption", parent);
    hr_page_get_tag(composer, tag)->pieces = true;
    for (unsigned i = 0; i < text->lines_count; i++) {
        hr_page_strip(composer, text->line_height)->keep_with_next = true;
        hr_page_line(composer, text, i, context->left, 0, tag);
    }
    hr_page_space(composer, 5);
}

static void draw_sparkline(struct hr_page_composer *composer, const struct hr_chart *chart, int tag)
{
    const struct hr_page_context *context = hr_page_context(composer);
    const struct hr_chart_space space = {.width = 84, .text_size = HR_TYPE_CHART, .paper = true};
    struct hr_scene *scene = hr_chart_layout(composer->fonts, chart, space);
    g_ptr_array_add(composer->strips->scenes, scene);
    struct hr_box *box = hr_page_box(composer, HR_BOX_SCENE, tag);
    box->x = context->right - scene->width;
    box->y = -2;
    box->width = scene->width;
    box->height = scene->height;
    box->scene = scene;
}

// A suspect's card does not part from its chart: all from its heading on stays together.
static void keep_card(struct hr_page_composer *composer)
{
    struct hr_page_context *context = hr_page_context(composer);
    GArray *strips = composer->strips->strips;
    for (guint i = context->card_begin; context->in_card && i < strips->len; i++) {
        g_array_index(strips, struct hr_strip, i).keep_with_next = true;
    }
    context->in_card = false;
}

static int figure_tag(struct hr_page_composer *composer, const struct hr_chart *chart)
{
    const int tag = hr_page_tag(composer, "Figure", hr_page_context(composer)->tag);
    hr_page_get_tag(composer, tag)->alt = chart->alt ? chart->alt : chart->title;
    return tag;
}

void hr_page_chart(struct hr_page_composer *composer, const struct hr_node *node)
{
    const struct hr_page_context *context = hr_page_context(composer);
    const struct hr_chart *chart = node->chart;
    if (chart->kind == HR_CHART_SPARKLINE && node->parent->kind == HR_NODE_ITEM) {
        draw_sparkline(composer, chart, figure_tag(composer, chart));
        return;
    }
    const struct hr_chart_space space = {
        .width = context->right - context->left,
        .text_size = HR_TYPE_CHART,
        .closeness = composer->in_summary ? composer->density : 0,
        .paper = true,
    };
    struct hr_scene *scene = hr_chart_layout(composer->fonts, chart, space);
    g_ptr_array_add(composer->strips->scenes, scene);
    hr_page_space(composer, 8);
    draw_caption(composer, chart, context->tag);
    keep_card(composer);
    hr_page_strip(composer, scene->height);
    struct hr_box *box = hr_page_box(composer, HR_BOX_SCENE, figure_tag(composer, chart));
    box->x = context->left;
    box->width = scene->width;
    box->height = scene->height;
    box->scene = scene;
    hr_page_space(composer, 8);
    if (scene->notes->len > 0) {
        draw_notes(composer, chart, scene);
    }
}
