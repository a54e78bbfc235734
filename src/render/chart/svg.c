// SPDX-License-Identifier: MIT
#include "render/chart/svg.h"

#include "render/printable.h"
#include "render/renderer.h"

#include <libxml/xmlwriter.h>
#include <math.h>
#include <string.h>

#define HTML_WIDTH 860.0
#define HTML_SPARKLINE_WIDTH 120.0
#define HTML_TEXT_SIZE 12.0
#define ALONE_PADDING 14.0
#define FAMILY_SANS "'HR Sans',Inter,'Helvetica Neue',Arial,'Liberation Sans',sans-serif"
#define FAMILY_MONO "'HR Mono','JetBrains Mono','DejaVu Sans Mono',Menlo,Consolas,monospace"

struct painter {
    xmlTextWriter *writer;
    const char *chart_name;
};

static void write_attribute(struct painter *painter, const char *name, const char *value)
{
    xmlTextWriterWriteAttribute(painter->writer, (const xmlChar *)name, (const xmlChar *)value);
}

static void append_number(GString *out, double value)
{
    char buffer[G_ASCII_DTOSTR_BUF_SIZE];
    const double rounded = round(value * 100) / 100;
    g_ascii_formatd(buffer, sizeof buffer, "%.2f", rounded == 0 ? 0 : rounded);
    char *end = buffer + strlen(buffer);
    while (end[-1] == '0') {
        *--end = '\0';
    }
    if (end[-1] == '.') {
        *--end = '\0';
    }
    g_string_append(out, buffer);
}

static void write_number(struct painter *painter, const char *name, double value)
{
    g_autoptr(GString) text = g_string_new(NULL);
    append_number(text, value);
    write_attribute(painter, name, text->str);
}

static void begin_element(struct painter *painter, const char *name)
{
    xmlTextWriterStartElement(painter->writer, (const xmlChar *)name);
}

static void end_element(struct painter *painter)
{
    xmlTextWriterEndElement(painter->writer);
}

static void write_text(struct painter *painter, const char *text)
{
    g_autofree char *printable = hr_printable(text);
    xmlTextWriterWriteString(painter->writer, (const xmlChar *)printable);
}

static void write_element_text(struct painter *painter, const char *name, const char *text)
{
    begin_element(painter, name);
    write_text(painter, text);
    end_element(painter);
}

static void write_style(struct painter *painter, const struct hr_style *style)
{
    write_attribute(painter, "fill", hr_theme_light(style->fill));
    if (style->fill_opacity > 0 && style->fill_opacity < 1) {
        write_number(painter, "fill-opacity", style->fill_opacity);
    }
    if (style->stroke != HR_PAINT_NONE) {
        write_attribute(painter, "stroke", hr_theme_light(style->stroke));
        write_number(painter, "stroke-width", style->line_width);
    }
    if (style->dash != HR_DASH_SOLID) {
        write_attribute(painter, "stroke-dasharray",
                        style->dash == HR_DASH_DASHED ? "4 2.5" : "1 2");
    }
}

// The painted classes and the item's own, in one attribute.
static void write_class(struct painter *painter, const struct hr_scene_item *item)
{
    g_autoptr(GString) names = g_string_new(item->class_name);
    if (item->style.fill != HR_PAINT_NONE) {
        g_string_append_printf(names, " hr-f-%s", hr_theme_name(item->style.fill));
    }
    if (item->style.stroke != HR_PAINT_NONE) {
        g_string_append_printf(names, " hr-s-%s", hr_theme_name(item->style.stroke));
    }
    if (names->len > 0) {
        write_attribute(painter, "class", g_strstrip(names->str));
    }
}

static void write_points(struct painter *painter, const struct hr_scene_item *item)
{
    g_autoptr(GString) text = g_string_new(NULL);
    for (unsigned i = 0; i < item->points_count; i++) {
        g_string_append(text, i ? " " : "");
        append_number(text, item->points[i].x);
        g_string_append_c(text, ',');
        append_number(text, item->points[i].y);
    }
    write_attribute(painter, "points", text->str);
    write_attribute(painter, "stroke-linejoin", "round");
}

static void write_rectangle_place(struct painter *painter, const struct hr_scene_item *item)
{
    write_number(painter, "x", item->x);
    write_number(painter, "y", item->y);
    write_number(painter, "width", item->width);
    write_number(painter, "height", item->height);
}

