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
    unsigned depth;  // of the item that is open; 0: none
    GString *marker; // of that item, "" once its first line is written
    GString *indent; // of its other lines
};

static void append_printable(GString *out, const char *text)
{
    g_autofree char *printable = hr_printable(text);
    g_string_append(out, printable);
}

static const struct hr_flow_style style = {.text = append_printable};

static void write_wrapped(struct text_writer *writer, const char *text)
{
    const bool first = writer->marker->len > 0;
    hr_lines_add_wrapped(writer->lines, text, WIDTH,
                         first ? writer->marker->str : writer->indent->str, writer->indent->str);
    g_string_truncate(writer->marker, 0);
}

static void write_heading(void *to, const struct hr_node *node)
{
    const struct text_writer *writer = to;
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

static void write_paragraph(void *to, const struct hr_node *node)
{
    struct text_writer *writer = to;
    g_autoptr(GString) text = g_string_new(NULL);
    hr_flow_append_inline(text, node, &style);
    write_wrapped(writer, text->str);
    if (writer->depth == 0) {
        hr_lines_end_block(writer->lines);
    }
}

// A command stays in one line, however long: it is there to be pasted.
static void write_code(void *to, const struct hr_node *node)
{
    const struct text_writer *writer = to;
    g_autofree char *printable = hr_printable(node->text);
    g_autofree char *line = g_strconcat("    ", printable, NULL);
    hr_lines_add(writer->lines, line);
    if (writer->depth == 0) {
        hr_lines_end_block(writer->lines);
    }
}

static void write_stack(void *to, const struct hr_node *node)
{
    const struct text_writer *writer = to;
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

static void write_chart(void *to, const struct hr_node *node)
{
    const struct text_writer *writer = to;
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
static void write_facts(void *to, const struct hr_node *node)
{
    const struct text_writer *writer = to;
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
static void write_table(void *to, const struct hr_node *node)
{
    const struct text_writer *writer = to;
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

// Deep enough for a reader; deeper ones stand below each other.
static unsigned indent_columns(unsigned depth)
{
    return 3 * MIN(depth, 8);
}

static void set_depth(struct text_writer *writer, unsigned depth)
{
    writer->depth = depth;
    g_string_printf(writer->indent, "%*s", (int)indent_columns(depth), "");
    g_string_truncate(writer->marker, 0);
}

static void begin_item(void *to, unsigned depth, unsigned number)
{
    struct text_writer *writer = to;
    const int columns = (int)indent_columns(depth - 1);
    set_depth(writer, depth);
    if (number > 0) {
        g_string_printf(writer->marker, "%*s%u. ", columns, "", number);
    } else {
        g_string_printf(writer->marker, "%*s - ", columns, "");
    }
}

static void end_item(void *to, unsigned depth)
{
    set_depth(to, depth - 1);
}

static const struct hr_flow_blocks blocks = {
    .write =
        {
            [HR_NODE_HEADING] = write_heading,
            [HR_NODE_PARAGRAPH] = write_paragraph,
            [HR_NODE_CODE] = write_code,
            [HR_NODE_STACK] = write_stack,
            [HR_NODE_CHART] = write_chart,
            [HR_NODE_FACTS] = write_facts,
            [HR_NODE_TABLE] = write_table,
        },
    .begin_item = begin_item,
    .end_item = end_item,
};

bool hr_text_write(struct hr_renderer *renderer, const struct hr_document *document,
                   const char *chart, GByteArray *out, GError **error)
{
    (void)renderer;
    (void)chart;
    (void)error;
    HR_AUTO(hr_lines) lines = hr_lines_new();
    g_autoptr(GString) marker = g_string_new(NULL);
    g_autoptr(GString) indent = g_string_new(NULL);
    struct text_writer writer = {.lines = lines, .marker = marker, .indent = indent};
    hr_flow_write_short(document, &blocks, &writer, lines);
    hr_lines_end_block(lines);
    hr_lines_write(lines, LINES_MAX, document->rest_note, out);
    return true;
}
