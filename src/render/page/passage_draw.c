// SPDX-License-Identifier: MIT
// The drawing of a passage's lines: glyphs with the letters they stand for, so that a page's text
// can be searched and copied in reading order.
#include "render/chart/scene.h"
#include "render/page/passage.h"

#include <pango/pangocairo.h>

// Half of the capitals' height: a line's letters stand in the middle of its height.
#define BASELINE 0.36

static const struct hr_passage_span *find_span(const struct hr_passage *text, guint offset)
{
    for (guint i = 0; i < text->spans->len; i++) {
        const struct hr_passage_span *span = &g_array_index(text->spans, struct hr_passage_span, i);
        if (offset >= span->start && offset < span->end) {
            return span;
        }
    }
    return NULL;
}

// The glyphs of a run and the letters they stand for, without what is drawn by nothing.
struct run {
    GArray *glyphs;   // cairo_glyph_t, left to right
    GArray *clusters; // cairo_text_cluster_t, in reading order
    GString *letters;
};

static void collect_glyphs(struct run *run, const PangoGlyphString *glyphs, double x, double y)
{
    for (int i = 0; i < glyphs->num_glyphs; i++) {
        const PangoGlyphInfo *glyph = &glyphs->glyphs[i];
        if (glyph->glyph != PANGO_GLYPH_EMPTY && !(glyph->glyph & PANGO_GLYPH_UNKNOWN_FLAG)) {
            const cairo_glyph_t drawn = {glyph->glyph,
                                         x + (double)glyph->geometry.x_offset / PANGO_SCALE,
                                         y + (double)glyph->geometry.y_offset / PANGO_SCALE};
            g_array_append_val(run->glyphs, drawn);
        }
        x += (double)glyph->geometry.width / PANGO_SCALE;
    }
}

static int count_drawn(const PangoGlyphString *glyphs, int from, int to)
{
    int count = 0;
    for (int i = from; i < to; i++) {
        const PangoGlyph glyph = glyphs->glyphs[i].glyph;
        count += glyph != PANGO_GLYPH_EMPTY && !(glyph & PANGO_GLYPH_UNKNOWN_FLAG);
    }
    return count;
}

static void collect_clusters(struct run *run, PangoGlyphItem *item, const char *bytes)
{
    PangoGlyphItemIter iter;
    for (gboolean more = pango_glyph_item_iter_init_start(&iter, item, bytes); more;
         more = pango_glyph_item_iter_next_cluster(&iter)) {
        // right to left, the iterator counts glyphs downwards
        const bool forward = iter.start_glyph < iter.end_glyph;
        const int from = forward ? iter.start_glyph : iter.end_glyph + 1;
        const int to = forward ? iter.end_glyph : iter.start_glyph + 1;
        const cairo_text_cluster_t cluster = {iter.end_index - iter.start_index,
                                              count_drawn(item->glyphs, from, to)};
        if (cluster.num_glyphs > 0) {
            g_array_append_val(run->clusters, cluster);
            g_string_append_len(run->letters, bytes + iter.start_index, cluster.num_bytes);
        }
    }
}

static void draw_run(const struct hr_passage *text, PangoGlyphItem *item, cairo_t *cr, double x,
                     double y)
{
    struct run run = {
        .glyphs = g_array_new(FALSE, FALSE, sizeof(cairo_glyph_t)),
        .clusters = g_array_new(FALSE, FALSE, sizeof(cairo_text_cluster_t)),
        .letters = g_string_new(NULL),
    };
    collect_glyphs(&run, item->glyphs, x, y);
    collect_clusters(&run, item, pango_layout_get_text(text->layout));
    cairo_scaled_font_t *font =
        pango_cairo_font_get_scaled_font(PANGO_CAIRO_FONT(item->item->analysis.font));
    if (font && run.glyphs->len > 0) {
        cairo_set_scaled_font(cr, font);
        const bool backward = item->item->analysis.level % 2 == 1;
        cairo_show_text_glyphs(
            cr, run.letters->str, (int)run.letters->len,
            (const cairo_glyph_t *)(const void *)run.glyphs->data, (int)run.glyphs->len,
            (const cairo_text_cluster_t *)(const void *)run.clusters->data, (int)run.clusters->len,
            backward ? CAIRO_TEXT_CLUSTER_FLAG_BACKWARD : 0);
    }
    g_array_unref(run.glyphs);
    g_array_unref(run.clusters);
    g_string_free(run.letters, TRUE);
}

static void set_paint(cairo_t *cr, enum hr_paint paint)
{
    const struct hr_rgb rgb = hr_theme_rgb(paint);
    cairo_set_source_rgb(cr, rgb.red, rgb.green, rgb.blue);
}

static void draw_runs(const struct hr_passage *text, unsigned line, cairo_t *cr, struct hr_point at,
                      hr_passage_piece_function piece, void *user)
{
    const char *target = NULL;
    bool open = false;
    for (GSList *list = pango_layout_get_line_readonly(text->layout, (int)line)->runs; list;
         list = list->next) {
        PangoGlyphItem *item = list->data;
        const struct hr_passage_span *span = find_span(text, (guint)item->item->offset);
        const char *next = span ? span->style.target : NULL;
        if (piece && (!open || next != target)) {
            if (open) {
                piece(user, target, false);
            }
            piece(user, next, true);
            target = next;
            open = true;
        }
        set_paint(cr, span ? span->style.paint : HR_PAINT_INK);
        draw_run(text, item, cr, at.x, at.y);
        at.x += (double)pango_glyph_string_get_width(item->glyphs) / PANGO_SCALE;
    }
    if (open) {
        piece(user, target, false);
    }
}

void hr_passage_draw_line(const struct hr_passage *text, unsigned line, cairo_t *cr, double x,
                          double y, hr_passage_piece_function piece, void *user)
{
    const int indent = pango_layout_get_indent(text->layout);
    if (indent < 0 && line > 0) {
        x -= (double)indent / PANGO_SCALE;
    }
    const double baseline = y + text->line_height / 2 + text->size * BASELINE;
    draw_runs(text, line, cr, (struct hr_point){x, baseline}, piece, user);
}

void hr_passage_draw_baseline(const struct hr_passage *text, unsigned line, cairo_t *cr, double x,
                              double baseline)
{
    draw_runs(text, line, cr, (struct hr_point){x, baseline}, NULL, NULL);
}
