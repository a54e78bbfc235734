// SPDX-License-Identifier: MIT
#include "render/chart/cairo_painter.h"

#include "render/page/passage.h"

#include <math.h>

#define HATCH_STEP 3.5

static void set_source(cairo_t *cr, enum hr_paint paint, double opacity)
{
    const struct hr_rgb rgb = hr_theme_rgb(paint);
    if (opacity > 0 && opacity < 1) {
        cairo_set_source_rgba(cr, rgb.red, rgb.green, rgb.blue, opacity);
    } else {
        cairo_set_source_rgb(cr, rgb.red, rgb.green, rgb.blue);
    }
}

static void fill_and_stroke(cairo_t *cr, const struct hr_style *style)
{
    if (style->fill != HR_PAINT_NONE) {
        set_source(cr, style->fill, style->fill_opacity);
        cairo_fill_preserve(cr);
    }
    if (style->stroke != HR_PAINT_NONE) {
        static const double dashed[] = {4, 2.5};
        static const double dotted[] = {1, 2};
        set_source(cr, style->stroke, 1);
        cairo_set_line_width(cr, style->line_width);
        cairo_set_line_join(cr, CAIRO_LINE_JOIN_ROUND);
        cairo_set_dash(cr, style->dash == HR_DASH_DASHED ? dashed : dotted,
                       style->dash == HR_DASH_SOLID ? 0 : 2, 0);
        cairo_stroke_preserve(cr);
    }
    cairo_new_path(cr);
}

// Parallel lines or dots inside of a rectangle, drawn as such: small in a file and sharp on paper.
static void draw_pattern(cairo_t *cr, const struct hr_scene_item *item)
{
    cairo_save(cr);
    cairo_rectangle(cr, item->x, item->y, item->width, item->height);
    cairo_clip(cr);
    const double slope = item->style.pattern == HR_PATTERN_RISING ? -1 : 1;
    for (double at = -item->height; at < item->width + item->height; at += HATCH_STEP) {
        if (item->style.pattern == HR_PATTERN_DOTTED) {
            for (double y = 1; y < item->height; y += HATCH_STEP) {
                cairo_rectangle(cr, item->x + at, item->y + y, 0.9, 0.9);
            }
        } else {
            const double middle = item->y + item->height / 2;
            cairo_move_to(cr, item->x + at - item->height, middle - slope * item->height);
            cairo_line_to(cr, item->x + at + item->height, middle + slope * item->height);
        }
    }
    set_source(cr, HR_PAINT_INK, 0.5);
    if (item->style.pattern == HR_PATTERN_DOTTED) {
        cairo_fill(cr);
    } else {
        cairo_set_line_width(cr, 0.5);
        cairo_set_dash(cr, NULL, 0, 0);
        cairo_stroke(cr);
    }
    cairo_restore(cr);
}

static void draw_points(cairo_t *cr, const struct hr_scene_item *item)
{
    for (unsigned i = 0; i < item->points_count; i++) {
        cairo_line_to(cr, item->points[i].x, item->points[i].y);
    }
    if (item->kind == HR_SCENE_POLYGON) {
        cairo_close_path(cr);
    }
    fill_and_stroke(cr, &item->style);
}

static void draw_text(cairo_t *cr, struct hr_fonts *fonts, const struct hr_scene_item *item)
{
    HR_AUTO(hr_passage) text = hr_passage_new(fonts, item->font, item->size, 0);
    hr_passage_append(text, item->text,
                      (struct hr_passage_style){.font = item->font, .paint = item->style.fill});
    hr_passage_break(text, 0, 0);
    double x = item->x;
    if (item->anchor != HR_ANCHOR_START) {
        const double width = hr_passage_line_width(text, 0);
        x -= item->anchor == HR_ANCHOR_END ? width : width / 2;
    }
    hr_passage_draw_baseline(text, 0, cr, x, item->y);
}

static void draw_item(cairo_t *cr, struct hr_fonts *fonts, const struct hr_scene_item *item)
{
    switch (item->kind) {
    case HR_SCENE_RECTANGLE:
        cairo_rectangle(cr, item->x, item->y, item->width, item->height);
        fill_and_stroke(cr, &item->style);
        if (item->style.pattern != HR_PATTERN_PLAIN) {
            draw_pattern(cr, item);
        }
        break;
    case HR_SCENE_LINE:
        cairo_move_to(cr, item->x, item->y);
        cairo_line_to(cr, item->x2, item->y2);
        fill_and_stroke(cr, &item->style);
        break;
    case HR_SCENE_POLYLINE:
    case HR_SCENE_POLYGON:
        draw_points(cr, item);
        break;
    case HR_SCENE_TEXT:
        draw_text(cr, fonts, item);
        break;
    case HR_SCENE_GROUP:
    case HR_SCENE_END:
        break;
    }
}

void hr_scene_draw(const struct hr_scene *scene, struct hr_fonts *fonts, cairo_t *cr, double x,
                   double y)
{
    cairo_save(cr);
    cairo_translate(cr, x, y);
    for (guint i = 0; i < scene->items->len; i++) {
        draw_item(cr, fonts, &g_array_index(scene->items, struct hr_scene_item, i));
    }
    cairo_restore(cr);
}
