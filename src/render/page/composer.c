// SPDX-License-Identifier: MIT
#include "render/page/composer.h"

#include <math.h>

struct hr_page_context *hr_page_context(struct hr_page_composer *composer)
{
    return &g_array_index(composer->contexts, struct hr_page_context, composer->contexts->len - 1);
}

struct hr_page_context *hr_page_push(struct hr_page_composer *composer)
{
    const struct hr_page_context copy = *hr_page_context(composer);
    g_array_append_val(composer->contexts, copy);
    return hr_page_context(composer);
}

void hr_page_pop(struct hr_page_composer *composer)
{
    g_assert(composer->contexts->len > 1);
    g_array_set_size(composer->contexts, composer->contexts->len - 1);
}

int hr_page_tag(struct hr_page_composer *composer, const char *name, int parent)
{
    const struct hr_tag tag = {.name = name, .parent = parent};
    g_array_append_val(composer->strips->tags, tag);
    return (int)composer->strips->tags->len - 1;
}

struct hr_tag *hr_page_get_tag(struct hr_page_composer *composer, int tag)
{
    return &g_array_index(composer->strips->tags, struct hr_tag, tag);
}

void hr_page_space(struct hr_page_composer *composer, double space)
{
    const double close = composer->in_summary ? 1 - 0.2 * composer->density : 1;
    composer->space = fmax(composer->space, space * close);
}

struct hr_strip *hr_page_strip(struct hr_page_composer *composer, double height)
{
    const struct hr_page_context *context = hr_page_context(composer);
    struct hr_strips *strips = composer->strips;
    const struct hr_strip strip = {
        .space_before = composer->space,
        .height = height,
        .new_page = composer->new_page,
        .head = -1,
        .first_box = strips->boxes->len,
        .panel = context->panel,
        .panel_fill = context->panel_fill,
        .panel_accent = context->panel_accent,
        .panel_left = context->panel_left,
        .panel_right = context->panel_right,
        .anchor = composer->anchor,
    };
    composer->space = 0;
    composer->new_page = false;
    composer->anchor = NULL;
    g_array_append_val(strips->strips, strip);
    return &g_array_index(strips->strips, struct hr_strip, strips->strips->len - 1);
}

void hr_page_keep(struct hr_page_composer *composer, guint first)
{
    GArray *strips = composer->strips->strips;
    for (guint i = first; i + 1 < strips->len; i++) {
        g_array_index(strips, struct hr_strip, i).keep_with_next = true;
    }
}

struct hr_box *hr_page_box(struct hr_page_composer *composer, enum hr_box_kind kind, int tag)
{
    struct hr_strips *strips = composer->strips;
    const struct hr_box box = {.kind = kind, .tag = tag};
    g_array_append_val(strips->boxes, box);
    g_array_index(strips->strips, struct hr_strip, strips->strips->len - 1).boxes_count++;
    return &g_array_index(strips->boxes, struct hr_box, strips->boxes->len - 1);
}

void hr_page_rectangle(struct hr_page_composer *composer, double x, double y, double width,
                       double height, enum hr_paint paint)
{
    struct hr_box *box = hr_page_box(composer, HR_BOX_RECTANGLE, -1);
    box->x = x;
    box->y = y;
    box->width = width;
    box->height = height;
    box->paint = paint;
}

struct hr_passage *hr_page_text(struct hr_page_composer *composer, enum hr_font font, double size,
                                double line_height)
{
    struct hr_passage *text = hr_passage_new(composer->fonts, font, size, line_height);
    g_ptr_array_add(composer->strips->texts, text);
    return text;
}

void hr_page_line(struct hr_page_composer *composer, const struct hr_passage *text, unsigned line,
                  double x, double y, int tag)
{
    struct hr_box *box = hr_page_box(composer, HR_BOX_TEXT, tag);
    box->x = x;
    box->y = y;
    box->width = hr_passage_line_width(text, line);
    box->height = text->line_height;
    box->text = text;
    box->line = line;
}

void hr_page_all_lines(struct hr_page_composer *composer, const struct hr_passage *text, double x,
                       double y, int tag)
{
    for (unsigned i = 0; i < text->lines_count; i++) {
        hr_page_line(composer, text, i, x, y + i * text->line_height, tag);
    }
}

void hr_page_lines(struct hr_page_composer *composer, const struct hr_passage *text, double x,
                   int tag, bool keep_with_next)
{
    const unsigned count = text->lines_count;
    for (unsigned i = 0; i < count; i++) {
        struct hr_strip *strip = hr_page_strip(composer, text->line_height);
        const bool last = i + 1 == count;
        strip->keep_with_next = last ? keep_with_next : i == 0 || i + 2 == count;
        hr_page_line(composer, text, i, x, 0, tag);
    }
}
