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
    GString *item; // the line of the item that is open; NULL: none
    unsigned step;
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

static void write_line(struct markdown_writer *writer, const char *text, bool end_block)
{
    if (writer->item) {
        g_string_append_printf(writer->item, "%s%s", writer->item->len > 3 ? " " : "", text);
        return;
    }
    hr_lines_add(writer->lines, text);
    if (end_block) {
        hr_lines_end_block(writer->lines);
    }
}

static void write_heading(struct markdown_writer *writer, const struct hr_node *node)
{
    g_autofree char *marks = g_strnfill((gsize)node->level, '#');
    g_autoptr(GString) line = g_string_new(marks);
    g_string_append_c(line, ' ');
    hr_flow_append_inline(line, node, &style);
    hr_lines_end_block(writer->lines);
    hr_lines_add(writer->lines, line->str);
    hr_lines_add_space(writer->lines);
}

static void write_paragraph(struct markdown_writer *writer, const struct hr_node *node)
{
    g_autoptr(GString) line = g_string_new(NULL);
    hr_flow_append_inline(line, node, &style);
    write_line(writer, line->str, true);
}

static void write_code(struct markdown_writer *writer, const struct hr_node *node)
{
    g_autoptr(GString) line = g_string_new(NULL);
    append_symbol(line, node->text);
    write_line(writer, line->str, true);
}

static void write_stack(struct markdown_writer *writer, const struct hr_node *node)
{
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

static void write_facts(struct markdown_writer *writer, const struct hr_node *node)
{
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
    write_line(writer, line->str, true);
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

static void write_table(struct markdown_writer *writer, const struct hr_node *node)
{
    const struct hr_table *table = node->table;
    g_autoptr(GString) head = g_string_new("|");
    g_autoptr(GString) rule = g_string_new("|");
    for (unsigned i = 0; i < table->columns_count; i++) {
        g_string_append_c(head, ' ');
        append_text(head, table->columns[i].title);
        g_string_append(head, " |");
        g_string_append(rule, "---|");
    }
    hr_lines_add(writer->lines, head->str);
    hr_lines_add(writer->lines, rule->str);
    for (unsigned row = 0; row < table->rows_count; row++) {
        append_row(writer, table, row);
    }
    hr_lines_end_block(writer->lines);
    if (table->rest_note) {
        g_autoptr(GString) note = g_string_new(NULL);
        append_text(note, table->rest_note);
        write_line(writer, note->str, true);
    }
}

static void write_chart(struct markdown_writer *writer, const struct hr_node *node)
{
    if (node->chart->kind == HR_CHART_SPARKLINE) {
        g_autoptr(GString) line = g_string_new(NULL);
        hr_flow_append_sparkline(line, &node->chart->series[0], SPARKLINE_COLUMNS);
        write_line(writer, line->str, true);
    }
}

static void enter_item(struct markdown_writer *writer, const struct hr_node *node)
{
    writer->item = g_string_new(NULL);
    writer->step++;
    if (g_strcmp0(node->parent->role, "steps") == 0) {
        g_string_append_printf(writer->item, "%u. ", writer->step);
    } else {
        g_string_append(writer->item, "- ");
    }
}

// True when the node's children are written already.
static bool enter(struct markdown_writer *writer, const struct hr_node *node)
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

static void leave(struct markdown_writer *writer, const struct hr_node *node)
{
    if (node->kind == HR_NODE_ITEM) {
        hr_lines_add(writer->lines, writer->item->str);
        g_string_free(writer->item, TRUE);
        writer->item = NULL;
    } else if (node->kind == HR_NODE_LIST) {
        hr_lines_end_block(writer->lines);
    }
}

bool hr_markdown_write(struct hr_renderer *renderer, const struct hr_document *document,
                       const char *chart, GByteArray *out, GError **error)
{
    (void)renderer;
    (void)chart;
    (void)error;
    HR_AUTO(hr_lines) lines = hr_lines_new();
    struct markdown_writer writer = {.lines = lines};
    struct hr_node_iterator iterator = {.root = document->root};
    while (hr_flow_next_short(&iterator)) {
        if (!iterator.entering) {
            leave(&writer, iterator.node);
        } else if (enter(&writer, iterator.node)) {
            hr_flow_skip(&iterator);
        }
    }
    g_autoptr(GString) last = g_string_new(NULL);
    append_text(last, document->rest_note);
    hr_lines_end_block(lines);
    hr_lines_write(lines, LINES_MAX, last->str, out);
    return true;
}
