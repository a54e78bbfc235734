// SPDX-License-Identifier: MIT
// The SVG painter: real text, titles and classes, so that a chart can be read, searched, styled and
// scripted. Colours stand in attributes (for every viewer) and in classes (for the theme's style
// sheet and dark screens).
#pragma once

#include "render/chart/layout.h"
#include "render/render.h"

// Appends the chart as one <svg> element to go into HTML; its size follows the page, its viewBox is
// in CSS pixels for a column of 860.
bool hr_chart_append_svg(struct hr_renderer *renderer, const struct hr_chart *chart, GString *out,
                         GError **error);

// Appends `scene` as an <svg> element. With `style` (NULL: none) it stands alone: the element has a
// size of its own and carries that style sheet.
bool hr_svg_append_scene(const struct hr_scene *scene, const struct hr_chart *chart,
                         const char *style, GString *out, GError **error);
