// SPDX-License-Identifier: MIT
// Markdown to paste into a ticket: at most 60 lines, only what a template does not call detail.
// Names are code, and no character of a text is taken for a mark.
#include "render/backend.h"
#include "render/flow.h"
#include "render/lines.h"
#include "render/printable.h"

#include <string.h>

#define LINES_MAX 60
#define SPARKLINE_COLUMNS 12

struct markdown_writer {
    struct hr_lines *lines;
    unsigned depth;   // of the item that is open; 0: none
    GString *item;    // what stands in its line so far
    size_t mark_size; // of the bullet or number at the start of it; 0: the line is written
};

// "@" would call a person and "#7" another ticket, so both are written as entities.
static void append_text(GString *out, const char *text)
{
    g_autofree char *printable = hr_printable(text);
    for (const char *p = printable; *p; p++) {
        if (*p == '<' || *p == '&') {
            g_string_append(out, *p == '<' ? "&lt;" : "&amp;");
        } else if (*p == '@' || *p == '#') {
            g_string_append_printf(out, "&#%d;", *p);
        } else {
            g_string_append_printf(out, strchr("\\`*_[]|~>", *p) ? "\\%c" : "%c", *p);
        }
    }
}

static size_t longest_fence(const char *text)
{
    size_t longest = 0;
    for (const char *p = strchr(text, '`'); p; p = strchr(p, '`')) {
        size_t run = strspn(p, "`");
        longest = MAX(longest, run);
        p += run;
    }
    return longest;
}

// A code span is fenced by one more backquote than it holds; a bar would still end a table's cell.
static void append_symbol(GString *out, const char *text)
{
    g_autofree char *printable = hr_printable(text);
    g_autofree char *fence = g_strnfill(longest_fence(printable) + 1, '`');
    bool edge = *printable == '`' || g_str_has_suffix(printable, "`");
    g_autoptr(GString) inside = g_string_new(printable);
    g_string_replace(inside, "|", "\\|", 0);
    g_string_append_printf(out, "%s%s%s%s%s", fence, edge ? " " : "", inside->str, edge ? " " : "",
                           fence);
}

static const struct hr_flow_style style = {
    .text = append_text, .symbol = append_symbol, .strong_begin = "**", .strong_end = "**"};

static void flush_item(struct markdown_writer *writer)
{
    if (writer->mark_size > 0) {
        hr_lines_add(writer->lines, writer->item->str);
        writer->mark_size = 0;
    }
}

static void begin_line(struct markdown_writer *writer, unsigned depth, const char *mark)
{
    g_autofree char *indent = g_strnfill((gsize)3 * depth, ' ');
    g_string_printf(writer->item, "%s%s", indent, mark);
    writer->mark_size = MAX(writer->item->len, 1);
}

// What an item holds stands in one line, as far as it is no block of lines of its own.
static void write_line(struct markdown_writer *writer, const char *text)
{
    if (writer->depth == 0) {
        hr_lines_add(writer->lines, text);
        hr_lines_end_block(writer->lines);
        return;
    }
    if (writer->mark_size == 0) {
        hr_lines_add_space(writer->lines); // else it would go on with the list above it
        begin_line(writer, writer->depth, "");
    }
    g_string_append_printf(writer->item, "%s%s", writer->item->len > writer->mark_size ? " " : "",
                           text);
}

static void write_heading(void *to, const struct hr_node *node)
{
    struct markdown_writer *writer = to;
    g_autofree char *marks = g_strnfill((gsize)node->level, '#');
    g_autoptr(GString) line = g_string_new(marks);
    g_string_append_c(line, ' ');
    hr_flow_append_inline(line, node, &style);
    hr_lines_end_block(writer->lines);
    hr_lines_add(writer->lines, line->str);
    hr_lines_add_space(writer->lines);
}

static void write_paragraph(void *to, const struct hr_node *node)
{
    struct markdown_writer *writer = to;
    g_autoptr(GString) line = g_string_new(NULL);
    hr_flow_append_inline(line, node, &style);
    write_line(writer, line->str);
}

static void write_code(void *to, const struct hr_node *node)
{
    struct markdown_writer *writer = to;
    g_autoptr(GString) line = g_string_new(NULL);
    append_symbol(line, node->text);
    write_line(writer, line->str);
}

static void write_stack(void *to, const struct hr_node *node)
{
    struct markdown_writer *writer = to;
    flush_item(writer);
    hr_lines_add(writer->lines, "```");
    for (unsigned i = 0; i < node->stack->lines_count; i++) {
        const struct hr_stack_line *line = &node->stack->lines[i];
        g_autofree char *function = hr_printable(line->function);
        g_autofree char *place = hr_printable(line->place ? line->place : "");
        g_autoptr(GString) text = g_string_new(line->responsible ? "> " : "  ");
        g_string_append_printf(text, "%s  %s", function, place);
        if (line->note) {
            g_string_append_printf(text, "  (%s)", line->note);
        }
        // A name that is a fence would end the block.
        g_string_replace(text, "```", "'''", 0);
        hr_lines_add(writer->lines, text->str);
    }
    hr_lines_add(writer->lines, "```");
    hr_lines_end_block(writer->lines);
}

