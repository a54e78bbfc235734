// SPDX-License-Identifier: MIT
#include "render/page/paint.h"

#include "document/value.h"
#include "render/chart/cairo_painter.h"
#include "render/printable.h"
#include "render/shorten.h"

#include <cairo-pdf.h>
#include <math.h>
#include <string.h>

#define FOOTER_SIZE 7.5
#define TAG_DEPTH_MAX 32

struct painter {
    const struct hr_painting *painting;
    cairo_t *cr;
    cairo_surface_t *pdf;    // NULL: a picture, without structure
    int open[TAG_DEPTH_MAX]; // tags begun and not ended, outermost first
    int depth;
    bool in_leaf; // the innermost holds what is drawn
    GArray *tag_order;
    GHashTable *anchors; // ids that exist
};

struct hr_paper hr_paper_find(const char *name)
{
    const bool letter = name && strcmp(name, "letter") == 0;
    struct hr_paper paper = {
        .width = letter ? 612 : 595.276,
        .height = letter ? 792 : 841.89,
        .left = 48,
        .top = 40,
    };
    paper.column_width = paper.width - 2 * paper.left;
    paper.column_height = paper.height - paper.top - 46;
    return paper;
}

static void set_source(cairo_t *cr, enum hr_paint paint)
{
    const struct hr_rgb rgb = hr_theme_rgb(paint);
    cairo_set_source_rgb(cr, rgb.red, rgb.green, rgb.blue);
}

static void draw_rectangle(cairo_t *cr, double x, double y, double width, double height,
                           enum hr_paint paint)
{
    set_source(cr, paint);
    cairo_rectangle(cr, x, y, width, height);
    cairo_fill(cr);
}

// Ids stand in cairo's attribute strings, quoted.
static char *quote(const char *id)
{
    GString *out = g_string_new("'");
    for (const char *p = id; *p; p++) {
        if (*p == '\'' || *p == '\\') {
            g_string_append_c(out, '\\');
        }
        g_string_append_c(out, *p);
    }
    g_string_append_c(out, '\'');
    return g_string_free(out, FALSE);
}

static int tag_path(const struct hr_strips *strips, int tag, int path[TAG_DEPTH_MAX])
{
    int depth = 0;
    for (int at = tag; at >= 0; at = hr_strips_get_tag(strips, at)->parent) {
        depth++;
    }
    // deeper than any reader follows: the outermost are kept
    for (int at = tag, i = depth - 1; at >= 0; at = hr_strips_get_tag(strips, at)->parent, i--) {
        if (i < TAG_DEPTH_MAX) {
            path[i] = at;
        }
    }
    return MIN(depth, TAG_DEPTH_MAX);
}

static void end_tags(struct painter *painter, int depth)
{
    while (painter->depth > depth) {
        painter->depth--;
        const int tag = painter->open[painter->depth];
        cairo_tag_end(painter->cr, hr_strips_get_tag(painter->painting->strips, tag)->name);
    }
}

// Ends what the box is not part of and begins what it is. A tag stays open over a page break.
static void enter_tag(struct painter *painter, int tag)
{
    if (!painter->pdf) {
        return;
    }
    int path[TAG_DEPTH_MAX] = {0};
    const int depth = tag_path(painter->painting->strips, tag, path);
    int common = 0;
    while (common < depth && common < painter->depth && path[common] == painter->open[common]) {
        common++;
    }
    end_tags(painter, common);
    for (int i = common; i < depth; i++) {
        cairo_tag_begin(painter->cr, hr_strips_get_tag(painter->painting->strips, path[i])->name,
                        NULL);
        painter->open[painter->depth++] = path[i];
        g_array_append_val(painter->tag_order, path[i]);
    }
    painter->in_leaf = !hr_strips_get_tag(painter->painting->strips, tag)->pieces;
}

// A leaf is left before decoration is drawn, so that it does not become content. Pieces have left
// theirs already.
static void leave_leaf(struct painter *painter)
{
    if (painter->in_leaf) {
        end_tags(painter, painter->depth - 1);
        painter->in_leaf = false;
    }
}

static void draw_piece(void *user, const char *target, bool entering)
{
    struct painter *painter = user;
    const bool link = target && g_hash_table_contains(painter->anchors, target);
    if (!entering) {
        cairo_tag_end(painter->cr, link ? CAIRO_TAG_LINK : "Span");
        return;
    }
    if (link) {
        g_autofree char *quoted = quote(target);
        g_autofree char *attributes = g_strconcat("dest=", quoted, NULL);
        cairo_tag_begin(painter->cr, CAIRO_TAG_LINK, attributes);
    } else {
        cairo_tag_begin(painter->cr, "Span", NULL);
    }
}

