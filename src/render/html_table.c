// SPDX-License-Identifier: MIT
// Tables with scoped heads; each number carries its raw value, by which the script sorts.
#include "document/value.h"
#include "render/html.h"

#define DEPTH_MAX 12 // of the classes d1, d2... in the style sheet

static bool is_number_column(const struct hr_table *table, unsigned column)
{
    if (hr_value_key_is_number(table->columns[column].key)) {
        return true;
    }
    // A column of mixed units is known by its cells.
    const struct hr_value *first = table->cells + column;
    return table->rows_count > 0 && first->kind == HR_VALUE_NUMBER;
}

static void write_head(struct hr_html *html, const struct hr_table *table)
{
    g_string_append(html->out, "<thead><tr>");
    for (unsigned i = 0; i < table->columns_count; i++) {
        const char *class_name = is_number_column(table, i) ? " class=\"n\"" : "";
        if (*table->columns[i].title) {
            g_string_append_printf(html->out, "<th scope=\"col\"%s>", class_name);
            hr_html_append_text(html->out, table->columns[i].title);
            g_string_append(html->out, "</th>");
        } else {
            g_string_append_printf(html->out, "<td%s></td>", class_name);
        }
    }
    g_string_append(html->out, "</tr></thead>\n");
}

static void append_class(GString *out, const struct hr_table *table, unsigned column,
                         const struct hr_value *cell)
{
    if (cell->depth > 0) {
        g_string_append_printf(out, " class=\"d%u\"", MIN(cell->depth, DEPTH_MAX));
    } else if (is_number_column(table, column)) {
        g_string_append(out, " class=\"n\"");
    } else if (table->columns[column].weight == 0) {
        g_string_append(out, " class=\"short\"");
    }
}

static void write_cell(struct hr_html *html, const struct hr_table *table, unsigned row,
                       unsigned column)
{
    const struct hr_value *cell = &table->cells[(size_t)row * table->columns_count + column];
    bool is_empty = cell->kind == HR_VALUE_TEXT && !*cell->text;
    bool head = table->columns[column].row_header && !is_empty;
    g_string_append(html->out, head ? "<th scope=\"row\"" : "<td");
    append_class(html->out, table, column, cell);
    if (cell->kind == HR_VALUE_NUMBER) {
        char buffer[G_ASCII_DTOSTR_BUF_SIZE];
        g_ascii_formatd(buffer, sizeof buffer, "%.15g", cell->number.value);
        hr_html_append_attribute(html->out, "data-v", buffer);
    }
    g_string_append_c(html->out, '>');
    if (cell->link) {
        hr_html_begin_link(html, cell->link);
    }
    hr_html_append_value(html->out, cell);
    g_string_append(html->out, cell->link ? "</a>" : "");
    g_string_append(html->out, head ? "</th>" : "</td>");
}

static void write_rows(struct hr_html *html, const struct hr_table *table, unsigned first,
                       unsigned end, const char *part)
{
    if (first == end) {
        return;
    }
    g_string_append_printf(html->out, "<%s>\n", part);
    for (unsigned row = first; row < end; row++) {
        g_string_append(html->out, "<tr>");
        for (unsigned column = 0; column < table->columns_count; column++) {
            write_cell(html, table, row, column);
        }
        g_string_append(html->out, "</tr>\n");
    }
    g_string_append_printf(html->out, "</%s>\n", part);
}

void hr_html_write_table(struct hr_html *html, const struct hr_node *node)
{
    const struct hr_table *table = node->table;
    unsigned region = ++html->regions_count;
    unsigned body_end = table->rows_count - table->foot_count;
    // Wide tables scroll inside a region that the keyboard reaches.
    g_string_append_printf(html->out,
                           "<div class=\"table\" role=\"region\" tabindex=\"0\" "
                           "aria-labelledby=\"caption-%u\"><table",
                           region);
    hr_html_append_attribute(html->out, "id", node->id);
    hr_html_append_attribute(html->out, "class", table->is_tree ? "tree" : NULL);
    g_string_append_printf(html->out, "><caption id=\"caption-%u\">", region);
    hr_html_append_text(html->out, table->caption ? table->caption : "");
    g_string_append(html->out, "</caption>\n");
    write_head(html, table);
    write_rows(html, table, 0, body_end, "tbody");
    write_rows(html, table, body_end, table->rows_count, "tfoot");
    g_string_append(html->out, "</table>");
    if (table->rest_note) {
        g_string_append(html->out, "<p class=\"note\">");
        hr_html_append_text(html->out, table->rest_note);
        g_string_append(html->out, "</p>");
    }
    g_string_append(html->out, "</div>\n");
}