static void write_key_facts(struct markdown_writer *writer, const struct hr_node *node)
{
    flush_item(writer);
    hr_lines_add(writer->lines, "| | | |");
    hr_lines_add(writer->lines, "|:--|--:|--:|");
    for (const struct hr_node *fact = node->first_child; fact; fact = fact->next) {
        g_autoptr(GString) line = g_string_new("| ");
        append_text(line, fact->text);
        g_string_append(line, " | **");
        hr_flow_append_value(line, &fact->value, &style);
        g_string_append(line, "** | ");
        if (fact->change.kind == HR_VALUE_NUMBER) {
            hr_flow_append_value(line, &fact->change, &style);
        }
        g_string_append(line, " |");
        hr_lines_add(writer->lines, line->str);
    }
    hr_lines_end_block(writer->lines);
}

static void write_facts(void *to, const struct hr_node *node)
{
    struct markdown_writer *writer = to;
    if (g_strcmp0(node->role, "key") == 0) {
        write_key_facts(writer, node);
        return;
    }
    g_autoptr(GString) line = g_string_new(NULL);
    for (const struct hr_node *fact = node->first_child; fact; fact = fact->next) {
        append_text(line, fact->text);
        g_string_append(line, " **");
        hr_flow_append_value(line, &fact->value, &style);
        g_string_append(line, fact->next ? "** · " : "**");
    }
    write_line(writer, line->str);
}

static void append_row(struct markdown_writer *writer, const struct hr_table *table, unsigned row)
{
    g_autoptr(GString) line = g_string_new("|");
    for (unsigned i = 0; i < table->columns_count; i++) {
        g_string_append_c(line, ' ');
        hr_flow_append_value(line, &table->cells[(size_t)row * table->columns_count + i], &style);
        g_string_append(line, " |");
    }
    hr_lines_add(writer->lines, line->str);
}

static void write_table(void *to, const struct hr_node *node)
{
    struct markdown_writer *writer = to;
    const struct hr_table *table = node->table;
    g_autoptr(GString) head = g_string_new("|");
    g_autoptr(GString) rule = g_string_new("|");
    for (unsigned i = 0; i < table->columns_count; i++) {
        g_string_append_c(head, ' ');
        append_text(head, table->columns[i].title);
        g_string_append(head, " |");
        g_string_append(rule, "---|");
    }
    flush_item(writer);
    hr_lines_add(writer->lines, head->str);
    hr_lines_add(writer->lines, rule->str);
    for (unsigned row = 0; row < table->rows_count; row++) {
        append_row(writer, table, row);
    }
    hr_lines_end_block(writer->lines);
    if (table->rest_note) {
        g_autoptr(GString) note = g_string_new(NULL);
        append_text(note, table->rest_note);
        write_line(writer, note->str);
    }
}

static void write_chart(void *to, const struct hr_node *node)
{
    struct markdown_writer *writer = to;
    if (node->chart->kind == HR_CHART_SPARKLINE) {
        g_autoptr(GString) line = g_string_new(NULL);
        hr_flow_append_sparkline(line, &node->chart->series[0], SPARKLINE_COLUMNS);
        write_line(writer, line->str);
    }
}

static void begin_item(void *to, unsigned depth, unsigned number)
{
    struct markdown_writer *writer = to;
    g_autofree char *mark = number > 0 ? g_strdup_printf("%u. ", number) : g_strdup("- ");
    flush_item(writer); // of the item around
    begin_line(writer, depth - 1, mark);
    writer->depth = depth;
}

static void end_item(void *to, unsigned depth)
{
    struct markdown_writer *writer = to;
    flush_item(writer);
    writer->depth = depth - 1;
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

bool hr_markdown_write(struct hr_renderer *renderer, const struct hr_document *document,
                       const char *chart, GByteArray *out, GError **error)
{
    (void)renderer;
    (void)chart;
    (void)error;
    HR_AUTO(hr_lines) lines = hr_lines_new();
    g_autoptr(GString) item = g_string_new(NULL);
    struct markdown_writer writer = {.lines = lines, .item = item};
    hr_flow_write_short(document, &blocks, &writer, lines);
    g_autoptr(GString) last = g_string_new(NULL);
    append_text(last, document->rest_note);
    hr_lines_end_block(lines);
    hr_lines_write(lines, LINES_MAX, last->str, out);
    return true;
}
