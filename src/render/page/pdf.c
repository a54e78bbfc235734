// SPDX-License-Identifier: MIT
#include "render/chart/cairo_painter.h"
#include "render/chart/csv.h"
#include "render/chart/find.h"
#include "render/page/finish.h"
#include "render/page/page.h"
#include "render/page/paint.h"
#include "render/renderer.h"

#include <math.h>
#include <string.h>

#define PNG_SCALE 2.0
#define CHART_MARGIN 24.0
#define WITHOUT_END 1e9

// What a document, or one chart of it, looks like on pages.
struct book {
    struct hr_arena *arena;
    struct hr_document document;
    struct hr_strips *strips;
    struct hr_pages *pages;
    struct hr_painting painting;
};

static void free_book(struct book *book)
{
    hr_pages_free(book->pages);
    hr_strips_free(book->strips);
    hr_arena_free(book->arena);
}

static double used_height(const struct hr_strips *strips, const struct hr_pages *pages)
{
    if (pages->placements->len == 0) {
        return 0;
    }
    const struct hr_placement *last = hr_pages_get_placement(pages, pages->placements->len - 1);
    return last->y + hr_strips_get(strips, last->strip)->height;
}

// A document that is one chart, on a page of its own size and without a footer.
static bool take_chart(struct book *book, const char *name, GError **error)
{
    const struct hr_chart *chart = hr_chart_find(&book->document, name, error);
    if (!chart) {
        return false;
    }
    book->arena = hr_arena_new();
    struct hr_node *root = hr_node_new(book->arena, HR_NODE_DOCUMENT);
    hr_node_append(root, hr_node_new(book->arena, HR_NODE_CHART))->chart = chart;
    book->document.root = root;
    book->document.attachments_count = 0;
    struct hr_paper *paper = &book->painting.paper;
    paper->left = paper->top = CHART_MARGIN;
    paper->width = paper->column_width + 2 * CHART_MARGIN;
    paper->column_height = WITHOUT_END;
    book->painting.bare = true;
    return true;
}

static bool make_book(struct book *book, struct hr_renderer *renderer,
                      const struct hr_document *document, const char *chart, GError **error)
{
    *book = (struct book){.document = *document};
    struct hr_painting *painting = &book->painting;
    painting->fonts = renderer->fonts;
    painting->document = &book->document;
    painting->paper = hr_paper_find(document->paper);
    if (chart && !take_chart(book, chart, error)) {
        return false;
    }
    struct hr_paper *paper = &painting->paper;
    book->strips =
        hr_strips_new(renderer->fonts, &book->document, paper->column_width, paper->column_height);
    book->pages = hr_pages_new(book->strips, paper->column_height);
    painting->strips = book->strips;
    painting->pages = book->pages;
    if (chart) {
        paper->height = ceil(used_height(book->strips, book->pages) + 2 * CHART_MARGIN);
    }
    return true;
}

static bool is_attached(const GArray *attachments, const char *name)
{
    for (guint i = 0; i < attachments->len; i++) {
        if (strcmp(g_array_index(attachments, struct hr_attachment, i).name, name) == 0) {
            return true;
        }
    }
    return false;
}

static void attach_chart(struct book *book, const struct hr_chart *chart, GArray *attachments)
{
    const char *name = hr_arena_printf(book->arena, "%s.csv", chart->name);
    if (chart->kind == HR_CHART_SPARKLINE || is_attached(attachments, name)) {
        return;
    }
    g_autoptr(GString) csv = g_string_new(NULL);
    hr_chart_append_csv(chart, csv);
    const struct hr_attachment attachment = {.name = name,
                                             .mime_type = "text/csv",
                                             .description = chart->title,
                                             .bytes = hr_arena_strdup(book->arena, csv->str),
                                             .size = csv->len};
    g_array_append_val(attachments, attachment);
}

// Paper shows numbers only as far as they fit: those behind each chart go with the document.
static void attach_charts(struct book *book)
{
    struct hr_document *document = &book->document;
    if (document->attachments_count == 0) {
        return;
    }
    book->arena = book->arena ? book->arena : hr_arena_new();
    g_autoptr(GArray) attachments = g_array_new(FALSE, FALSE, sizeof(struct hr_attachment));
    g_array_append_vals(attachments, document->attachments, document->attachments_count);
    struct hr_node_iterator iterator = {.root = document->root};
    while (hr_node_iterator_next(&iterator)) {
        if (iterator.entering && iterator.node->kind == HR_NODE_CHART) {
            attach_chart(book, iterator.node->chart, attachments);
        }
    }
    struct hr_attachment *all = HR_ARENA_ARRAY(book->arena, struct hr_attachment, attachments->len);
    memcpy(all, attachments->data, attachments->len * sizeof *all);
    document->attachments = all;
    document->attachments_count = attachments->len;
}

bool hr_pdf_write(struct hr_renderer *renderer, const struct hr_document *document,
                  const char *chart, GByteArray *out, GError **error)
{
    HR_AUTO(hr_packing) packing = chart ? NULL : hr_packing_new(document);
    struct book book;
    g_autoptr(GArray) tag_order = g_array_new(FALSE, FALSE, sizeof(int));
    bool done = make_book(&book, renderer, document, chart, error) &&
                hr_paint_pdf(&book.painting, out, tag_order, error);
    if (done) {
        attach_charts(&book);
        done = hr_pdf_finish(&book.document, book.strips, tag_order, packing, out, error);
    }
    free_book(&book);
    return done;
}

static cairo_status_t write_bytes(void *closure, const unsigned char *bytes, unsigned length)
{
    g_byte_array_append(closure, bytes, length);
    return CAIRO_STATUS_SUCCESS;
}

static bool write_png(const struct hr_painting *painting, GByteArray *out, GError **error)
{
    cairo_surface_t *surface =
        cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)ceil(painting->paper.width * PNG_SCALE),
                                   (int)ceil(painting->paper.height * PNG_SCALE));
    cairo_t *cr = cairo_create(surface);
    cairo_scale(cr, PNG_SCALE, PNG_SCALE);
    hr_paint_page(painting, 0, cr);
    cairo_status_t status = cairo_status(cr);
    cairo_destroy(cr);
    if (status == CAIRO_STATUS_SUCCESS) {
        status = cairo_surface_write_to_png_stream(surface, write_bytes, out);
    }
    cairo_surface_destroy(surface);
    if (status != CAIRO_STATUS_SUCCESS) {
        g_set_error(error, HR_ERROR, HR_ERROR_OUTPUT, "PNG: %s", cairo_status_to_string(status));
        return false;
    }
    return true;
}

bool hr_png_write(struct hr_renderer *renderer, const struct hr_document *document,
                  const char *chart, GByteArray *out, GError **error)
{
    struct book book;
    const bool done =
        make_book(&book, renderer, document, chart, error) && write_png(&book.painting, out, error);
    free_book(&book);
    return done;
}
