// SPDX-License-Identifier: MIT
// Stacks: a line a frame, innermost first, the responsible one marked. A long run of frames that
// are not the program's own is folded; it opens without script.
#include "render/html.h"
#include "render/stack_run.h"

static void write_line(GString *out, const struct hr_stack_line *line)
{
    g_string_append(out, "<li class=\"");
    hr_html_append_text(out, line->kind ? line->kind : "");
    g_string_append(out, line->responsible ? " responsible\">" : "\">");
    hr_html_append_symbol(out, line->function);
    if (line->place) {
        g_string_append(out, " <span class=\"place\">");
        hr_html_append_symbol(out, line->place);
        g_string_append(out, "</span>");
    }
    if (line->note) {
        g_string_append(out, " <span class=\"mark\">");
        hr_html_append_text(out, line->note);
        g_string_append(out, "</span>");
    }
    g_string_append(out, "</li>\n");
}

static void write_lines(GString *out, const struct hr_stack_listing *stack, unsigned first,
                        unsigned end)
{
    for (unsigned i = first; i < end; i++) {
        write_line(out, &stack->lines[i]);
    }
}

void hr_html_write_stack(struct hr_html *html, const struct hr_stack_listing *stack)
{
    g_string_append(html->out, "<ol class=\"stack\">\n");
    struct hr_stack_run run = {0};
    while (hr_stack_run_next(stack, &run)) {
        write_lines(html->out, stack, run.first, run.fold);
        if (run.fold < run.unfold) {
            g_string_append_printf(html->out, "<li class=\"fold\"><details><summary>… %u ",
                                   run.unfold - run.fold);
            hr_html_append_text(html->out, stack->folded_note ? stack->folded_note : "");
            g_string_append(html->out, "</summary><ol>\n");
            write_lines(html->out, stack, run.fold, run.unfold);
            g_string_append(html->out, "</ol></details></li>\n");
        }
        write_lines(html->out, stack, run.unfold, run.end);
    }
    g_string_append(html->out, "</ol>\n");
}