static void draw_box(struct painter *painter, const struct hr_box *box, double x, double y,
                     bool repeated)
{
    const struct hr_painting *painting = painter->painting;
    const bool content = painter->pdf && box->tag >= 0 && !repeated;
    if (content) {
        enter_tag(painter, box->tag);
    } else {
        leave_leaf(painter);
    }
    switch (box->kind) {
    case HR_BOX_RECTANGLE:
        draw_rectangle(painter->cr, x, y, box->width, box->height, box->paint);
        break;
    case HR_BOX_TEXT: {
        const bool pieces = content && hr_strips_get_tag(painting->strips, box->tag)->pieces;
        hr_passage_draw_line(box->text, box->line, painter->cr, x, y, pieces ? draw_piece : NULL,
                             painter);
        break;
    }
    case HR_BOX_SCENE:
        hr_scene_draw(box->scene, painting->fonts, painter->cr, x, y);
        break;
    }
}

static void mark_destination(struct painter *painter, const char *id)
{
    g_autofree char *quoted = quote(id);
    g_autofree char *attributes = g_strconcat("name=", quoted, NULL);
    cairo_tag_begin(painter->cr, CAIRO_TAG_DEST, attributes);
    cairo_tag_end(painter->cr, CAIRO_TAG_DEST);
}

static void draw_strip(struct painter *painter, const struct hr_placement *placement)
{
    const struct hr_painting *painting = painter->painting;
    const struct hr_strip *strip = hr_strips_get(painting->strips, placement->strip);
    const double x = painting->paper.left;
    const double y = painting->paper.top + placement->y;
    // decoration first: an area that is drawn inside of a leaf becomes its content
    for (int content = 0; content < 2; content++) {
        for (unsigned i = 0; i < strip->boxes_count; i++) {
            const struct hr_box *box = hr_strips_get_box(painting->strips, strip->first_box + i);
            if ((box->tag >= 0) == (content == 1)) {
                draw_box(painter, box, x + box->x, y + box->y, placement->repeated);
            }
        }
    }
}

// The backgrounds of a page, each as one area from its first strip to its last.
static void draw_panels(struct painter *painter, const struct hr_page *page)
{
    const struct hr_painting *painting = painter->painting;
    const struct hr_paper *paper = &painting->paper;
    for (guint i = page->first; i < page->first + page->count;) {
        const struct hr_placement *first = hr_pages_get_placement(painting->pages, i);
        const struct hr_strip *strip = hr_strips_get(painting->strips, first->strip);
        double bottom = first->y;
        guint end = i;
        while (end < page->first + page->count) {
            const struct hr_placement *placement = hr_pages_get_placement(painting->pages, end);
            const struct hr_strip *next = hr_strips_get(painting->strips, placement->strip);
            if (next->panel != strip->panel) {
                break;
            }
            bottom = placement->y + next->height;
            end++;
        }
        if (strip->panel >= 0) {
            const double x = paper->left + strip->panel_left;
            draw_rectangle(painter->cr, x, paper->top + first->y,
                           strip->panel_right - strip->panel_left, bottom - first->y,
                           strip->panel_fill);
            if (strip->panel_accent != HR_PAINT_NONE) {
                draw_rectangle(painter->cr, x, paper->top + first->y, 3, bottom - first->y,
                               strip->panel_accent);
            }
        }
        i = end;
    }
}

// Of the report, so that a page that lies alone is not taken for another night's.
static void append_time(struct hr_passage *text, const char *time, struct hr_passage_style style)
{
    if (time) {
        const struct hr_value value = {
            .kind = HR_VALUE_TIME, .key = "generated_time", .text = time};
        g_autoptr(GString) words = g_string_new(NULL);
        hr_value_append(words, &value);
        g_string_append(words, "  ·  ");
        hr_passage_append(text, words->str, style);
    }
}

static void draw_footer(struct painter *painter, guint page)
{
    const struct hr_painting *painting = painter->painting;
    const struct hr_paper *paper = &painting->paper;
    const double y = paper->height - 30;
    const struct hr_passage_style style = {.paint = HR_PAINT_MUTED};
    HR_AUTO(hr_passage) number = hr_passage_new(painting->fonts, HR_FONT_SANS, FOOTER_SIZE, 10);
    append_time(number, painting->document->generated_time, style);
    g_autofree char *words = g_strdup_printf("%u / %u", page + 1, painting->pages->pages->len);
    hr_passage_append(number, words, style);
    hr_passage_break(number, 0, 0);
    const double width = hr_passage_line_width(number, 0);
    hr_passage_draw_line(number, 0, painter->cr, paper->left + paper->column_width - width, y, NULL,
                         NULL);
    g_autofree char *printable = hr_fonts_printable(
        painting->fonts, painting->document->title ? painting->document->title : "");
    g_autofree char *title = hr_shorten(painting->fonts, HR_FONT_SANS, FOOTER_SIZE, printable,
                                        paper->column_width - width - 20);
    HR_AUTO(hr_passage) left = hr_passage_new(painting->fonts, HR_FONT_SANS, FOOTER_SIZE, 10);
    hr_passage_append(left, title ? title : "", style);
    hr_passage_break(left, 0, 0);
    hr_passage_draw_line(left, 0, painter->cr, paper->left, y, NULL, NULL);
}