static void write_text_place(struct painter *painter, const struct hr_scene_item *item)
{
    static const char *const anchors[] = {"start", "middle", "end"};
    write_number(painter, "x", item->x);
    write_number(painter, "y", item->y);
    write_number(painter, "font-size", item->size);
    if (item->anchor != HR_ANCHOR_START) {
        write_attribute(painter, "text-anchor", anchors[item->anchor]);
    }
    if (item->font == HR_FONT_MONO || item->font == HR_FONT_MONO_BOLD) {
        write_attribute(painter, "font-family", FAMILY_MONO);
    }
    if (item->font == HR_FONT_SANS_BOLD || item->font == HR_FONT_MONO_BOLD) {
        write_attribute(painter, "font-weight", item->font == HR_FONT_SANS_BOLD ? "600" : "700");
    }
}

static void write_line_place(struct painter *painter, const struct hr_scene_item *item)
{
    write_number(painter, "x1", item->x);
    write_number(painter, "y1", item->y);
    write_number(painter, "x2", item->x2);
    write_number(painter, "y2", item->y2);
}

static void write_index(struct painter *painter, const char *name, int index)
{
    if (index >= 0) {
        write_number(painter, name, index);
    }
}

static void write_shape(struct painter *painter, const struct hr_scene_item *item)
{
    static const char *const names[] = {"g", NULL, "rect", "line", "polyline", "polygon", "text"};
    begin_element(painter, names[item->kind]);
    write_class(painter, item);
    write_index(painter, "data-index", item->index);
    write_index(painter, "data-parent", item->parent_index);
    switch (item->kind) {
    case HR_SCENE_RECTANGLE:
        write_rectangle_place(painter, item);
        break;
    case HR_SCENE_LINE:
        write_line_place(painter, item);
        break;
    case HR_SCENE_POLYLINE:
    case HR_SCENE_POLYGON:
        write_points(painter, item);
        break;
    case HR_SCENE_TEXT:
        write_text_place(painter, item);
        break;
    case HR_SCENE_GROUP:
    case HR_SCENE_END:
        break;
    }
    if (item->kind != HR_SCENE_GROUP) {
        write_style(painter, &item->style);
    }
    if (item->title) {
        write_element_text(painter, "title", item->title);
    }
    if (item->kind == HR_SCENE_TEXT) {
        write_text(painter, item->text);
    }
    if (item->kind != HR_SCENE_GROUP) {
        end_element(painter);
    }
}

// A pattern lies over the plain fill as a second shape, so that colour and pattern stay apart.
static void write_pattern_over(struct painter *painter, const struct hr_scene_item *item)
{
    static const char *const names[] = {"", "rising", "falling", "dotted"};
    begin_element(painter, "rect");
    write_rectangle_place(painter, item);
    g_autofree char *fill =
        g_strdup_printf("url(#hr-%s-%s)", painter->chart_name, names[item->style.pattern]);
    write_attribute(painter, "fill", fill);
    write_attribute(painter, "pointer-events", "none");
    end_element(painter);
}

static void write_item(struct painter *painter, const struct hr_scene_item *item)
{
    if (item->kind == HR_SCENE_END) {
        end_element(painter);
        return;
    }
    if (item->link) {
        g_autofree char *target = g_strconcat("#", item->link, NULL);
        begin_element(painter, "a");
        write_attribute(painter, "href", target);
        write_attribute(painter, "aria-label", item->title ? item->title : item->link);
    }
    write_shape(painter, item);
    if (item->kind == HR_SCENE_RECTANGLE && item->style.pattern != HR_PATTERN_PLAIN) {
        write_pattern_over(painter, item);
    }
    if (item->link) {
        g_assert(item->kind != HR_SCENE_GROUP);
        end_element(painter);
    }
}

static void write_pattern(struct painter *painter, enum hr_pattern pattern)
{
    static const char *const names[] = {"", "rising", "falling", "dotted"};
    static const char *const paths[] = {"", "M-1 1L1 -1M0 5L5 0M4 6L6 4",
                                        "M-1 4L1 6M0 0L5 5M4 -1L6 1", "M2 2h1v1h-1z"};
    g_autofree char *id = g_strdup_printf("hr-%s-%s", painter->chart_name, names[pattern]);
    begin_element(painter, "pattern");
    write_attribute(painter, "id", id);
    write_attribute(painter, "width", "5");
    write_attribute(painter, "height", "5");
    write_attribute(painter, "patternUnits", "userSpaceOnUse");
    begin_element(painter, "path");
    write_attribute(painter, "class", "hr-s-ink");
    write_attribute(painter, "d", paths[pattern]);
    write_attribute(painter, "fill", "none");
    write_attribute(painter, "stroke", hr_theme_light(HR_PAINT_INK));
    write_attribute(painter, "stroke-opacity", "0.45");
    write_attribute(painter, "stroke-width", "0.7");
    end_element(painter);
    end_element(painter);
}

