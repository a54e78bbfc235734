// SPDX-License-Identifier: MIT
// Contrast by the formula of WCAG 2 (relative luminance): 4.5:1 for text, 3:1 for graphics, on
// paper and on a dark screen.
#include "render/theme.h"

#include <math.h>
#include <string.h>

static double channel(guint64 value)
{
    const double share = (double)(value & 255) / 255;
    return share <= 0.04045 ? share / 12.92 : pow((share + 0.055) / 1.055, 2.4);
}

static double luminance(const char *colour)
{
    const guint64 value = g_ascii_strtoull(colour + 1, NULL, 16);
    return 0.2126 * channel(value >> 16) + 0.7152 * channel(value >> 8) + 0.0722 * channel(value);
}

static double contrast(const char *a, const char *b)
{
    const double first = luminance(a) + 0.05;
    const double second = luminance(b) + 0.05;
    return first > second ? first / second : second / first;
}

static void check(enum hr_paint paint, enum hr_paint behind, double least)
{
    g_test_message("%s on %s: %.2f, %.2f", hr_theme_name(paint), hr_theme_name(behind),
                   contrast(hr_theme_light(paint), hr_theme_light(behind)),
                   contrast(hr_theme_dark(paint), hr_theme_dark(behind)));
    g_assert_cmpfloat(contrast(hr_theme_light(paint), hr_theme_light(behind)), >=, least);
    g_assert_cmpfloat(contrast(hr_theme_dark(paint), hr_theme_dark(behind)), >=, least);
}

static void test_text(void)
{
    static const enum hr_paint texts[] = {HR_PAINT_INK, HR_PAINT_MUTED, HR_PAINT_ACCENT,
                                          HR_PAINT_WARNING};
    for (size_t i = 0; i < G_N_ELEMENTS(texts); i++) {
        check(texts[i], HR_PAINT_PAPER, 4.5);
        check(texts[i], HR_PAINT_PANEL, 4.5);
    }
    for (int paint = HR_PAINT_SHRANK_3; paint <= HR_PAINT_GREW_3; paint++) {
        check(HR_PAINT_INK, (enum hr_paint)paint, 4.5);
    }
}

static void test_graphics(void)
{
    for (int paint = HR_PAINT_SUSPECT_1; paint <= HR_PAINT_OTHER; paint++) {
        check((enum hr_paint)paint, HR_PAINT_PAPER, 3);
    }
    check(HR_PAINT_RULE, HR_PAINT_PAPER, 3);
}

static void test_choice(void)
{
    g_assert_cmpint(hr_theme_paint(HR_COLOUR_SUSPECT_FIRST), ==, HR_PAINT_SUSPECT_1);
    g_assert_cmpint(hr_theme_paint(HR_COLOUR_SUSPECT_LAST), ==, HR_PAINT_SUSPECT_7);
    g_assert_cmpint(hr_theme_paint(99), ==, HR_PAINT_REST);
    g_assert_cmpint(hr_theme_difference(62, 82), ==, HR_PAINT_GREW_3);
    g_assert_cmpint(hr_theme_difference(-8, 30), ==, HR_PAINT_SHRANK_2);
    g_assert_cmpint(hr_theme_difference(0.1, 30), ==, HR_PAINT_SAME);
    g_assert_cmpint(hr_theme_difference(NAN, 30), ==, HR_PAINT_SAME);
    g_assert_cmpint(hr_theme_difference(1, 0), ==, HR_PAINT_SAME);
}

// Every class that a chart may carry has a rule, and every property a dark value.
static void test_css(void)
{
    g_autoptr(GString) css = g_string_new(NULL);
    hr_theme_append_css(css);
    for (int paint = HR_PAINT_PAPER; paint < HR_PAINTS_COUNT; paint++) {
        const char *name = hr_theme_name((enum hr_paint)paint);
        g_autofree char *fill = g_strdup_printf(".hr-f-%s{", name);
        g_autofree char *property = g_strdup_printf("--hr-%s:", name);
        g_assert_nonnull(strstr(css->str, fill));
        const char *light = strstr(css->str, property);
        g_assert_nonnull(light);
        g_assert_nonnull(strstr(light + 1, property));
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/theme/text", test_text);
    g_test_add_func("/theme/graphics", test_graphics);
    g_test_add_func("/theme/choice", test_choice);
    g_test_add_func("/theme/css", test_css);
    return g_test_run();
}
