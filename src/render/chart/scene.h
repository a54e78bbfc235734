// SPDX-License-Identifier: MIT
// A chart after layout and before paint: flat shapes and text runs in painting order, in points,
// y down. The two painters (svg.h, cairo_painter.h) draw it and decide nothing.
#pragma once

#include "base/arena.h"
#include "render/chart/scale.h"
#include "render/fonts.h"
#include "render/theme.h"

enum hr_scene_kind {
    HR_SCENE_GROUP, // until the matching END
    HR_SCENE_END,
    HR_SCENE_RECTANGLE,
    HR_SCENE_LINE,     // x, y to x2, y2
    HR_SCENE_POLYLINE, // points
    HR_SCENE_POLYGON,  // points, closed
    HR_SCENE_TEXT,     // x is the anchor, y the baseline
};

// The second carrier beside a colour.
enum hr_pattern { HR_PATTERN_PLAIN, HR_PATTERN_RISING, HR_PATTERN_FALLING, HR_PATTERN_DOTTED };
enum hr_dash { HR_DASH_SOLID, HR_DASH_DASHED, HR_DASH_DOTTED };
enum hr_anchor { HR_ANCHOR_START, HR_ANCHOR_MIDDLE, HR_ANCHOR_END };

struct hr_point {
    double x, y;
};

struct hr_style {
    enum hr_paint fill;
    enum hr_paint stroke;
    double line_width;
    double fill_opacity; // 0 is read as 1
    enum hr_pattern pattern;
    enum hr_dash dash;
};

struct hr_scene_item {
    enum hr_scene_kind kind;
    struct hr_style style;
    double x, y;
    double width, height;
    double x2, y2;
    const struct hr_point *points;
    unsigned points_count;
    const char *text;
    enum hr_font font;
    double size;
    enum hr_anchor anchor;
    const char *title;      // NULL, or what a pointer resting on it is told
    const char *link;       // NULL, or the id of a section
    const char *class_name; // NULL, or what a script knows it by
    int index;              // -1, or the datum it stands for,
    int parent_index;       // and that datum's parent
};

// What a number in the scene stands for: the quantities of datum `index`, the name of `named`.
struct hr_scene_note {
    unsigned number;
    int index, named;
};

struct hr_scene {
    struct hr_arena *arena; // owns all texts and points
    double width, height;
    struct hr_scale x; // of the plot; low equals high where x is no quantity
    GArray *items;     // struct hr_scene_item
    GArray *notes;     // struct hr_scene_note, for a table beneath
};

struct hr_scene *hr_scene_new(double width, double height);
void hr_scene_free(struct hr_scene *scene);
HR_DEFINE_AUTO(hr_scene, hr_scene_free)

// Each appends one item and returns it for further members, until the next is added. Texts and
// points are copied into the scene.
struct hr_scene_item *hr_scene_begin(struct hr_scene *scene, const char *class_name);
void hr_scene_end(struct hr_scene *scene);
struct hr_scene_item *hr_scene_rectangle(struct hr_scene *scene, double x, double y, double width,
                                         double height, struct hr_style style);
struct hr_scene_item *hr_scene_line(struct hr_scene *scene, struct hr_point from,
                                    struct hr_point to, struct hr_style style);
struct hr_scene_item *hr_scene_path(struct hr_scene *scene, const struct hr_point *points,
                                    unsigned count, bool closed, struct hr_style style);
struct hr_scene_item *hr_scene_text(struct hr_scene *scene, double x, double y, const char *text,
                                    double size, enum hr_anchor anchor);

// One item a line, for golden tests.
void hr_scene_append_text(const struct hr_scene *scene, GString *out);
