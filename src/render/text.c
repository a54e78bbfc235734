// SPDX-License-Identifier: MIT
// Plain text for a mail from cron: 80 columns, no marks, nothing that a terminal would obey. Only
// what a template does not call detail, and at most 100 lines: at this width they hold about what
// Markdown, whose lines are as long as they get, says in 60.
#include "render/backend.h"
#include "render/flow.h"
#include "render/lines.h"
#include "render/printable.h"

#include <string.h>

#define WIDTH 80
#define LINES_MAX 100
#define SPARKLINE_COLUMNS 12

struct text_writer {
    struct hr_lines *lines;
    unsigned step;      // number of the item in a list of steps
    const char *marker; // of the item whose first line is still to come; NULL: none
    char marker_text[16];
};

static void append_printable(GString *out, const char *text)
{
    g_autofree char *printable = hr_printable(text);
    g_string_append(out, printable);
}

static const struct hr_flow_style style = {.text = append_printable};

// The start of the next line inside an item: its marker once, then blanks.
static const char *take_marker(struct text_writer *writer)
{
    const char *marker = writer->marker;
    writer->marker = NULL;
    return marker ? marker : writer->marker_text[0] ? "   " : "";
}

static void write_heading(struct text_writer *writer, const struct hr_node *node)
{
    g_autoptr(GString) text = g_string_new(NULL);
    hr_flow_append_inline(text, node, &style);
    hr_lines_end_block(writer->lines);
    hr_lines_add_wrapped(writer->lines, text->str, WIDTH, "", "");
    if (node->level <= 2) {
        g_autofree char *rule = g_strnfill((gsize)MIN(hr_lines_columns(text->str), WIDTH),
                                           node->level == 1 ? '=' : '-');
        hr_lines_add(writer->lines, rule);
    }
}

static void write_paragraph(struct text_writer *writer, const struct hr_node *node)
{
    g_autoptr(GString) text = g_string_new(NULL);
    hr_flow_append_inline(text, node, &style);
    const char *first = take_marker(writer);
    hr_lines_add_wrapped(writer->lines, text->str, WIDTH, first,
                         writer->marker_text[0] ? "   " : "");
    if (!writer->marker_text[0]) {
        hr_lines_end_block(writer->lines);
    }
}

// A command stays in one line, however long: it is there to be pasted.
static void write_code(struct text_writer *writer, const struct hr_node *node)
{
    g_autofree char *printable = hr_printable(node->text);
    g_autofree char *line = g_strconcat("    ", printable, NULL);
    hr_lines_add(writer->lines, line);
    if (!writer->marker_text[0]) {
        hr_lines_end_block(writer->lines);
    }
}

static void write_stack(struct text_writer *writer, const struct hr_node *node)
{
    for (unsigned i = 0; i < node->stack->lines_count; i++) {
        const struct hr_stack_line *line = &node->stack->lines[i];
        g_autoptr(GString) text = g_string_new(NULL);
        append_printable(text, line->function);
        if (line->place) {
            g_string_append(text, "  ");
            append_printable(text, line->place);
        }
        if (line->note) {
            g_string_append_printf(text, "  (%s)", line->note);
        }
        hr_lines_add_wrapped(writer->lines, text->str, WIDTH, line->responsible ? "  > " : "    ",
                             "      ");
    }
    hr_lines_end_block(writer->lines);
}

static void write_chart(struct text_writer *writer, const struct hr_node *node)
{
    if (node->chart->kind != HR_CHART_SPARKLINE) {
        return;
    }
    g_autoptr(GString) text = g_string_new("   ");
    hr_flow_append_sparkline(text, &node->chart->series[0], SPARKLINE_COLUMNS);
    hr_lines_add(writer->lines, text->str);
}

static int widest_label(const struct hr_node *facts)
{
    int widest = 0;
    for (const struct hr_node *fact = facts->first_child; fact; fact = fact->next) {
        widest = MAX(widest, hr_lines_columns(fact->text));
    }
    return widest;
}

static void append_padded(GString *out, const char *text, int columns, bool right)
{
    int missing = MAX(columns - hr_lines_columns(text), 0);
    g_autofree char *blanks = g_strnfill((gsize)missing, ' ');
    g_string_append(out, right ? blanks : text);
    g_string_append(out, right ? text : blanks);
}

