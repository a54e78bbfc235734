// SPDX-License-Identifier: MIT
#include "render/page/passage.h"

#include "base/format.h"
#include "render/shorten.h"

#include <fribidi.h>
#include <math.h>
#include <string.h>

#define ZERO_WIDTH_SPACE "\u200b"
// Set around a name that runs right to left. NOLINTNEXTLINE(misc-misleading-bidirectional)
static const char isolate[] = "\u2066";
static const char end_isolate[] = "\u2069";

struct hr_passage *hr_passage_new(struct hr_fonts *fonts, enum hr_font font, double size,
                                  double line_height)
{
    struct hr_passage *text = g_new0(struct hr_passage, 1);
    text->fonts = fonts;
    text->font = font;
    text->size = size;
    text->line_height = line_height;
    text->bytes = g_string_new(NULL);
    text->spans = g_array_new(FALSE, TRUE, sizeof(struct hr_passage_span));
    return text;
}

void hr_passage_free(struct hr_passage *text)
{
    if (!text) {
        return;
    }
    g_string_free(text->bytes, TRUE);
    g_array_unref(text->spans);
    g_clear_object(&text->layout);
    g_free(text);
}

// Prose may hold names too: those break at :: only.
static bool is_joint(const char *p, bool symbol)
{
    return (p[0] == ':' && p[-1] == ':') || (symbol && (*p == '<' || *p == ',' || *p == '/'));
}

static bool runs_right_to_left(const char *piece)
{
    for (const char *p = piece; *p; p += g_utf8_skip[(guchar)*p]) {
        const FriBidiCharType type = fribidi_get_bidi_type(g_utf8_get_char(p));
        if (type == FRIBIDI_TYPE_RTL || type == FRIBIDI_TYPE_AL) {
            return true;
        }
    }
    return false;
}

// A blank of no width behind each joint: Pango may break there, drawing leaves it out again.
static void append_joints(GString *bytes, const char *piece, bool symbol)
{
    for (const char *p = piece; *p; p++) {
        g_string_append_c(bytes, *p);
        if ((p > piece || *p != ':') && p[1] && is_joint(p, symbol)) {
            g_string_append(bytes, ZERO_WIDTH_SPACE);
        }
    }
}

static char *piece_text(const struct hr_passage *text, const char *piece,
                        struct hr_passage_style style)
{
    char *printable = hr_fonts_printable(text->fonts, piece);
    if (!style.symbol || text->symbol_room <= 0) {
        return printable;
    }
    const double size = text->size * (style.scale > 0 ? style.scale : 1);
    char *shorter = hr_shorten(text->fonts, style.font, size, printable, text->symbol_room);
    if (!shorter) {
        return printable;
    }
    g_free(printable);
    return shorter;
}

void hr_passage_append(struct hr_passage *text, const char *piece, struct hr_passage_style style)
{
    g_assert(!text->layout);
    g_autofree char *shown = piece_text(text, piece, style);
    struct hr_passage_span span = {.start = (guint)text->bytes->len, .style = style};
    // a name that runs right to left does not turn around the numbers beside it
    const bool isolated = runs_right_to_left(shown);
    g_string_append(text->bytes, isolated ? isolate : "");
    append_joints(text->bytes, shown, style.symbol);
    g_string_append(text->bytes, isolated ? end_isolate : "");
    span.end = (guint)text->bytes->len;
    if (span.end > span.start) {
        g_array_append_val(text->spans, span);
    }
}

static const struct hr_passage_span *get_span(const struct hr_passage *text, guint i)
{
    return &g_array_index(text->spans, struct hr_passage_span, i);
}

static void insert(PangoAttrList *list, PangoAttribute *attribute,
                   const struct hr_passage_span *span)
{
    attribute->start_index = span->start;
    attribute->end_index = span->end;
    pango_attr_list_insert(list, attribute);
}

static void insert_span(PangoAttrList *list, const struct hr_passage *text,
                        const struct hr_passage_span *span, guint i)
{
    const double scale = span->style.scale > 0 ? span->style.scale : 1;
    if (span->style.font != text->font || scale != 1) {
        hr_fonts_insert_face(list, span->style.font, text->size * scale, span->start, span->end);
    }
    // never drawn: the value differs from span to span, so that Pango ends a run where a span ends
    insert(list, pango_attr_foreground_new((guint16)(i & 0xffff), (guint16)(i >> 16), 0), span);
    if (span->style.whole) {
        insert(list, pango_attr_allow_breaks_new(FALSE), span);
    }
}

