// SPDX-License-Identifier: MIT
// Stacks: a line a frame, innermost first, the responsible one marked. On paper a long run of
// frames that are not the program's own is folded into one line that counts them; places are
// shortened in the middle to stay beside their function.
#include "render/page/composer.h"
#include "render/stack_run.h"

#include <math.h>
#include <string.h>

#define LINE_HEIGHT 11.5
#define HANG 14.0
#define PLACE_ROOM_MIN 90.0
#define SMALL_SCALE 0.94
#define KEPT_LINES_MAX 24u

static const struct hr_passage_style small = {
    .font = HR_FONT_SANS, .scale = SMALL_SCALE, .paint = HR_PAINT_MUTED, .symbol = true};

// What is left of the line beside the function and the note.
static double place_room(struct hr_page_composer *composer, const struct hr_stack_line *line,
                         enum hr_font font)
{
    const struct hr_page_context *context = hr_page_context(composer);
    const double size = HR_TYPE_STACK * SMALL_SCALE;
    double used = hr_fonts_measure(composer->fonts, font, HR_TYPE_STACK,
                                   line->function ? line->function : "");
    used += hr_fonts_measure(composer->fonts, HR_FONT_SANS, size, "    · ");
    if (line->note) {
        used += hr_fonts_measure(composer->fonts, HR_FONT_SANS_BOLD, size, line->note);
    }
    return context->right - context->left - used - 2;
}

static struct hr_passage *frame_passage(struct hr_page_composer *composer,
                                        const struct hr_stack_line *line)
{
    const enum hr_font font = line->responsible ? HR_FONT_MONO_BOLD : HR_FONT_MONO;
    struct hr_passage *text = hr_page_text(composer, font, HR_TYPE_STACK, LINE_HEIGHT);
    const enum hr_paint paint = hr_stack_line_is_own(line) ? HR_PAINT_INK : HR_PAINT_MUTED;
    hr_passage_append(text, line->function ? line->function : "",
                      (struct hr_passage_style){.font = font, .paint = paint, .symbol = true});
    if (line->place) {
        const double room = place_room(composer, line, font);
        hr_passage_append(text, "  ", small);
        text->symbol_room = room >= PLACE_ROOM_MIN ? room : 0;
        hr_passage_append(text, line->place, small);
        text->symbol_room = 0;
    }
    if (line->note) {
        hr_passage_append(text, "  · ", small);
        hr_passage_append(text, line->note,
                          (struct hr_passage_style){.font = HR_FONT_SANS_BOLD,
                                                    .scale = SMALL_SCALE,
                                                    .paint = HR_PAINT_MUTED,
                                                    .whole = true});
    }
    return text;
}

static void draw_lines(struct hr_page_composer *composer, struct hr_passage *text, int list,
                       bool responsible)
{
    const struct hr_page_context *context = hr_page_context(composer);
    hr_passage_break(text, context->right - context->left, HANG);
    const int tag = hr_page_tag(composer, "P", hr_page_tag(composer, "LI", list));
    hr_page_get_tag(composer, tag)->pieces = true;
    for (unsigned i = 0; i < text->lines_count; i++) {
        hr_page_strip(composer, text->line_height)->keep_with_next = i + 1 < text->lines_count;
        if (responsible) {
            const enum hr_paint mark =
                context->mark != HR_PAINT_NONE ? context->mark : HR_PAINT_ACCENT;
            hr_page_rectangle(composer, context->left - 8, 0, 3, text->line_height, mark);
        }
        hr_page_line(composer, text, i, context->left, 0, tag);
    }
}

static void draw_fold(struct hr_page_composer *composer, unsigned count, const char *note, int list)
{
    struct hr_passage *text = hr_page_text(composer, HR_FONT_SANS, HR_TYPE_STACK, LINE_HEIGHT);
    g_autofree char *words = g_strdup_printf("… %u %s", count, note ? note : "");
    hr_passage_append(text, words, (struct hr_passage_style){.paint = HR_PAINT_MUTED});
    draw_lines(composer, text, list, false);
}

static void draw_frames(struct hr_page_composer *composer, const struct hr_stack_listing *stack,
                        unsigned first, unsigned end, int list)
{
    for (unsigned i = first; i < end; i++) {
        draw_lines(composer, frame_passage(composer, &stack->lines[i]), list,
                   stack->lines[i].responsible);
    }
}

void hr_page_stack(struct hr_page_composer *composer, const struct hr_node *node)
{
    const struct hr_stack_listing *stack = node->stack;
    if (!stack || stack->lines_count == 0) {
        return;
    }
    hr_page_space(composer, 3);
    const guint begin = composer->strips->strips->len;
    hr_page_enter_panel(composer, 11);
    const int list = hr_page_tag(composer, "L", hr_page_context(composer)->tag);
    struct hr_stack_run run = {0};
    while (hr_stack_run_next(stack, &run)) {
        draw_frames(composer, stack, run.first, run.fold, list);
        if (run.fold < run.unfold) {
            draw_fold(composer, run.unfold - run.fold, stack->folded_note, list);
        }
        draw_frames(composer, stack, run.unfold, run.end, list);
    }
    hr_page_leave_panel(composer);
    if (composer->strips->strips->len - begin <= KEPT_LINES_MAX) {
        hr_page_keep(composer, begin);
    }
    hr_page_space(composer, 6);
}
