// SPDX-License-Identifier: MIT
#include "render/theme.h"

#include <math.h>

struct paint {
    const char *name;
    const char *light;
    const char *dark;
};

static const struct paint paints[HR_PAINTS_COUNT] = {
    [HR_PAINT_NONE] = {"none", "none", "none"},
    [HR_PAINT_PAPER] = {"paper", "#ffffff", "#14171c"},
    [HR_PAINT_INK] = {"ink", "#16191d", "#e8eaed"},
    [HR_PAINT_MUTED] = {"muted", "#555d66", "#a7b0ba"},
    [HR_PAINT_RULE] = {"rule", "#87909a", "#6f7984"},
    [HR_PAINT_GRID] = {"grid", "#dfe3e8", "#2c323a"},
    [HR_PAINT_PANEL] = {"panel", "#f4f6f8", "#1d2229"},
    [HR_PAINT_ACCENT] = {"accent", "#005a8c", "#6cb8f0"},
    [HR_PAINT_WARNING] = {"warning", "#9a5b00", "#f0b44d"},
    [HR_PAINT_SUSPECT_1] = {"suspect-1", "#d55e00", "#ff8a3d"},
    [HR_PAINT_SUSPECT_1 + 1] = {"suspect-2", "#008a65", "#2fc79a"},
    [HR_PAINT_SUSPECT_1 + 2] = {"suspect-3", "#b0588f", "#e59cc8"},
    [HR_PAINT_SUSPECT_1 + 3] = {"suspect-4", "#b07700", "#f0ab1f"},
    [HR_PAINT_SUSPECT_1 + 4] = {"suspect-5", "#2b8cc4", "#66bdf0"},
    [HR_PAINT_SUSPECT_1 + 5] = {"suspect-6", "#857a00", "#ece04a"},
    [HR_PAINT_SUSPECT_7] = {"suspect-7", "#0059a0", "#5aa2e8"},
    [HR_PAINT_REST] = {"rest", "#8a929b", "#8a939d"},
    [HR_PAINT_HEAP] = {"heap", "#0072b2", "#4fb0f0"},
    [HR_PAINT_ALLOCATED] = {"allocated", "#00795a", "#35c79c"},
    [HR_PAINT_RESIDENT] = {"resident", "#9c4a7c", "#e39cc9"},
    [HR_PAINT_ANONYMOUS] = {"anonymous", "#24292e", "#e8eaed"},
    [HR_PAINT_FILE] = {"file", "#8a6d00", "#d9b945"},
    [HR_PAINT_OTHER] = {"other", "#727b85", "#98a2ad"},
    [HR_PAINT_SHRANK_3] = {"shrank-3", "#5a9bcb", "#27648f"},
    [HR_PAINT_SHRANK_2] = {"shrank-2", "#9cc4e2", "#2a5b82"},
    [HR_PAINT_SHRANK_1] = {"shrank-1", "#cfe2f0", "#29455c"},
    [HR_PAINT_SAME] = {"same", "#e6e8eb", "#343b44"},
    [HR_PAINT_GREW_1] = {"grew-1", "#fbdcc4", "#5e3a24"},
    [HR_PAINT_GREW_2] = {"grew-2", "#f6b688", "#8c4716"},
    [HR_PAINT_GREW_3] = {"grew-3", "#ea8540", "#a04b0a"},
};

enum hr_paint hr_theme_paint(int colour)
{
    if (colour >= HR_COLOUR_SUSPECT_FIRST && colour <= HR_COLOUR_SUSPECT_LAST) {
        return (enum hr_paint)(HR_PAINT_SUSPECT_1 + colour - HR_COLOUR_SUSPECT_FIRST);
    }
    switch (colour) {
    case HR_COLOUR_HEAP:
        return HR_PAINT_HEAP;
    case HR_COLOUR_ALLOCATED:
        return HR_PAINT_ALLOCATED;
    case HR_COLOUR_RESIDENT:
        return HR_PAINT_RESIDENT;
    case HR_COLOUR_ANONYMOUS:
        return HR_PAINT_ANONYMOUS;
    case HR_COLOUR_FILE:
        return HR_PAINT_FILE;
    case HR_COLOUR_OTHER:
        return HR_PAINT_OTHER;
    default:
        return HR_PAINT_REST;
    }
}

enum hr_paint hr_theme_difference(double growth, double whole)
{
    if (isnan(growth) || isnan(whole) || whole <= 0) {
        return HR_PAINT_SAME;
    }
    const double share = growth / whole;
    const double size = fabs(share);
    const int step = size < 0.02 ? 0 : size < 0.15 ? 1 : size < 0.5 ? 2 : 3;
    return (enum hr_paint)(HR_PAINT_SAME + (share < 0 ? -step : step));
}

const char *hr_theme_name(enum hr_paint paint)
{
    return paints[paint].name;
}

const char *hr_theme_light(enum hr_paint paint)
{
    return paints[paint].light;
}

const char *hr_theme_dark(enum hr_paint paint)
{
    return paints[paint].dark;
}

struct hr_rgb hr_theme_rgb(enum hr_paint paint)
{
    g_assert(paint != HR_PAINT_NONE);
    const guint64 value = g_ascii_strtoull(paints[paint].light + 1, NULL, 16);
    return (struct hr_rgb){(double)(value >> 16 & 255) / 255, (double)(value >> 8 & 255) / 255,
                           (double)(value & 255) / 255};
}

static void append_properties(GString *css, bool dark)
{
    for (int paint = HR_PAINT_PAPER; paint < HR_PAINTS_COUNT; paint++) {
        g_string_append_printf(css, "--hr-%s:%s;", paints[paint].name,
                               dark ? paints[paint].dark : paints[paint].light);
    }
}

void hr_theme_append_css(GString *css)
{
    g_string_append(css, ":root{color-scheme:light dark;");
    append_properties(css, false);
    g_string_append(css, "}\n@media screen and (prefers-color-scheme:dark){:root{");
    append_properties(css, true);
    g_string_append(css, "}}\n");
    for (int paint = HR_PAINT_PAPER; paint < HR_PAINTS_COUNT; paint++) {
        const char *name = paints[paint].name;
        g_string_append_printf(css, ".hr-f-%s{fill:var(--hr-%s)}.hr-s-%s{stroke:var(--hr-%s)}\n",
                               name, name, name, name);
    }
}
