// SPDX-License-Identifier: MIT
// The difference flame graph as an icicle: callers above, width = size now, hue = how much of it is
// new (vermilion) or went (blue), and a hatched strip that says the same without colour. Runs of
// single calls are drawn as one frame. Uses frames.
#include "render/chart/plot.h"

#include "base/format.h"
#include "render/shorten.h"

#include <math.h>
#include <stdlib.h>

#define ROWS_MAX 36
#define STRIP_WIDTH 5.0
#define WIDTH_MIN 0.7
#define NUMBER_WIDTH_MIN 10.0
#define NUMBERS_MAX 24
#define SAME_SHARE 0.005

struct box {
    double x, width; // points
    double cursor;   // where the next child begins
    int shown;       // index of the frame that is drawn for it
    int last;        // innermost frame drawn by it
    unsigned calls;  // how many frames are drawn by it
    int row;
    unsigned children;
    unsigned number; // 0: none
    bool cut;        // has frames below the last row
};

static bool is_close(double a, double b, double whole)
{
    return fabs(a - b) <= SAME_SHARE * fabs(whole);
}

// A call that adds nothing to what its caller shows: the only child, as large and grown as much. A
// suspect's own frame always stands alone, and so does the root, which is the whole.
static bool is_merged(const struct hr_chart_frame *frames, const struct box *boxes, int i)
{
    const int parent = frames[i].parent_index;
    return parent >= 0 && frames[parent].parent_index >= 0 && boxes[parent].children == 1 &&
           !frames[i].suspect && !frames[parent].suspect &&
           is_close(frames[i].final, frames[parent].final, frames[i].final) &&
           is_close(frames[i].growth, frames[parent].growth, frames[i].final);
}

static double total_final(const struct hr_chart *chart)
{
    double total = 0;
    for (unsigned i = 0; i < chart->frames_count; i++) {
        if (chart->frames[i].parent_index < 0 && chart->frames[i].final > 0) {
            total += chart->frames[i].final;
        }
    }
    return total;
}

static void place(struct hr_plot *plot, struct box *boxes)
{
    const struct hr_chart *chart = plot->chart;
    const double total = total_final(chart);
    const double scale = total > 0 ? plot->space.width / total : 0;
    double cursor = 0;
    for (int i = 0; i < (int)chart->frames_count; i++) {
        const struct hr_chart_frame *frame = &chart->frames[i];
        const int parent = frame->parent_index;
        double *next = parent >= 0 ? &boxes[parent].cursor : &cursor;
        struct box *box = &boxes[i];
        box->x = box->cursor = *next;
        box->width = frame->final > 0 ? frame->final * scale : 0;
        *next += box->width;
        const bool merged = is_merged(chart->frames, boxes, i);
        box->shown = merged ? boxes[parent].shown : i;
        box->row = parent < 0 ? 0 : boxes[parent].row + (merged ? 0 : 1);
        box->last = i;
        boxes[box->shown].last = i;
        boxes[box->shown].calls++;
        if (box->row >= ROWS_MAX && box->width >= WIDTH_MIN && boxes[parent].row < ROWS_MAX) {
            boxes[boxes[parent].shown].cut = true;
        }
    }
}

static void count_children(const struct hr_chart *chart, struct box *boxes)
{
    for (unsigned i = 0; i < chart->frames_count; i++) {
        const int parent = chart->frames[i].parent_index;
        g_assert(parent < (int)i); // pre-order
        if (parent >= 0) {
            boxes[parent].children++;
        }
    }
}

static bool is_drawn(const struct box *boxes, int i)
{
    return boxes[i].shown == i && boxes[i].row < ROWS_MAX && boxes[i].width >= WIDTH_MIN;
}

static bool is_new(const struct hr_chart_frame *frame)
{
    return frame->base <= 0 && frame->final > 0;
}

