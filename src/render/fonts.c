// SPDX-License-Identifier: MIT
#include "render/fonts.h"

#include "base/files.h"
#include "render/printable.h"

#include <fontconfig/fontconfig.h>
#include <math.h>
#include <pango/pangocairo.h>
#include <pango/pangofc-fontmap.h>
#include <string.h>

#define FONT_FILE_LIMIT_BYTES ((size_t)8 * 1024 * 1024)
#define SYSTEM_FONTS_MAX 3000
#define SYSTEM_FONT_DEPTH_MAX 4

struct face {
    const char *file;
    const char *family;
    PangoWeight weight;
};

static const struct face faces[HR_FONTS_COUNT] = {
    [HR_FONT_SANS] = {"Inter-Regular.otf", HR_FONT_FAMILY_SANS, PANGO_WEIGHT_NORMAL},
    [HR_FONT_SANS_BOLD] = {"Inter-SemiBold.otf", HR_FONT_FAMILY_SANS, PANGO_WEIGHT_SEMIBOLD},
    [HR_FONT_MONO] = {"JetBrainsMono-Regular.ttf", HR_FONT_FAMILY_MONO, PANGO_WEIGHT_NORMAL},
    [HR_FONT_MONO_BOLD] = {"JetBrainsMono-Bold.ttf", HR_FONT_FAMILY_MONO, PANGO_WEIGHT_BOLD},
};

// What every letter of a monospaced face takes at one size.
struct advance {
    double size; // 0: not yet measured
    double width;
};

struct hr_fonts {
    FcConfig *config;
    PangoFontMap *map;
    PangoContext *context;
    PangoFontDescription *descriptions[HR_FONTS_COUNT];
    PangoAttrList *attributes;
    FcCharSet *covered;
    GBytes *files[HR_FONTS_COUNT];
    bool system_loaded;
    struct advance advances[HR_FONTS_COUNT]; // of the monospaced faces, measured last
};

// Renames our files, and only them, while they are scanned: a copy of the same typeface among the
// system's fonts would otherwise win over an application font.
static const char config_format[] =
    "<?xml version=\"1.0\"?><!DOCTYPE fontconfig SYSTEM \"fonts.dtd\"><fontconfig>"
    "<match target=\"scan\"><test name=\"file\" compare=\"contains\"><string>%s/Inter-</string>"
    "</test><edit name=\"family\" mode=\"assign_replace\"><string>" HR_FONT_FAMILY_SANS
    "</string></edit></match>"
    "<match target=\"scan\"><test name=\"file\" compare=\"contains\">"
    "<string>%s/JetBrainsMono-</string></test><edit name=\"family\" mode=\"assign_replace\">"
    "<string>" HR_FONT_FAMILY_MONO "</string></edit></match></fontconfig>";

static bool load_faces(struct hr_fonts *fonts, const char *fonts_dir, GError **error)
{
    for (int i = 0; i < HR_FONTS_COUNT; i++) {
        g_autofree char *path = g_build_filename(fonts_dir, faces[i].file, NULL);
        char *bytes = NULL;
        size_t size = 0;
        if (!hr_file_read(path, FONT_FILE_LIMIT_BYTES, &bytes, &size, error)) {
            (*error)->code = HR_ERROR_TEMPLATE;
            g_prefix_error(error, "font %s: ", path);
            return false;
        }
        fonts->files[i] = g_bytes_new_take(bytes, size);
        if (!FcConfigAppFontAddFile(fonts->config, (const FcChar8 *)path)) {
            g_set_error(error, HR_ERROR, HR_ERROR_TEMPLATE, "font %s: not a font file", path);
            return false;
        }
    }
    return true;
}

static bool load_config(struct hr_fonts *fonts, const char *fonts_dir, GError **error)
{
    g_autofree char *escaped = g_markup_escape_text(fonts_dir, -1);
    g_autofree char *text = g_strdup_printf(config_format, escaped, escaped);
    if (!FcConfigParseAndLoadFromMemory(fonts->config, (const FcChar8 *)text, FcTrue)) {
        g_set_error(error, HR_ERROR, HR_ERROR_TEMPLATE, "fonts %s: the path cannot be used",
                    fonts_dir);
        return false;
    }
    return true;
}

static void describe_faces(struct hr_fonts *fonts)
{
    for (int i = 0; i < HR_FONTS_COUNT; i++) {
        fonts->descriptions[i] = pango_font_description_new();
        pango_font_description_set_family_static(fonts->descriptions[i], faces[i].family);
        pango_font_description_set_weight(fonts->descriptions[i], faces[i].weight);
    }
    fonts->attributes = pango_attr_list_new();
    pango_attr_list_insert(fonts->attributes,
                           pango_attr_font_features_new("calt=0, liga=0"));
}

