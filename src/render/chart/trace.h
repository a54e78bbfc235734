// SPDX-License-Identifier: MIT
// A series becomes points to draw: gaps stay gaps, and of all values that fall on one pixel column
// the first, lowest, highest and last stay, so that peaks do.
#pragma once

#include "document/node.h"
#include "render/chart/scale.h"
#include "render/chart/scene.h"

#include <glib.h>

// Appends struct hr_point for the run of known values that starts at *next, and moves *next behind
// it. False when no value is left. A run of one point is a point.
bool hr_trace_line(const struct hr_chart_series *series, const struct hr_scale *x,
                   const struct hr_scale *y, unsigned *next, GArray *points);

// The same for the band between low and high, as a closed outline.
bool hr_trace_band(const struct hr_chart_series *series, const struct hr_scale *x,
                   const struct hr_scale *y, unsigned *next, GArray *points);
