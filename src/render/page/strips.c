// SPDX-License-Identifier: MIT
#include "render/flow.h"
#include "render/page/composer.h"

#include <math.h>
#include <string.h>

#define PANEL_PADDING 7.0
#define PANEL_INSET 11.0
#define LIST_INDENT 13.0
#define SPARKLINE_ASIDE 100.0

static struct hr_strips *strips_alloc(double width)
{
    struct hr_strips *strips = g_new0(struct hr_strips, 1);
    strips->strips = g_array_new(FALSE, TRUE, sizeof(struct hr_strip));
    strips->boxes = g_array_new(FALSE, TRUE, sizeof(struct hr_box));
    strips->tags = g_array_new(FALSE, TRUE, sizeof(struct hr_tag));
    strips->texts = g_ptr_array_new_with_free_func((GDestroyNotify)hr_passage_free);
    strips->scenes = g_ptr_array_new_with_free_func((GDestroyNotify)hr_scene_free);
    strips->words = g_string_chunk_new(256);
    strips->width = width;
    return strips;
}

void hr_strips_free(struct hr_strips *strips)
{
    if (!strips) {
        return;
    }
    g_array_unref(strips->strips);
    g_array_unref(strips->boxes);
    g_array_unref(strips->tags);
    g_ptr_array_unref(strips->texts);
    g_ptr_array_unref(strips->scenes);
    g_string_chunk_free(strips->words);
    g_free(strips);
}

const struct hr_strip *hr_strips_get(const struct hr_strips *strips, guint i)
{
    return &g_array_index(strips->strips, struct hr_strip, i);
}

const struct hr_box *hr_strips_get_box(const struct hr_strips *strips, guint i)
{
    return &g_array_index(strips->boxes, struct hr_box, i);
}

const struct hr_tag *hr_strips_get_tag(const struct hr_strips *strips, int i)
{
    return &g_array_index(strips->tags, struct hr_tag, i);
}

static bool has_role(const struct hr_node *node, const char *role)
{
    return node->role && strcmp(node->role, role) == 0;
}

// The colour that the charts of a suspect give it.
static enum hr_paint find_mark(const struct hr_node *node)
{
    for (const struct hr_node *child = node->first_child; child; child = child->next) {
        if (child->kind == HR_NODE_CHART && child->chart->series_count > 0) {
            return hr_theme_paint(child->chart->series[0].colour);
        }
    }
    return HR_PAINT_REST;
}

static void enter_section(struct hr_page_composer *composer, const struct hr_node *node)
{
    struct hr_page_context *context = hr_page_push(composer);
    context->tag = hr_page_tag(composer, "Sect", context->tag);
    context->mark = has_role(node, "suspect") ? find_mark(node) : HR_PAINT_NONE;
    context->in_card = has_role(node, "suspect");
    context->card_begin = composer->strips->strips->len;
    composer->anchor = node->id;
    composer->section_depth++;
    composer->in_summary |= has_role(node, "summary");
}

// What follows the summary begins a page of its own: page 1 is the answer.
static void leave_section(struct hr_page_composer *composer, const struct hr_node *node)
{
    if (has_role(node, "rule")) {
        hr_page_keep(composer, hr_page_context(composer)->card_begin);
    }
    hr_page_pop(composer);
    composer->section_depth--;
    if (has_role(node, "summary")) {
        composer->in_summary = false;
        composer->new_page = true;
    }
}

static enum hr_paint callout_accent(const struct hr_node *node)
{
    if (has_role(node, "warning")) {
        return HR_PAINT_WARNING;
    }
    if (!has_role(node, "verdict") || !node->text) {
        return HR_PAINT_RULE;
    }
    if (strcmp(node->text, "no_growth") == 0 || strcmp(node->text, "bounded_growth") == 0) {
        return HR_PAINT_SUSPECT_1 + 1;
    }
    return strcmp(node->text, "inconclusive") == 0 ? HR_PAINT_WARNING : HR_PAINT_SUSPECT_1;
}

static void enter_callout(struct hr_page_composer *composer, const struct hr_node *node)
{
    struct hr_page_context *context = hr_page_push(composer);
    context->verdict = has_role(node, "verdict");
    context->panel = composer->panels_count++;
    context->panel_fill = HR_PAINT_PANEL;
    context->panel_accent = callout_accent(node);
    context->panel_left = context->left;
    context->panel_right = context->right;
    context->left += PANEL_INSET;
    context->right -= PANEL_INSET;
    hr_page_space(composer, 8);
    hr_page_strip(composer, PANEL_PADDING)->keep_with_next = true;
}

static void leave_callout(struct hr_page_composer *composer)
{
    // the padding below stays with the last line
    GArray *strips = composer->strips->strips;
    g_array_index(strips, struct hr_strip, strips->len - 1).keep_with_next = true;
    composer->space = 0;
    hr_page_strip(composer, PANEL_PADDING);
    hr_page_pop(composer);
    hr_page_space(composer, 8);
}

static void enter_list(struct hr_page_composer *composer, const struct hr_node *node)
{
    struct hr_page_context *context = hr_page_push(composer);
    context->tag = hr_page_tag(composer, "L", context->tag);
    context->numbered = has_role(node, "steps");
    context->compact = has_role(node, "suspects");
    context->number = 0;
    hr_page_space(composer, 4);
}

static void draw_label(struct hr_page_composer *composer, const struct hr_page_context *context,
                       double left, int tag)
{
    if (context->mark != HR_PAINT_NONE) {
        hr_page_rectangle(composer, left, 3, 4, 9, context->mark);
        return;
    }
    struct hr_passage *text = hr_page_text(composer, HR_FONT_SANS, HR_TYPE_BODY, 13.4);
    g_autofree char *label = context->numbered ? g_strdup_printf("%u.", context->number) : NULL;
    hr_passage_append(text, label ? label : "•",
                      (struct hr_passage_style){.paint = HR_PAINT_MUTED});
    hr_passage_break(text, 0, 0);
    hr_page_line(composer, text, 0, left, 0, tag);
}

