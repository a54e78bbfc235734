// SPDX-License-Identifier: MIT
#include "render/page/passage.h"
#include "render/renderer.h"
#include "render/shorten.h"

#include <string.h>

static struct hr_renderer *renderer_new(void)
{
    g_autoptr(GError) error = NULL;
    struct hr_renderer *renderer = hr_renderer_new(g_getenv("HR_DATA_DIR"), &error);
    g_assert_no_error(error);
    return renderer;
}

static double set_width(struct hr_renderer *renderer, const char *words, bool tabular)
{
    HR_AUTO(hr_passage) text = hr_passage_new(renderer->fonts, HR_FONT_SANS, 10, 12);
    text->tabular = tabular;
    hr_passage_append(text, words, (struct hr_passage_style){.font = HR_FONT_SANS});
    hr_passage_break(text, 0, 0);
    return hr_passage_line_width(text, 0);
}

static void test_figures(void)
{
    HR_AUTO(hr_renderer) renderer = renderer_new();
    const double ones = set_width(renderer, "1111", true);
    const double eights = set_width(renderer, "8888", true);
    g_assert_cmpfloat_with_epsilon(ones, eights, 0.01);
    const double narrow_ones = set_width(renderer, "1111", false);
    g_assert_cmpfloat(narrow_ones, <, 0.8 * ones);
    g_assert_cmpfloat_with_epsilon(
        narrow_ones, hr_fonts_measure(renderer->fonts, HR_FONT_SANS, 10, "1111"), 0.01);
}

static void test_our_faces_are_used(void)
{
    HR_AUTO(hr_renderer) renderer = renderer_new();
    // widths that only these files have: monospaced 0.6 em
    const double mono = hr_fonts_measure(renderer->fonts, HR_FONT_MONO, 10, "0123456789");
    g_assert_cmpfloat_with_epsilon(mono, 60, 0.05);
    const double regular = hr_fonts_measure(renderer->fonts, HR_FONT_SANS, 10, "heap");
    const double bold = hr_fonts_measure(renderer->fonts, HR_FONT_SANS_BOLD, 10, "heap");
    g_assert_cmpfloat(bold, >, regular + 0.3);
}

static void test_ligatures_are_off(void)
{
    HR_AUTO(hr_renderer) renderer = renderer_new();
    g_autoptr(PangoLayout) layout = hr_fonts_layout_new(renderer->fonts, HR_FONT_MONO, 10, "->");
    PangoLayoutLine *line = pango_layout_get_line_readonly(layout, 0);
    const PangoGlyphItem *run = line->runs->data;
    g_assert_cmpint(run->glyphs->num_glyphs, ==, 2);
}

static void test_shorten(void)
{
    HR_AUTO(hr_renderer) renderer = renderer_new();
    const char *name = "<alloc::collections::BTreeMap<K, V> as core::ops::Index>::index";
    g_autofree char *whole = hr_shorten(renderer->fonts, HR_FONT_MONO, 8, name, 1000);
    g_assert_cmpstr(whole, ==, name);
    g_autofree char *cut = hr_shorten(renderer->fonts, HR_FONT_MONO, 8, name, 100);
    g_assert_nonnull(strstr(cut, "…"));
    g_assert_true(g_str_has_suffix(cut, "::index"));
    g_assert_cmpfloat(hr_fonts_measure(renderer->fonts, HR_FONT_MONO, 8, cut), <=, 100);
    g_assert_null(hr_shorten(renderer->fonts, HR_FONT_MONO, 8, name, 9));
    g_autofree char *scopes =
        hr_shorten(renderer->fonts, HR_FONT_MONO, 8, "S1 filedrive::SessionStore<a::b>::open", 140);
    g_assert_cmpstr(scopes, ==, "S1 …SessionStore<…>::open");
    g_autofree char *path =
        hr_shorten(renderer->fonts, HR_FONT_MONO, 8, "/build/deep/down/src/prof.c:367", 110);
    g_assert_cmpstr(path, ==, "…/down/src/prof.c:367");
    // arguments go before scopes, the innermost first
    const char *nested = "S2 store::Map<store::Key, store::Arc<store::Lock<u8>>>::insert";
    g_autofree char *inner = hr_shorten(renderer->fonts, HR_FONT_MONO, 8, nested, 270);
    g_assert_cmpstr(inner, ==, "S2 store::Map<store::Key, store::Arc<…>>::insert");
    g_autofree char *outer = hr_shorten(renderer->fonts, HR_FONT_MONO, 8, nested, 150);
    g_assert_cmpstr(outer, ==, "S2 store::Map<…>::insert");
    g_autofree char *method = hr_shorten(renderer->fonts, HR_FONT_MONO, 8,
                                         "S3 <store::Map<K, V> as store::Insert<K, V>>::put", 210);
    g_assert_cmpstr(method, ==, "S3 <store::Map<…> as store::Insert<…>>::put");
    g_autofree char *closure =
        hr_shorten(renderer->fonts, HR_FONT_MONO, 8, "store::Cache::insert_all::{{closure}}", 130);
    g_assert_cmpstr(closure, ==, "…insert_all::{{closure}}");
    g_autofree char *words =
        hr_shorten(renderer->fonts, HR_FONT_MONO, 8, "held by the process alone", 80);
    g_assert_nonnull(strstr(words, "…"));
    g_assert_true(g_str_has_prefix(words, "held"));
}