static char *frame_title(struct hr_plot *plot, const struct box *boxes, int i)
{
    const struct hr_chart_frame *frames = plot->chart->frames;
    g_autoptr(GString) title = g_string_new(NULL);
    for (int k = i; k <= boxes[i].last; k++) {
        if (boxes[k].shown == i) {
            g_autofree char *name = hr_plot_printable(plot, frames[k].function);
            g_string_append_printf(title, "%s%s", title->len ? "\n" : "", name);
        }
    }
    g_string_append(title, "\n");
    hr_format_append(title, "base_bytes", frames[i].base);
    g_string_append(title, " → ");
    hr_format_append(title, "final_bytes", frames[i].final);
    g_string_append(title, ", ");
    hr_format_append(title, "growth_bytes", frames[i].growth);
    return hr_arena_strdup(plot->scene->arena, title->str);
}

// A frame drawn for several is named by where its run leads: to the call that branches, and where
// it ends in the allocator, by the one that set out for it.
static int get_named(const struct box *boxes, int i)
{
    return boxes[boxes[i].last].children > 0 ? boxes[i].last : i;
}

static char *frame_label(struct hr_plot *plot, const struct box *boxes, int i)
{
    const struct hr_chart_frame *frames = plot->chart->frames;
    g_autofree char *name = hr_plot_printable(plot, frames[get_named(boxes, i)].function);
    g_autoptr(GString) label = g_string_new(NULL);
    if (is_new(&frames[i])) {
        g_string_append(label, "+ ");
    }
    if (frames[i].suspect) {
        g_string_append_printf(label, "%s ", frames[i].suspect);
    }
    if (boxes[i].calls > 1) {
        g_string_append_printf(label, "%u › ", boxes[i].calls);
    }
    g_string_append(label, name);
    if (boxes[i].cut) {
        g_string_append(label, " …");
    }
    return hr_arena_strdup(plot->scene->arena, label->str);
}

static enum hr_pattern frame_pattern(const struct hr_chart_frame *frame, enum hr_paint paint)
{
    if (paint == HR_PAINT_SAME) {
        return HR_PATTERN_PLAIN;
    }
    return is_new(frame)       ? HR_PATTERN_DOTTED
           : frame->growth > 0 ? HR_PATTERN_RISING
                               : HR_PATTERN_FALLING;
}

static void draw_label(struct hr_plot *plot, const struct box *boxes, int i, double y,
                       double row_height)
{
    const struct box *box = &boxes[i];
    const double size = plot->space.text_size;
    const double baseline = y + row_height * 0.5 + size * 0.35;
    double x = box->x + (box->width > 3 * STRIP_WIDTH ? STRIP_WIDTH + 3 : 1);
    if (box->number > 0) {
        g_autofree char *number = g_strdup_printf("%u", box->number);
        const double width = hr_plot_measure(plot, number);
        const bool alone = box->width < width + STRIP_WIDTH + 6;
        hr_plot_text(plot, alone ? box->x + box->width / 2 : x, baseline, number,
                     alone ? HR_ANCHOR_MIDDLE : HR_ANCHOR_START, HR_PAINT_INK);
        x += width + 4;
    }
    const double room = box->x + box->width - x - 2;
    if (room < 4 * size) {
        return;
    }
    const enum hr_font font = plot->chart->frames[i].suspect ? HR_FONT_SANS_BOLD : HR_FONT_SANS;
    g_autofree char *label = hr_shorten(plot->fonts, font, size, frame_label(plot, boxes, i), room);
    if (label) {
        hr_plot_text(plot, x, baseline, label, HR_ANCHOR_START, HR_PAINT_INK)->font = font;
    }
}

static void draw_frame(struct hr_plot *plot, const struct box *boxes, int i, double row_height)
{
    const struct hr_chart_frame *frame = &plot->chart->frames[i];
    const struct box *box = &boxes[i];
    const double y = box->row * row_height;
    const enum hr_paint paint = hr_theme_difference(frame->growth, fmax(frame->base, frame->final));
    struct hr_scene_item *group = hr_scene_begin(plot->scene, "hr-frame");
    group->index = i;
    group->parent_index = frame->parent_index < 0 ? -1 : boxes[frame->parent_index].shown;
    group->title = frame_title(plot, boxes, i);
    struct hr_scene_item *rectangle = hr_scene_rectangle(
        plot->scene, box->x, y, box->width, row_height - 0.75,
        (struct hr_style){.fill = paint, .stroke = HR_PAINT_PAPER, .line_width = 0.5});
    const bool *unlinked = plot->chart->unlinked_frames;
    if (frame->suspect && !(unlinked && unlinked[i])) {
        rectangle->link = hr_arena_printf(plot->scene->arena, "suspect-%s", frame->suspect);
    }
    const enum hr_pattern pattern = frame_pattern(frame, paint);
    if (pattern != HR_PATTERN_PLAIN && box->width > 2) {
        hr_scene_rectangle(plot->scene, box->x + 0.3, y, fmin(STRIP_WIDTH, box->width - 0.6),
                           row_height - 0.75, (struct hr_style){.fill = paint, .pattern = pattern});
    }
    draw_label(plot, boxes, i, y, row_height);
    hr_scene_end(plot->scene);
}