static void make_context(struct hr_fonts *fonts)
{
    fonts->map = pango_cairo_font_map_new_for_font_type(CAIRO_FONT_TYPE_FT);
    pango_fc_font_map_set_config(PANGO_FC_FONT_MAP(fonts->map), fonts->config);
    pango_cairo_font_map_set_resolution(PANGO_CAIRO_FONT_MAP(fonts->map), 72);
    fonts->context = pango_font_map_create_context(fonts->map);
    pango_context_set_language(fonts->context, pango_language_from_string("en"));
    pango_context_set_base_dir(fonts->context, PANGO_DIRECTION_LTR);
    pango_context_set_round_glyph_positions(fonts->context, FALSE);
    cairo_font_options_t *options = cairo_font_options_create();
    cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
    cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
    cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY);
    pango_cairo_context_set_font_options(fonts->context, options);
    cairo_font_options_destroy(options);
}

// The letters of all fonts at hand.
static void find_covered(struct hr_fonts *fonts)
{
    g_clear_pointer(&fonts->covered, FcCharSetDestroy);
    fonts->covered = FcCharSetCreate();
    const FcFontSet *set = FcConfigGetFonts(fonts->config, FcSetApplication);
    for (int i = 0; set && i < set->nfont; i++) {
        FcCharSet *letters = NULL;
        if (FcPatternGetCharSet(set->fonts[i], FC_CHARSET, 0, &letters) == FcResultMatch) {
            FcCharSetMerge(fonts->covered, letters, NULL);
        }
    }
}

struct hr_fonts *hr_fonts_new(const char *fonts_dir, GError **error)
{
    struct hr_fonts *fonts = g_new0(struct hr_fonts, 1);
    g_autoptr(GError) cause = NULL;
    fonts->config = FcConfigCreate();
    if (!load_config(fonts, fonts_dir, &cause) || !load_faces(fonts, fonts_dir, &cause)) {
        g_propagate_error(error, g_steal_pointer(&cause));
        hr_fonts_free(fonts);
        return NULL;
    }
    // before the font map is made: pango starts a thread then that would load the system's
    // configuration, and complain where there is none
    FcConfigSetCurrent(fonts->config);
    make_context(fonts);
    describe_faces(fonts);
    find_covered(fonts);
    return fonts;
}

void hr_fonts_free(struct hr_fonts *fonts)
{
    if (!fonts) {
        return;
    }
    for (int i = 0; i < HR_FONTS_COUNT; i++) {
        g_clear_pointer(&fonts->descriptions[i], pango_font_description_free);
        g_clear_pointer(&fonts->files[i], g_bytes_unref);
    }
    g_clear_pointer(&fonts->attributes, pango_attr_list_unref);
    g_clear_pointer(&fonts->covered, FcCharSetDestroy);
    g_clear_object(&fonts->context);
    g_clear_object(&fonts->map);
    FcConfigDestroy(fonts->config);
    g_free(fonts);
}

static bool is_font_name(const char *name)
{
    static const char *const suffixes[] = {".ttf", ".otf", ".ttc", ".otc"};
    for (size_t i = 0; i < G_N_ELEMENTS(suffixes); i++) {
        if (g_str_has_suffix(name, suffixes[i])) {
            return true;
        }
    }
    return false;
}

static int compare_paths(gconstpointer a, gconstpointer b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

// Adds what lies in one directory to `files`, and its folders to `folders`.
static void list_folder(const char *folder, GPtrArray *files, GPtrArray *folders)
{
    g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
    for (const char *name = dir ? g_dir_read_name(dir) : NULL; name; name = g_dir_read_name(dir)) {
        g_autofree char *path = g_build_filename(folder, name, NULL);
        if (g_file_test(path, G_FILE_TEST_IS_DIR)) {
            g_ptr_array_add(folders, g_steal_pointer(&path));
        } else if (is_font_name(name) && g_file_test(path, G_FILE_TEST_IS_REGULAR)) {
            g_ptr_array_add(files, g_steal_pointer(&path));
        }
    }
}

// File by file: a whole directory would go through fontconfig's cache, which may be unwritable, and
// fontconfig says so on standard error.
static void load_system_fonts(struct hr_fonts *fonts)
{
    g_autoptr(GPtrArray) files = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GPtrArray) level = g_ptr_array_new_with_free_func(g_free);
    g_ptr_array_add(level, g_strdup("/usr/share/fonts"));
    g_ptr_array_add(level, g_strdup("/usr/local/share/fonts"));
    for (int depth = 0; depth < SYSTEM_FONT_DEPTH_MAX; depth++) {
        GPtrArray *next = g_ptr_array_new_with_free_func(g_free);
        for (guint i = 0; i < level->len; i++) {
            list_folder(level->pdata[i], files, next);
        }
        g_ptr_array_unref(level);
        level = next;
    }
    g_ptr_array_sort(files, compare_paths);
    for (guint i = 0; i < files->len && i < SYSTEM_FONTS_MAX; i++) {
        FcConfigAppFontAddFile(fonts->config, files->pdata[i]);
    }
    pango_fc_font_map_config_changed(PANGO_FC_FONT_MAP(fonts->map));
    fonts->system_loaded = true;
    find_covered(fonts);
}

