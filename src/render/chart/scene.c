// SPDX-License-Identifier: MIT
#include "render/chart/scene.h"

#include <math.h>

struct hr_scene *hr_scene_new(double width, double height)
{
    struct hr_scene *scene = g_new0(struct hr_scene, 1);
    scene->arena = hr_arena_new();
    scene->items = g_array_new(FALSE, TRUE, sizeof(struct hr_scene_item));
    scene->notes = g_array_new(FALSE, TRUE, sizeof(struct hr_scene_note));
    scene->width = width;
    scene->height = height;
    return scene;
}

void hr_scene_free(struct hr_scene *scene)
{
    if (!scene) {
        return;
    }
    g_array_unref(scene->items);
    g_array_unref(scene->notes);
    hr_arena_free(scene->arena);
    g_free(scene);
}

static struct hr_scene_item *add(struct hr_scene *scene, enum hr_scene_kind kind)
{
    const struct hr_scene_item item = {.kind = kind, .index = -1, .parent_index = -1};
    g_array_append_val(scene->items, item);
    return &g_array_index(scene->items, struct hr_scene_item, scene->items->len - 1);
}

struct hr_scene_item *hr_scene_begin(struct hr_scene *scene, const char *class_name)
{
    struct hr_scene_item *item = add(scene, HR_SCENE_GROUP);
    item->class_name = class_name ? hr_arena_strdup(scene->arena, class_name) : NULL;
    return item;
}

void hr_scene_end(struct hr_scene *scene)
{
    add(scene, HR_SCENE_END);
}

struct hr_scene_item *hr_scene_rectangle(struct hr_scene *scene, double x, double y, double width,
                                         double height, struct hr_style style)
{
    struct hr_scene_item *item = add(scene, HR_SCENE_RECTANGLE);
    item->x = x;
    item->y = y;
    item->width = width;
    item->height = height;
    item->style = style;
    return item;
}

struct hr_scene_item *hr_scene_line(struct hr_scene *scene, struct hr_point from,
                                    struct hr_point to, struct hr_style style)
{
    struct hr_scene_item *item = add(scene, HR_SCENE_LINE);
    item->x = from.x;
    item->y = from.y;
    item->x2 = to.x;
    item->y2 = to.y;
    item->style = style;
    return item;
}

struct hr_scene_item *hr_scene_path(struct hr_scene *scene, const struct hr_point *points,
                                    unsigned count, bool closed, struct hr_style style)
{
    struct hr_scene_item *item = add(scene, closed ? HR_SCENE_POLYGON : HR_SCENE_POLYLINE);
    item->points = hr_arena_copy(scene->arena, points, count, sizeof *points);
    item->points_count = count;
    item->style = style;
    return item;
}

struct hr_scene_item *hr_scene_text(struct hr_scene *scene, double x, double y, const char *text,
                                    double size, enum hr_anchor anchor)
{
    struct hr_scene_item *item = add(scene, HR_SCENE_TEXT);
    item->x = x;
    item->y = y;
    item->text = hr_arena_strdup(scene->arena, text);
    item->font = HR_FONT_SANS;
    item->size = size;
    item->anchor = anchor;
    item->style.fill = HR_PAINT_INK;
    return item;
}

// Tenths of a point: what a reader could see, and no more than all machines agree on.
static void append_number(GString *out, double value)
{
    char buffer[G_ASCII_DTOSTR_BUF_SIZE];
    const double rounded = round(value * 10) / 10;
    g_string_append_c(out, ' ');
    g_string_append(out,
                    g_ascii_formatd(buffer, sizeof buffer, "%.1f", rounded == 0 ? 0 : rounded));
}

static void append_shape(const struct hr_scene_item *item, GString *out)
{
    switch (item->kind) {
    case HR_SCENE_RECTANGLE:
        append_number(out, item->x);
        append_number(out, item->y);
        append_number(out, item->width);
        append_number(out, item->height);
        break;
    case HR_SCENE_LINE:
        append_number(out, item->x);
        append_number(out, item->y);
        append_number(out, item->x2);
        append_number(out, item->y2);
        break;
    case HR_SCENE_POLYLINE:
    case HR_SCENE_POLYGON:
        for (unsigned i = 0; i < item->points_count; i++) {
            append_number(out, item->points[i].x);
            append_number(out, item->points[i].y);
        }
        break;
    case HR_SCENE_TEXT:
        append_number(out, item->x);
        append_number(out, item->y);
        g_string_append_printf(out, " %c \"%s\"", "sme"[item->anchor], item -> text);
        break;
    case HR_SCENE_GROUP:
    case HR_SCENE_END:
        break;
    }
}

void hr_scene_append_text(const struct hr_scene *scene, GString *out)
{
    static const char *const kinds[] = {"group",    "end",     "rectangle", "line",
                                        "polyline", "polygon", "text"};
    for (guint i = 0; i < scene->items->len; i++) {
        const struct hr_scene_item *item = &g_array_index(scene->items, struct hr_scene_item, i);
        g_string_append(out, kinds[item->kind]);
        append_shape(item, out);
        if (item->style.fill != HR_PAINT_NONE) {
            g_string_append_printf(out, " fill=%s", hr_theme_name(item->style.fill));
        }
        if (item->style.stroke != HR_PAINT_NONE) {
            g_string_append_printf(out, " stroke=%s", hr_theme_name(item->style.stroke));
        }
        if (item->class_name) {
            g_string_append_printf(out, " class=%s", item->class_name);
        }
        if (item->link) {
            g_string_append_printf(out, " link=%s", item->link);
        }
        g_string_append_c(out, '\n');
    }
}