static void write_patterns(struct painter *painter, const struct hr_scene *scene)
{
    bool used[HR_PATTERN_DOTTED + 1] = {false};
    bool any = false;
    for (guint i = 0; i < scene->items->len; i++) {
        const struct hr_scene_item *item = &g_array_index(scene->items, struct hr_scene_item, i);
        used[item->style.pattern] = true;
        any |= item->style.pattern != HR_PATTERN_PLAIN;
    }
    if (!any) {
        return;
    }
    begin_element(painter, "defs");
    for (int pattern = HR_PATTERN_RISING; pattern <= HR_PATTERN_DOTTED; pattern++) {
        if (used[pattern]) {
            write_pattern(painter, (enum hr_pattern)pattern);
        }
    }
    end_element(painter);
}

static bool has_links(const struct hr_scene *scene)
{
    for (guint i = 0; i < scene->items->len; i++) {
        if (g_array_index(scene->items, struct hr_scene_item, i).link) {
            return true;
        }
    }
    return false;
}

static void write_root(struct painter *painter, const struct hr_scene *scene,
                       const struct hr_chart *chart, const char *style)
{
    // alone, a chart has air around it, and paper beneath it whatever lies behind
    const double padding = style ? ALONE_PADDING : 0;
    g_autoptr(GString) box = g_string_new(NULL);
    append_number(box, -padding);
    g_string_append_c(box, ' ');
    append_number(box, -padding);
    g_string_append_c(box, ' ');
    append_number(box, scene->width + 2 * padding);
    g_string_append_c(box, ' ');
    append_number(box, scene->height + 2 * padding);
    g_autofree char *class_name =
        g_strdup_printf("hr-chart hr-chart-%s", hr_chart_kind_name(chart->kind));
    g_autofree char *label = hr_printable(chart->alt     ? chart->alt
                                          : chart->title ? chart->title
                                                         : "");
    begin_element(painter, "svg");
    write_attribute(painter, "xmlns", "http://www.w3.org/2000/svg");
    write_attribute(painter, "viewBox", box->str);
    if (style) {
        write_number(painter, "width", scene->width + 2 * padding);
        write_number(painter, "height", scene->height + 2 * padding);
    }
    write_attribute(painter, "class", class_name);
    // an image has no parts; a chart with links is a group of them
    write_attribute(painter, "role", has_links(scene) ? "group" : "img");
    write_attribute(painter, "aria-label", label);
    write_attribute(painter, "data-name", chart->name);
    write_attribute(painter, "font-family", FAMILY_SANS);
    if (style) {
        write_element_text(painter, "title", chart->title ? chart->title : chart->name);
        begin_element(painter, "style");
        xmlTextWriterWriteString(painter->writer, (const xmlChar *)style);
        end_element(painter);
        const struct hr_scene_item paper = {
            .kind = HR_SCENE_RECTANGLE,
            .style = {.fill = HR_PAINT_PAPER},
            .x = -padding,
            .y = -padding,
            .width = scene->width + 2 * padding,
            .height = scene->height + 2 * padding,
            .index = -1,
            .parent_index = -1,
        };
        write_shape(painter, &paper);
    }
}

bool hr_svg_append_scene(const struct hr_scene *scene, const struct hr_chart *chart,
                         const char *style, GString *out, GError **error)
{
    xmlBuffer *buffer = xmlBufferCreate();
    xmlTextWriter *writer = buffer ? xmlNewTextWriterMemory(buffer, 0) : NULL;
    if (!writer) {
        xmlBufferFree(buffer);
        g_set_error(error, HR_ERROR, HR_ERROR_OUTPUT, "chart %s: libxml2 cannot write",
                    chart->name);
        return false;
    }
    struct painter painter = {writer, chart->name};
    write_root(&painter, scene, chart, style);
    write_patterns(&painter, scene);
    for (guint i = 0; i < scene->items->len; i++) {
        write_item(&painter, &g_array_index(scene->items, struct hr_scene_item, i));
    }
    end_element(&painter);
    const bool whole = xmlTextWriterEndDocument(writer) >= 0;
    xmlFreeTextWriter(writer);
    if (whole) {
        g_string_append_len(out, (const char *)xmlBufferContent(buffer), xmlBufferLength(buffer));
    } else {
        g_set_error(error, HR_ERROR, HR_ERROR_OUTPUT, "chart %s: libxml2 cannot write",
                    chart->name);
    }
    xmlBufferFree(buffer);
    return whole;
}

bool hr_chart_append_svg(struct hr_renderer *renderer, const struct hr_chart *chart, GString *out,
                         GError **error)
{
    const bool small = chart->kind == HR_CHART_SPARKLINE;
    const struct hr_chart_space space = {
        .width = small ? HTML_SPARKLINE_WIDTH : HTML_WIDTH,
        .text_size = HTML_TEXT_SIZE,
    };
    HR_AUTO(hr_scene) scene = hr_chart_layout(renderer->fonts, chart, space);
    return hr_svg_append_scene(scene, chart, NULL, out, error);
}