static bool is_covered(const struct hr_fonts *fonts, const char *text)
{
    for (const char *p = text; *p; p += g_utf8_skip[(guchar)*p]) {
        if (!FcCharSetHasChar(fonts->covered, g_utf8_get_char(p))) {
            return false;
        }
    }
    return true;
}

char *hr_fonts_printable(struct hr_fonts *fonts, const char *text)
{
    char *printable = hr_printable(text);
    if (is_covered(fonts, printable)) {
        return printable;
    }
    if (!fonts->system_loaded) {
        load_system_fonts(fonts);
    }
    GString *out = g_string_sized_new(64);
    for (const char *p = printable; *p; p += g_utf8_skip[(guchar)*p]) {
        const gunichar character = g_utf8_get_char(p);
        if (FcCharSetHasChar(fonts->covered, character)) {
            g_string_append_unichar(out, character);
        } else {
            g_string_append_printf(out, "\\u{%x}", character);
        }
    }
    g_free(printable);
    return g_string_free(out, FALSE);
}

void hr_fonts_insert_face(PangoAttrList *list, enum hr_font font, double size, guint start,
                          guint end)
{
    PangoAttribute *attributes[] = {
        pango_attr_family_new(faces[font].family),
        pango_attr_weight_new(faces[font].weight),
        pango_attr_size_new((int)lround(size * PANGO_SCALE)),
    };
    for (size_t i = 0; i < G_N_ELEMENTS(attributes); i++) {
        attributes[i]->start_index = start;
        attributes[i]->end_index = end;
        pango_attr_list_insert(list, attributes[i]);
    }
}

PangoLayout *hr_fonts_layout_new(struct hr_fonts *fonts, enum hr_font font, double size,
                                 const char *text)
{
    PangoFontDescription *description = fonts->descriptions[font];
    pango_font_description_set_size(description, (int)lround(size * PANGO_SCALE));
    PangoLayout *layout = pango_layout_new(fonts->context);
    pango_layout_set_font_description(layout, description);
    pango_layout_set_attributes(layout, fonts->attributes);
    pango_layout_set_auto_dir(layout, FALSE);
    g_autofree char *valid = g_utf8_make_valid(text, -1);
    pango_layout_set_text(layout, valid, -1);
    return layout;
}

static double measure_set(struct hr_fonts *fonts, enum hr_font font, double size, const char *text)
{
    g_autoptr(PangoLayout) layout = hr_fonts_layout_new(fonts, font, size, text);
    pango_layout_set_single_paragraph_mode(layout, TRUE);
    PangoRectangle logical;
    pango_layout_get_extents(layout, NULL, &logical);
    return (double)logical.width / PANGO_SCALE;
}

// The letters of a text that has only such as the monospaced faces hold, with the sign of a cut
// among them; -1: it has others.
static int count_monospaced(const char *text)
{
    int count = 0;
    for (const char *p = text; *p; p++, count++) {
        if (g_str_has_prefix(p, HR_CUT)) {
            p += strlen(HR_CUT) - 1;
        } else if (!g_ascii_isprint(*p)) {
            return -1;
        }
    }
    return count;
}

// Names are measured by the thousand to be shortened: theirs is a product.
double hr_fonts_measure(struct hr_fonts *fonts, enum hr_font font, double size, const char *text)
{
    const bool monospaced = font == HR_FONT_MONO || font == HR_FONT_MONO_BOLD;
    const int count = monospaced ? count_monospaced(text) : -1;
    if (count < 0) {
        return measure_set(fonts, font, size, text);
    }
    struct advance *advance = &fonts->advances[font];
    if (advance->size != size) {
        *advance = (struct advance){size, measure_set(fonts, font, size, "0")};
    }
    return count * advance->width;
}

GBytes *hr_fonts_file(const struct hr_fonts *fonts, enum hr_font font)
{
    return fonts->files[font];
}
