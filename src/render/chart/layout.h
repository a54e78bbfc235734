// SPDX-License-Identifier: MIT
// Chart data becomes a scene: the one table of kinds. A new kind is one file here and one line
// there.
#pragma once

#include "document/node.h"
#include "render/chart/scene.h"

// What the page offers: width in points and the size of chart text.
struct hr_chart_space {
    double width;
    double text_size;
    int closeness; // 0: at ease; each step up takes less height where the kind can
    bool paper;    // letters without a font are spelt out; flame frames carry numbers that a table
                   // beneath explains
};

// Lays the chart out. The scene holds copies of all texts and is the caller's.
struct hr_scene *hr_chart_layout(struct hr_fonts *fonts, const struct hr_chart *chart,
                                 struct hr_chart_space space);

// "timeline": the kind's name in class names.
const char *hr_chart_kind_name(enum hr_chart_kind kind);