static void draw_page(struct painter *painter, guint number)
{
    const struct hr_painting *painting = painter->painting;
    const struct hr_page *page = hr_pages_get(painting->pages, number);
    leave_leaf(painter);
    draw_panels(painter, page);
    if (!painting->bare) {
        draw_footer(painter, number);
    }
    for (guint i = page->first; i < page->first + page->count; i++) {
        const struct hr_placement *placement = hr_pages_get_placement(painting->pages, i);
        const struct hr_strip *strip = hr_strips_get(painting->strips, placement->strip);
        if (painter->pdf && strip->anchor && !placement->repeated) {
            leave_leaf(painter);
            mark_destination(painter, strip->anchor);
        }
        draw_strip(painter, placement);
    }
}

void hr_paint_page(const struct hr_painting *painting, guint page, cairo_t *cr)
{
    struct painter painter = {.painting = painting, .cr = cr};
    draw_rectangle(cr, 0, 0, painting->paper.width, painting->paper.height, HR_PAINT_PAPER);
    draw_page(&painter, page);
}

// Bookmarks hang under the nearest one of a lower level.
static void add_bookmarks(struct painter *painter)
{
    int parents[8] = {CAIRO_PDF_OUTLINE_ROOT};
    const GArray *strips = painter->painting->strips->strips;
    for (guint i = 0; i < strips->len; i++) {
        const struct hr_strip *strip = &g_array_index(strips, struct hr_strip, i);
        if (!strip->bookmark || !strip->anchor || strip->bookmark_level >= 5) {
            continue;
        }
        g_autofree char *quoted = quote(strip->anchor);
        g_autofree char *link = g_strconcat("dest=", quoted, NULL);
        const int level = strip->bookmark_level;
        const int id =
            cairo_pdf_surface_add_outline(painter->pdf, parents[level - 1], strip->bookmark, link,
                                          level <= 2 ? CAIRO_PDF_OUTLINE_FLAG_OPEN : 0);
        for (int k = level; k < 8; k++) {
            parents[k] = id;
        }
    }
}

static void set_metadata(struct painter *painter)
{
    const struct hr_document *document = painter->painting->document;
    const struct {
        cairo_pdf_metadata_t key;
        const char *value;
    } entries[] = {
        {CAIRO_PDF_METADATA_TITLE, document->title},
        {CAIRO_PDF_METADATA_CREATOR, document->producer},
        {CAIRO_PDF_METADATA_CREATE_DATE, document->generated_time},
        {CAIRO_PDF_METADATA_MOD_DATE, document->generated_time},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(entries); i++) {
        if (entries[i].value) {
            g_autofree char *printable = hr_printable(entries[i].value);
            cairo_pdf_surface_set_metadata(painter->pdf, entries[i].key, printable);
        }
    }
}

static cairo_status_t write_bytes(void *closure, const unsigned char *bytes, unsigned length)
{
    g_byte_array_append(closure, bytes, length);
    return CAIRO_STATUS_SUCCESS;
}

static GHashTable *find_anchors(const struct hr_strips *strips)
{
    GHashTable *anchors = g_hash_table_new(g_str_hash, g_str_equal);
    for (guint i = 0; i < strips->strips->len; i++) {
        const struct hr_strip *strip = hr_strips_get(strips, i);
        if (strip->anchor) {
            g_hash_table_add(anchors, (gpointer)(guintptr)strip->anchor);
        }
    }
    return anchors;
}

bool hr_paint_pdf(const struct hr_painting *painting, GByteArray *out, GArray *tag_order,
                  GError **error)
{
    cairo_surface_t *surface = cairo_pdf_surface_create_for_stream(
        write_bytes, out, painting->paper.width, painting->paper.height);
    struct painter painter = {
        .painting = painting,
        .cr = cairo_create(surface),
        .pdf = surface,
        .tag_order = tag_order,
        .anchors = find_anchors(painting->strips),
    };
    set_metadata(&painter);
    for (guint i = 0; i < painting->pages->pages->len; i++) {
        draw_page(&painter, i);
        if (i + 1 == painting->pages->pages->len) {
            end_tags(&painter, 0);
        }
        cairo_show_page(painter.cr);
    }
    add_bookmarks(&painter);
    const cairo_status_t drawn = cairo_status(painter.cr);
    cairo_destroy(painter.cr);
    cairo_surface_finish(surface);
    const cairo_status_t finished = drawn ? drawn : cairo_surface_status(surface);
    cairo_surface_destroy(surface);
    g_hash_table_unref(painter.anchors);
    if (finished != CAIRO_STATUS_SUCCESS) {
        g_set_error(error, HR_ERROR, HR_ERROR_OUTPUT, "PDF: %s", cairo_status_to_string(finished));
        return false;
    }
    return true;
}
