// SPDX-License-Identifier: MIT
// Faces cut down to the letters in use, for files that must not ask any network for a font.
#include "render/renderer.h"

#include <hb-subset.h>

static void add_characters(hb_set_t *set, const char *text)
{
    for (const char *p = text; *p; p += g_utf8_skip[(guchar)*p]) {
        const gunichar character = g_utf8_get_char_validated(p, -1);
        if (character < 0x110000 && character >= 0x20) {
            hb_set_add(set, character);
        } else if (character >= 0x110000) {
            break; // invalid or cut: the rest cannot be told apart
        }
    }
    hb_set_add(set, ' ');
}

static hb_subset_input_t *subset_input_new(const char *text)
{
    hb_subset_input_t *input = hb_subset_input_create_or_fail();
    g_assert(input);
    add_characters(hb_subset_input_unicode_set(input), text);
    hb_subset_input_set_flags(input, HB_SUBSET_FLAGS_NO_HINTING | HB_SUBSET_FLAGS_DESUBROUTINIZE);
    hb_set_t *features = hb_subset_input_set(input, HB_SUBSET_SETS_LAYOUT_FEATURE_TAG);
    hb_set_clear(features);
    static const hb_tag_t kept[] = {HB_TAG('k', 'e', 'r', 'n'), HB_TAG('m', 'a', 'r', 'k'),
                                    HB_TAG('c', 'c', 'm', 'p'), HB_TAG('t', 'n', 'u', 'm')};
    for (size_t i = 0; i < G_N_ELEMENTS(kept); i++) {
        hb_set_add(features, kept[i]);
    }
    return input;
}

static void append_face(GString *css, GBytes *file, const char *family, int weight,
                        const char *text)
{
    gsize size = 0;
    const char *bytes = g_bytes_get_data(file, &size);
    hb_blob_t *blob = hb_blob_create(bytes, (unsigned)size, HB_MEMORY_MODE_READONLY, NULL, NULL);
    hb_face_t *face = hb_face_create(blob, 0);
    hb_subset_input_t *input = subset_input_new(text);
    hb_face_t *subset = hb_subset_or_fail(face, input);
    if (subset) {
        hb_blob_t *result = hb_face_reference_blob(subset);
        unsigned length = 0;
        const char *data = hb_blob_get_data(result, &length);
        g_autofree char *base64 = g_base64_encode((const guchar *)data, length);
        g_string_append_printf(css,
                               "@font-face{font-family:\"%s\";font-weight:%d;font-style:normal;"
                               "src:url(data:font/otf;base64,%s)}\n",
                               family, weight, base64);
        hb_blob_destroy(result);
    }
    hb_face_destroy(subset);
    hb_subset_input_destroy(input);
    hb_face_destroy(face);
    hb_blob_destroy(blob);
}

void hr_fonts_append_subset_css(struct hr_renderer *renderer, const char *used_text_sans,
                                const char *used_text_mono, GString *css)
{
    const struct hr_fonts *fonts = renderer->fonts;
    if (*used_text_sans) {
        append_face(css, hr_fonts_file(fonts, HR_FONT_SANS), HR_FONT_FAMILY_SANS, 400,
                    used_text_sans);
        append_face(css, hr_fonts_file(fonts, HR_FONT_SANS_BOLD), HR_FONT_FAMILY_SANS, 600,
                    used_text_sans);
    }
    if (*used_text_mono) {
        append_face(css, hr_fonts_file(fonts, HR_FONT_MONO), HR_FONT_FAMILY_MONO, 400,
                    used_text_mono);
        append_face(css, hr_fonts_file(fonts, HR_FONT_MONO_BOLD), HR_FONT_FAMILY_MONO, 700,
                    used_text_mono);
    }
}