// A frame that is gone has no width left: a hollow mark in its caller, where there is room.
static void draw_vanished(struct hr_plot *plot, struct box *boxes, int i, double row_height)
{
    const struct hr_chart_frame *frame = &plot->chart->frames[i];
    const int parent = frame->parent_index;
    if (frame->final > 0 || !(frame->base > 0) || parent < 0 || boxes[i].row >= ROWS_MAX) {
        return;
    }
    const double end = boxes[parent].x + boxes[parent].width;
    if (!is_drawn(boxes, boxes[parent].shown) || boxes[parent].cursor + 3.5 > end) {
        return;
    }
    struct hr_scene_item *item = hr_scene_rectangle(
        plot->scene, boxes[parent].cursor + 0.75, boxes[i].row * row_height + 0.5, 2.2,
        row_height - 1.75,
        (struct hr_style){.stroke = HR_PAINT_HEAP, .line_width = 0.6, .dash = HR_DASH_DOTTED});
    item->title = frame_title(plot, boxes, i);
    item->class_name = "hr-vanished";
    boxes[parent].cursor += 3.2;
}

struct candidate {
    int index;
    double weight;
};

static int compare_candidates(const void *a, const void *b)
{
    const struct candidate *first = a;
    const struct candidate *second = b;
    if (first->weight != second->weight) {
        return first->weight < second->weight ? 1 : -1;
    }
    return (first->index > second->index) - (first->index < second->index);
}

// On paper the frames that changed most get numbers, counted in reading order, and a note each.
static void number_frames(struct hr_plot *plot, struct box *boxes)
{
    const struct hr_chart *chart = plot->chart;
    g_autofree struct candidate *candidates = g_new(struct candidate, chart->frames_count + 1);
    unsigned count = 0;
    for (int i = 0; i < (int)chart->frames_count; i++) {
        if (is_drawn(boxes, i) && boxes[i].width >= NUMBER_WIDTH_MIN) {
            candidates[count++] = (struct candidate){i, fabs(chart->frames[i].growth)};
        }
    }
    qsort(candidates, count, sizeof *candidates, compare_candidates);
    for (unsigned i = 0; i < count && i < NUMBERS_MAX; i++) {
        boxes[candidates[i].index].number = 1;
    }
    unsigned number = 0;
    for (int i = 0; i < (int)chart->frames_count; i++) {
        if (boxes[i].number > 0) {
            boxes[i].number = ++number;
            const struct hr_scene_note note = {number, i, get_named(boxes, i)};
            g_array_append_val(plot->scene->notes, note);
        }
    }
}

void hr_chart_layout_flame(struct hr_plot *plot)
{
    const struct hr_chart *chart = plot->chart;
    const double row_height = ceil(plot->space.text_size * 1.7);
    g_autofree struct box *boxes = g_new0(struct box, chart->frames_count + 1);
    count_children(chart, boxes);
    place(plot, boxes);
    if (plot->space.paper) {
        number_frames(plot, boxes);
    }
    int rows = 0;
    for (int i = 0; i < (int)chart->frames_count; i++) {
        if (is_drawn(boxes, i)) {
            draw_frame(plot, boxes, i, row_height);
            rows = MAX(rows, boxes[i].row + 1);
        }
    }
    for (int i = 0; i < (int)chart->frames_count; i++) {
        draw_vanished(plot, boxes, i, row_height);
    }
    plot->scene->height = rows * row_height;
}
