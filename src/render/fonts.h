// SPDX-License-Identifier: MIT
// The bundled typefaces, found through a fontconfig configuration of our own, so that text is set
// and measured the same on every machine. The system's fonts come in only when a text has letters
// that ours lack.
#pragma once

#include "base/cleanup.h"
#include "base/error.h"

#include <glib.h>
#include <pango/pango.h>
#include <stdbool.h>

// Names under which the bundled files are known, here and in style sheets.
#define HR_FONT_FAMILY_SANS "HR Sans"
#define HR_FONT_FAMILY_MONO "HR Mono"

enum hr_font { HR_FONT_SANS, HR_FONT_SANS_BOLD, HR_FONT_MONO, HR_FONT_MONO_BOLD };
#define HR_FONTS_COUNT 4

// Stands for what had no room.
#define HR_CUT "…"

struct hr_fonts;

// Loads the faces from `fonts_dir`. Fails (HR_ERROR_TEMPLATE) when one is missing or unreadable.
struct hr_fonts *hr_fonts_new(const char *fonts_dir, GError **error);
void hr_fonts_free(struct hr_fonts *fonts);
HR_DEFINE_AUTO(hr_fonts, hr_fonts_free)

// A new layout of `text` in that face, `size` points at 72 dpi, without a width; the caller
// unreferences it. Code ligatures are off. `text` comes from
// hr_fonts_printable() or is our own.
PangoLayout *hr_fonts_layout_new(struct hr_fonts *fonts, enum hr_font font, double size,
                                 const char *text);

// Sets the face of the bytes from `start` to `end` inside a layout's attribute list.
void hr_fonts_insert_face(PangoAttrList *list, enum hr_font font, double size, guint start,
                          guint end);

// A copy of `text` that can be set: hr_printable(), and what no font at hand has a glyph for reads
// "\u{4e2d}". Loads the system's fonts when ours do not cover the text. The caller frees it.
char *hr_fonts_printable(struct hr_fonts *fonts, const char *text);

// The advance width of one line of `text` in points.
double hr_fonts_measure(struct hr_fonts *fonts, enum hr_font font, double size, const char *text);

// The bytes of the face's file.
GBytes *hr_fonts_file(const struct hr_fonts *fonts, enum hr_font font);

// Appends @font-face rules whose data: URLs hold the faces cut down to the letters of the two
// texts. Kerning, marks and tabular figures stay, hints go.
struct hr_renderer;
void hr_fonts_append_subset_css(struct hr_renderer *renderer, const char *used_text_sans,
                                const char *used_text_mono, GString *css);