static const struct hr_node *find_sparkline(const struct hr_node *item)
{
    for (const struct hr_node *child = item->first_child; child; child = child->next) {
        if (child->kind == HR_NODE_CHART && child->chart->kind == HR_CHART_SPARKLINE) {
            return child;
        }
    }
    return NULL;
}

// The label and the sparkline stand on a strip of no height, beside the item's first line.
static void enter_item(struct hr_page_composer *composer, const struct hr_node *node)
{
    struct hr_page_context *list = hr_page_context(composer);
    list->number++;
    struct hr_page_context *context = hr_page_push(composer);
    const int item = hr_page_tag(composer, "LI", context->tag);
    const int label = hr_page_tag(composer, "Lbl", item);
    context->tag = hr_page_tag(composer, "LBody", item);
    const struct hr_node *sparkline = find_sparkline(node);
    context->mark = sparkline ? find_mark(node) : HR_PAINT_NONE;
    context->aside = sparkline ? SPARKLINE_ASIDE : 0;
    hr_page_space(composer, context->compact ? 4 : 2);
    hr_page_strip(composer, 0)->keep_with_next = true;
    if (!context->compact || sparkline) {
        draw_label(composer, context, context->left, label);
    }
    if (sparkline) {
        hr_page_chart(composer, sparkline);
    }
    hr_page_context(composer)->left += LIST_INDENT;
}

static void enter(struct hr_page_composer *composer, const struct hr_node *node)
{
    switch (node->kind) {
    case HR_NODE_SECTION:
        enter_section(composer, node);
        break;
    case HR_NODE_HEADING:
        hr_page_heading(composer, node);
        break;
    case HR_NODE_PARAGRAPH:
        hr_page_paragraph(composer, node);
        break;
    case HR_NODE_LIST:
        enter_list(composer, node);
        break;
    case HR_NODE_ITEM:
        enter_item(composer, node);
        break;
    case HR_NODE_TABLE:
        hr_page_table(composer, node->table);
        break;
    case HR_NODE_CHART:
        if (node->chart->kind != HR_CHART_SPARKLINE || node->parent->kind != HR_NODE_ITEM) {
            hr_page_chart(composer, node);
        }
        break;
    case HR_NODE_CALLOUT:
        enter_callout(composer, node);
        break;
    case HR_NODE_CODE:
        hr_page_code(composer, node);
        break;
    case HR_NODE_STACK:
        hr_page_stack(composer, node);
        break;
    case HR_NODE_FACTS:
        hr_page_facts(composer, node);
        break;
    case HR_NODE_DOCUMENT:
    case HR_NODE_FACT:
    case HR_NODE_TEXT:
    case HR_NODE_STRONG:
    case HR_NODE_SYMBOL:
    case HR_NODE_LINK:
    case HR_NODE_VALUE:
        break; // blocks take their own inline nodes
    }
}

static void leave(struct hr_page_composer *composer, const struct hr_node *node)
{
    switch (node->kind) {
    case HR_NODE_SECTION:
        leave_section(composer, node);
        break;
    case HR_NODE_CALLOUT:
        leave_callout(composer);
        break;
    case HR_NODE_LIST:
        hr_page_space(composer, 5);
        hr_page_pop(composer);
        break;
    case HR_NODE_ITEM:
        hr_page_pop(composer);
        break;
    default:
        break;
    }
}

enum extent { WHOLE_DOCUMENT, SUMMARY_ONLY };

static struct hr_strips *compose(struct hr_fonts *fonts, const struct hr_document *document,
                                 double width, int density, enum extent extent)
{
    struct hr_page_composer composer = {
        .fonts = fonts,
        .strips = strips_alloc(width),
        .document = document,
        .contexts = g_array_new(FALSE, TRUE, sizeof(struct hr_page_context)),
        .density = density,
    };
    const struct hr_page_context outermost = {.right = width, .tag = -1, .panel = -1};
    g_array_append_val(composer.contexts, outermost);
    hr_page_context(&composer)->tag = hr_page_tag(&composer, "Document", -1);
    struct hr_node_iterator iterator = {.root = document->root};
    while (hr_flow_next_long(&iterator)) {
        if (iterator.entering) {
            enter(&composer, iterator.node);
        } else {
            leave(&composer, iterator.node);
        }
        if (extent == SUMMARY_ONLY && composer.new_page) {
            break; // what comes next begins a page
        }
    }
    g_array_unref(composer.contexts);
    return composer.strips;
}

static double total_height(const struct hr_strips *strips)
{
    double height = 0;
    for (guint i = 0; i < strips->strips->len; i++) {
        const struct hr_strip *strip = hr_strips_get(strips, i);
        height += strip->height + (i > 0 ? strip->space_before : 0);
    }
    return height;
}

static bool has_summary(const struct hr_document *document)
{
    for (const struct hr_node *node = document->root->first_child; node; node = node->next) {
        if (has_role(node, "summary")) {
            return true;
        }
    }
    return false;
}

struct hr_strips *hr_strips_new(struct hr_fonts *fonts, const struct hr_document *document,
                                double width, double height)
{
    int density = has_summary(document) ? 0 : HR_PAGE_DENSITY_MAX;
    while (density < HR_PAGE_DENSITY_MAX) {
        HR_AUTO(hr_strips) summary = compose(fonts, document, width, density, SUMMARY_ONLY);
        if (total_height(summary) <= height) {
            break;
        }
        density++;
    }
    return compose(fonts, document, width, density, WHOLE_DOCUMENT);
}
