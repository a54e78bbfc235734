// SPDX-License-Identifier: MIT
// The cairo painter: a scene on paper, with the colours of the theme's light side.
#pragma once

#include "render/chart/scene.h"

#include <cairo.h>

// Draws `scene` with its top left at x, y.
void hr_scene_draw(const struct hr_scene *scene, struct hr_fonts *fonts, cairo_t *cr, double x,
                   double y);