// One fact a line: label, value, change.
static void write_facts(struct text_writer *writer, const struct hr_node *node)
{
    int label_columns = MIN(widest_label(node), WIDTH / 2);
    for (const struct hr_node *fact = node->first_child; fact; fact = fact->next) {
        g_autoptr(GString) line = g_string_new("  ");
        g_autoptr(GString) value = g_string_new(NULL);
        g_autofree char *label = hr_printable(fact->text);
        append_padded(line, label, label_columns, false);
        hr_flow_append_value(value, &fact->value, &style);
        g_string_append(line, "  ");
        append_padded(line, value->str, 12, true);
        if (fact->change.kind == HR_VALUE_NUMBER) {
            g_string_append(line, "  ");
            hr_flow_append_value(line, &fact->change, &style);
        }
        hr_lines_add_wrapped(writer->lines, line->str + 2, WIDTH, "  ", "      ");
    }
    hr_lines_end_block(writer->lines);
}

// A table is one row a line, "title: value" for each cell that says something.
static void write_table(struct text_writer *writer, const struct hr_node *node)
{
    const struct hr_table *table = node->table;
    for (unsigned row = 0; row < table->rows_count; row++) {
        g_autoptr(GString) line = g_string_new(NULL);
        for (unsigned column = 0; column < table->columns_count; column++) {
            g_autoptr(GString) cell = g_string_new(NULL);
            hr_flow_append_value(cell, &table->cells[row * table->columns_count + column], &style);
            if (cell->len > 0) {
                const char *title =
                    table->columns[column].row_header ? "" : table->columns[column].title;
                g_string_append_printf(line, "%s%s%s%s", line->len ? "  " : "", title,
                                       *title ? " " : "", cell->str);
            }
        }
        hr_lines_add_wrapped(writer->lines, line->str, WIDTH, "  ", "      ");
    }
    if (table->rest_note) {
        hr_lines_add_wrapped(writer->lines, table->rest_note, WIDTH, "  ", "      ");
    }
    hr_lines_end_block(writer->lines);
}

static void enter_item(struct text_writer *writer, const struct hr_node *node)
{
    bool numbered = g_strcmp0(node->parent->role, "steps") == 0;
    g_snprintf(writer->marker_text, sizeof writer->marker_text, numbered ? "%u. " : " - ",
               ++writer->step);
    writer->marker = writer->marker_text;
}

// True when the node's children are written already.
static bool enter(struct text_writer *writer, const struct hr_node *node)
{
    switch (node->kind) {
    case HR_NODE_HEADING:
        write_heading(writer, node);
        return true;
    case HR_NODE_PARAGRAPH:
        write_paragraph(writer, node);
        return true;
    case HR_NODE_CODE:
        write_code(writer, node);
        return true;
    case HR_NODE_STACK:
        write_stack(writer, node);
        return true;
    case HR_NODE_CHART:
        write_chart(writer, node);
        return true;
    case HR_NODE_FACTS:
        write_facts(writer, node);
        return true;
    case HR_NODE_TABLE:
        write_table(writer, node);
        return true;
    case HR_NODE_LIST:
        writer->step = 0;
        return false;
    case HR_NODE_ITEM:
        enter_item(writer, node);
        return false;
    case HR_NODE_DOCUMENT:
    case HR_NODE_SECTION:
    case HR_NODE_CALLOUT:
    case HR_NODE_FACT:
    case HR_NODE_TEXT:
    case HR_NODE_STRONG:
    case HR_NODE_SYMBOL:
    case HR_NODE_LINK:
    case HR_NODE_VALUE:
        return false;
    }
    g_assert_not_reached();
}

static void leave(struct text_writer *writer, const struct hr_node *node)
{
    if (node->kind == HR_NODE_ITEM) {
        writer->marker_text[0] = '\0';
        writer->marker = NULL;
    } else if (node->kind == HR_NODE_LIST) {
        hr_lines_end_block(writer->lines);
    }
}

bool hr_text_write(struct hr_renderer *renderer, const struct hr_document *document,
                   const char *chart, GByteArray *out, GError **error)
{
    (void)renderer;
    (void)chart;
    (void)error;
    HR_AUTO(hr_lines) lines = hr_lines_new();
    struct text_writer writer = {.lines = lines};
    struct hr_node_iterator iterator = {.root = document->root};
    while (hr_flow_next_short(&iterator)) {
        if (!iterator.entering) {
            leave(&writer, iterator.node);
        } else if (enter(&writer, iterator.node)) {
            hr_flow_skip(&iterator);
        }
    }
    hr_lines_end_block(lines);
    hr_lines_write(lines, LINES_MAX, document->rest_note, out);
    return true;
}
