// SPDX-License-Identifier: MIT
// The look, in one table for the PDF and the HTML: each paint has a name, a value on paper and one
// on a dark screen. Suspects carry the hues of Okabe and Ito's palette, darkened where needed to a
// contrast of 3:1 on white; differences run from blue (shrank) over grey to vermilion (grew).
#pragma once

#include "document/node.h"

#include <glib.h>

enum hr_paint {
    HR_PAINT_NONE,
    HR_PAINT_PAPER,
    HR_PAINT_INK,    // text
    HR_PAINT_MUTED,  // secondary text
    HR_PAINT_RULE,   // hairlines that carry meaning: axes, table rules
    HR_PAINT_GRID,   // hairlines that only guide the eye
    HR_PAINT_PANEL,  // background of callouts and stacks
    HR_PAINT_ACCENT, // headings' rule, links
    HR_PAINT_WARNING,
    HR_PAINT_SUSPECT_1, // to 7, the order of enum hr_colour
    HR_PAINT_SUSPECT_7 = HR_PAINT_SUSPECT_1 + 6,
    HR_PAINT_REST,
    HR_PAINT_HEAP,
    HR_PAINT_ALLOCATED,
    HR_PAINT_RESIDENT,
    HR_PAINT_ANONYMOUS,
    HR_PAINT_FILE,
    HR_PAINT_OTHER,
    HR_PAINT_SHRANK_3, // by far
    HR_PAINT_SHRANK_2,
    HR_PAINT_SHRANK_1,
    HR_PAINT_SAME,
    HR_PAINT_GREW_1,
    HR_PAINT_GREW_2,
    HR_PAINT_GREW_3,
    HR_PAINTS_COUNT
};

struct hr_rgb {
    double red, green, blue; // 0 to 1
};

// Type sizes in points, for pages; charts scale theirs with HR_TYPE_CHART.
#define HR_TYPE_BODY 9.5
#define HR_TYPE_STACK 8.0
#define HR_TYPE_TABLE 8.0
#define HR_TYPE_SMALL 7.5
#define HR_TYPE_CHART 7.5

// The paint of a document's colour (enum hr_colour, or HR_COLOUR_SUSPECT_FIRST + n); suspects
// beyond the seventh share the paint of the rest.
enum hr_paint hr_theme_paint(int colour);

// The paint of a change: `growth` in proportion to `whole`, both in bytes; NAN is the same.
enum hr_paint hr_theme_difference(double growth, double whole);

// "suspect-1": used in class names and custom properties.
const char *hr_theme_name(enum hr_paint paint);

// "#rrggbb" on paper and on a dark screen.
const char *hr_theme_light(enum hr_paint paint);
const char *hr_theme_dark(enum hr_paint paint);
struct hr_rgb hr_theme_rgb(enum hr_paint paint);

// Appends style sheet rules: the custom properties (--hr-ink: ...) with their dark values, and the
// classes that SVG charts carry (hr-f-NAME fills, hr-s-NAME strokes).
void hr_theme_append_css(GString *css);