static void keep_whole(PangoAttrList *list, guint start, guint end)
{
    const struct hr_passage_span span = {.start = start, .end = end};
    insert(list, pango_attr_allow_breaks_new(FALSE), &span);
}

// "105 %" stays on one line in a sentence too.
static void keep_units(PangoAttrList *list, const char *bytes)
{
    for (const char *p = bytes; (p = strchr(p, ' ')); p++) {
        if (hr_format_is_unit_gap(bytes, p)) {
            const guint at = (guint)(p - bytes);
            keep_whole(list, at - 1, at + 2);
        }
    }
}

// An ellipsis does not part from what it stands before.
static void keep_cuts(PangoAttrList *list, const char *bytes)
{
    for (const char *p = bytes; (p = strstr(p, HR_CUT)); p += strlen(HR_CUT)) {
        const guint at = (guint)(p - bytes);
        keep_whole(list, at, at + (guint)strlen(HR_CUT) + 1);
    }
}

void hr_passage_break(struct hr_passage *text, double width, double hang)
{
    g_clear_object(&text->layout);
    text->layout = hr_fonts_layout_new(text->fonts, text->font, text->size, text->bytes->str);
    PangoAttrList *list = pango_attr_list_copy(pango_layout_get_attributes(text->layout));
    for (guint i = 0; i < text->spans->len; i++) {
        insert_span(list, text, get_span(text, i), i);
    }
    keep_units(list, text->bytes->str);
    keep_cuts(list, text->bytes->str);
    pango_attr_list_insert(list, pango_attr_insert_hyphens_new(FALSE));
    if (text->tabular) {
        pango_attr_list_change(list, pango_attr_font_features_new("tnum=1, calt=0, liga=0"));
    }
    pango_layout_set_attributes(text->layout, list);
    pango_attr_list_unref(list);
    pango_layout_set_wrap(text->layout, PANGO_WRAP_WORD_CHAR);
    if (width > 0) {
        pango_layout_set_width(text->layout, (int)floor(width * PANGO_SCALE));
        pango_layout_set_indent(text->layout, -(int)(hang * PANGO_SCALE));
    }
    text->lines_count = (unsigned)pango_layout_get_line_count(text->layout);
}

static PangoLayoutLine *get_line(const struct hr_passage *text, unsigned line)
{
    return pango_layout_get_line_readonly(text->layout, (int)line);
}

double hr_passage_line_width(const struct hr_passage *text, unsigned line)
{
    PangoRectangle logical;
    pango_layout_line_get_extents(get_line(text, line), NULL, &logical);
    return (double)logical.width / PANGO_SCALE;
}

double hr_passage_width(const struct hr_passage *text)
{
    double width = 0;
    for (unsigned i = 0; i < text->lines_count; i++) {
        width = fmax(width, hr_passage_line_width(text, i));
    }
    return width;
}

// Joints and isolates are ours: names with such characters of their own show them as escapes.
static bool is_ours(const char *bytes)
{
    return strncmp(bytes, ZERO_WIDTH_SPACE, 3) == 0 || strncmp(bytes, isolate, 3) == 0 ||
           strncmp(bytes, end_isolate, 3) == 0;
}

static char *without_joints(const char *bytes, size_t length)
{
    GString *out = g_string_new(NULL);
    for (size_t i = 0; i < length; i++) {
        if (is_ours(bytes + i)) {
            i += 2;
        } else {
            g_string_append_c(out, bytes[i]);
        }
    }
    return g_string_free(out, FALSE);
}

char *hr_passage_plain(const struct hr_passage *text)
{
    return without_joints(text->bytes->str, text->bytes->len);
}

char *hr_passage_line_text(const struct hr_passage *text, unsigned line)
{
    const PangoLayoutLine *found = get_line(text, line);
    return without_joints(pango_layout_get_text(text->layout) + found->start_index,
                          (size_t)found->length);
}