static void test_missing(void)
{
    g_autoptr(GError) error = NULL;
    g_assert_null(hr_renderer_new("/nonexistent", &error));
    g_assert_error(error, HR_ERROR, HR_ERROR_TEMPLATE);
    g_assert_nonnull(strstr(error->message, "/nonexistent/fonts/Inter-Regular.otf"));
}

// Every face appears once, small, and twice the same.
static void test_subset(void)
{
    HR_AUTO(hr_renderer) renderer = renderer_new();
    g_autoptr(GString) css = g_string_new(NULL);
    const char *letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789 .,:;<>+-";
    hr_fonts_append_subset_css(renderer, letters, letters, css);
    guint faces = 0;
    for (const char *p = css->str; (p = strstr(p, "@font-face")); p++) {
        faces++;
    }
    g_assert_cmpuint(faces, ==, 4);
    g_assert_cmpuint(css->len, <, 80 * 1024);
    g_autoptr(GString) again = g_string_new(NULL);
    hr_fonts_append_subset_css(renderer, letters, letters, again);
    g_assert_cmpstr(css->str, ==, again->str);
    g_string_truncate(again, 0);
    hr_fonts_append_subset_css(renderer, "", "", again);
    g_assert_cmpuint(again->len, ==, 0);
}

static void test_invalid_text(void)
{
    HR_AUTO(hr_renderer) renderer = renderer_new();
    g_assert_cmpfloat(hr_fonts_measure(renderer->fonts, HR_FONT_SANS, 10, "a\xff\xfe"), >, 0);
}

// A machine without fontconfig's files, home or fonts: nothing on standard error, and what no font
// has is shown as its code point.
static void test_bare_machine(void)
{
    if (g_test_subprocess()) {
        g_setenv("FONTCONFIG_FILE", "/nonexistent/fonts.conf", TRUE);
        g_setenv("FONTCONFIG_PATH", "/nonexistent", TRUE);
        g_setenv("XDG_CACHE_HOME", "/nonexistent", TRUE);
        g_unsetenv("HOME");
        HR_AUTO(hr_renderer) renderer = renderer_new();
        // a private use character, which no system font has either
        g_autofree char *text = hr_fonts_printable(renderer->fonts, "a\U0010fffd");
        g_assert_cmpstr(text, ==, "a\\u{10fffd}");
        g_assert_cmpfloat(hr_fonts_measure(renderer->fonts, HR_FONT_SANS, 10, text), >, 20);
        return;
    }
    g_test_trap_subprocess(NULL, 0, 0);
    g_test_trap_assert_passed();
    g_test_trap_assert_stderr("");
}

static void test_printable(void)
{
    HR_AUTO(hr_renderer) renderer = renderer_new();
    static const struct {
        const char *text, *shown;
    } cases[] = {
        {"alloc::vec::Vec<T>", "alloc::vec::Vec<T>"},
        {"a\xe2\x80\xae"
         "b",
         "a\\u{202e}b"},
        {"tab\tline\nend", "tab line end"},
        {"\x1b[31m", "\\u{1b}[31m"},
        {"naïve −3 % ±", "naïve −3 % ±"},
        {"", ""},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *shown = hr_fonts_printable(renderer->fonts, cases[i].text);
        g_assert_cmpstr(shown, ==, cases[i].shown);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/fonts/our-faces-are-used", test_our_faces_are_used);
    g_test_add_func("/fonts/figures", test_figures);
    g_test_add_func("/fonts/ligatures-are-off", test_ligatures_are_off);
    g_test_add_func("/fonts/shorten", test_shorten);
    g_test_add_func("/fonts/missing", test_missing);
    g_test_add_func("/fonts/subset", test_subset);
    g_test_add_func("/fonts/invalid-text", test_invalid_text);
    g_test_add_func("/fonts/bare-machine", test_bare_machine);
    g_test_add_func("/fonts/printable", test_printable);
    return g_test_run();
}
