// SPDX-License-Identifier: MIT
// Tables: column widths from what the cells hold, numbers flush right, the head repeated on each
// page, the row that sums set apart.
#include "render/page/composer.h"

#include "document/value.h"
#include "render/shorten.h"

#include <math.h>
#include <string.h>

#define COLUMNS_MAX 32
#define GAP 9.0
#define LINE 10.6
#define ROW_PADDING 2.6
#define CELL_LINES_MAX 6
#define NAME_LINES_MAX 3
#define NARROW_MAX 120.0
#define WIDE_MIN 60.0
#define INDENT 9.0
#define INDENT_SHARE_MAX 0.5 // of the column: what stands deeper is indented no further

struct grid {
    const struct hr_table *table;
    unsigned columns;
    bool has_head;
    double natural[COLUMNS_MAX]; // as wide as the widest cell
    double width[COLUMNS_MAX];
    double x[COLUMNS_MAX];
    int tag;
};

static bool is_number(const struct hr_column *column)
{
    return column->key && hr_value_key_is_number(column->key);
}

static const struct hr_value *get_cell(const struct grid *grid, unsigned row, unsigned column)
{
    return &grid->table->cells[(size_t)row * grid->table->columns_count + column];
}

static bool is_blank(const struct hr_value *value)
{
    return value->kind == HR_VALUE_TEXT && value->text && !*value->text;
}

// Words may run on over the blank cells behind them ("212 smaller rows, together"): the columns
// that a cell takes.
static unsigned get_span(const struct grid *grid, unsigned row, unsigned column)
{
    unsigned span = 1;
    if (get_cell(grid, row, column)->kind == HR_VALUE_TEXT) {
        while (column + span < grid->columns && is_blank(get_cell(grid, row, column + span))) {
            span++;
        }
    }
    return span;
}

static double get_width(const struct grid *grid, unsigned row, unsigned column)
{
    const unsigned last = column + get_span(grid, row, column) - 1;
    return grid->x[last] + grid->width[last] - grid->x[column];
}

static double get_indent(const struct grid *grid, unsigned row, unsigned column)
{
    return fmin(INDENT * get_cell(grid, row, column)->depth,
                floor(INDENT_SHARE_MAX * grid->width[column]));
}

static bool is_total(const struct grid *grid, unsigned row)
{
    return grid->table->last_row_is_total && row + 1 == grid->table->rows_count;
}

static struct hr_passage *cell_text(struct hr_page_composer *composer, const struct grid *grid,
                                    unsigned row, const struct hr_value *value)
{
    const enum hr_font font = is_total(grid, row) ? HR_FONT_SANS_BOLD : HR_FONT_SANS;
    struct hr_passage *text = hr_page_text(composer, font, HR_TYPE_TABLE, LINE);
    text->tabular = true;
    hr_page_append_value(text, value,
                         (struct hr_passage_style){.font = font, .paint = HR_PAINT_INK});
    return text;
}

static struct hr_passage *head_text(struct hr_page_composer *composer,
                                    const struct hr_column *column)
{
    struct hr_passage *text = hr_page_text(composer, HR_FONT_SANS_BOLD, HR_TYPE_SMALL, 9.8);
    hr_passage_append(
        text, column->title ? column->title : "",
        (struct hr_passage_style){.font = HR_FONT_SANS_BOLD, .paint = HR_PAINT_MUTED});
    return text;
}

// A head may break into two lines, and asks for the room of its longest word.
static double head_width(struct hr_page_composer *composer, const char *title)
{
    const enum hr_font font = HR_FONT_SANS_BOLD;
    double width = 0.6 * hr_fonts_measure(composer->fonts, font, HR_TYPE_SMALL, title);
    g_auto(GStrv) words = g_strsplit(title, " ", -1);
    for (char **word = words; *word; word++) {
        width = fmax(width, hr_fonts_measure(composer->fonts, font, HR_TYPE_SMALL, *word));
    }
    return ceil(width);
}

static void measure(struct hr_page_composer *composer, struct grid *grid)
{
    for (unsigned column = 0; column < grid->columns; column++) {
        const char *title = grid->table->columns[column].title;
        grid->natural[column] = head_width(composer, title ? title : "");
        grid->has_head |= title && *title;
        for (unsigned row = 0; row < grid->table->rows_count; row++) {
            if (get_span(grid, row, column) > 1) {
                continue;
            }
            struct hr_passage *text = cell_text(composer, grid, row, get_cell(grid, row, column));
            hr_passage_break(text, 0, 0);
            const double indent = INDENT * get_cell(grid, row, column)->depth;
            grid->natural[column] =
                fmax(grid->natural[column], ceil(hr_passage_width(text) + indent) + 1);
            // measured only: the text that is drawn is broken at the final width
            g_ptr_array_set_size(composer->strips->texts, (int)composer->strips->texts->len - 1);
        }
    }
}

// Narrow columns take what they need, wide ones share the rest by weight; what a wide one does not
// need goes to the others.
static void share_width(struct grid *grid, double available)
{
    double wanted_wide = 0;
    double weights = 0;
    double rest = available - GAP * (grid->columns - 1);
    for (unsigned i = 0; i < grid->columns; i++) {
        const int weight = grid->table->columns[i].weight;
        weights += weight;
        wanted_wide += weight > 0 ? fmin(grid->natural[i], WIDE_MIN) : 0;
    }
    double narrow = 0;
    for (unsigned i = 0; i < grid->columns; i++) {
        if (grid->table->columns[i].weight == 0) {
            grid->width[i] = fmin(grid->natural[i], weights > 0 ? NARROW_MAX : rest);
            narrow += grid->width[i];
        }
    }
    const double room = rest - wanted_wide;
    for (unsigned i = 0; i < grid->columns && narrow > room; i++) {
        if (grid->table->columns[i].weight == 0) {
            grid->width[i] *= room / narrow;
        }
    }
    rest -= fmin(narrow, room);
    bool settled[COLUMNS_MAX] = {false};
    for (bool again = true; again && weights > 0;) {
        again = false;
        for (unsigned i = 0; i < grid->columns; i++) {
            const int weight = grid->table->columns[i].weight;
            if (weight > 0 && !settled[i] && grid->natural[i] <= rest * weight / weights) {
                grid->width[i] = grid->natural[i];
                rest -= grid->width[i];
                weights -= weight;
                settled[i] = again = true;
            }
        }
    }
    for (unsigned i = 0; i < grid->columns; i++) {
        if (grid->table->columns[i].weight > 0 && !settled[i]) {
            grid->width[i] = floor(rest * grid->table->columns[i].weight / weights);
        }
    }
}

// The table is as wide as the column: what is left over goes to the first wide column.
static void place_columns(struct grid *grid, double left, double available)
{
    double used = GAP * (grid->columns - 1);
    int widest = -1;
    for (unsigned i = 0; i < grid->columns; i++) {
        used += grid->width[i];
        if (widest < 0 && grid->table->columns[i].weight > 0) {
            widest = (int)i;
        }
    }
    if (widest >= 0 && used < available) {
        grid->width[widest] += available - used;
    }
    double x = left;
    for (unsigned i = 0; i < grid->columns; i++) {
        grid->x[i] = x;
        x += grid->width[i] + GAP;
    }
}

// A cell that takes more lines than it may is shortened; the ellipsis says so. Words break where
// they can, so that the lines do not hold as much as they are wide.
static struct hr_passage *broken_cell(struct hr_page_composer *composer, const struct grid *grid,
                                      unsigned row, unsigned column)
{
    const struct hr_value *value = get_cell(grid, row, column);
    const unsigned lines_max = value->kind == HR_VALUE_SYMBOL ? NAME_LINES_MAX : CELL_LINES_MAX;
    const double width = get_width(grid, row, column) - get_indent(grid, row, column);
    struct hr_passage *text = cell_text(composer, grid, row, value);
    hr_passage_break(text, width, 0);
    for (double lines = lines_max; text->lines_count > lines_max && lines > 1; lines -= 0.25) {
        const enum hr_font font = value->kind == HR_VALUE_SYMBOL ? HR_FONT_MONO : text->font;
        struct hr_value shorter = *value;
        g_autofree char *cut = hr_shorten(composer->fonts, font, HR_TYPE_TABLE,
                                          value->text ? value->text : "", lines * width);
        shorter.text = cut;
        text = cell_text(composer, grid, row, cut ? &shorter : value);
        hr_passage_break(text, width, 0);
    }
    return text;
}

static void draw_cell(struct hr_page_composer *composer, const struct grid *grid, unsigned column,
                      const struct hr_passage *text, double indent, double y, int tag)
{
    for (unsigned line = 0; line < text->lines_count; line++) {
        const double shift = is_number(&grid->table->columns[column])
                                 ? grid->width[column] - hr_passage_line_width(text, line)
                                 : indent;
        hr_page_line(composer, text, line, grid->x[column] + shift, y + line * text->line_height,
                     tag);
    }
}

static bool has_link(const struct hr_passage *text)
{
    return text->spans->len > 0 &&
           g_array_index(text->spans, struct hr_passage_span, 0).style.target != NULL;
}

static void draw_head(struct hr_page_composer *composer, const struct grid *grid)
{
    const struct hr_page_context *context = hr_page_context(composer);
    const struct hr_passage *texts[COLUMNS_MAX];
    double height = 0;
    for (unsigned i = 0; i < grid->columns; i++) {
        struct hr_passage *text = head_text(composer, &grid->table->columns[i]);
        hr_passage_break(text, grid->width[i], 0);
        texts[i] = text;
        height = fmax(height, text->lines_count * text->line_height);
    }
    hr_page_strip(composer, height + ROW_PADDING + 1)->keep_with_next = true;
    const int row = hr_page_tag(composer, "TR", grid->tag);
    for (unsigned i = 0; i < grid->columns; i++) {
        const int tag = hr_page_tag(composer, "TH", row);
        hr_page_get_tag(composer, tag)->scope = "Column";
        draw_cell(composer, grid, i, texts[i], 0,
                  height - texts[i]->lines_count * texts[i]->line_height, tag);
    }
    hr_page_rectangle(composer, context->left, height + ROW_PADDING, context->right - context->left,
                      0.75, HR_PAINT_RULE);
}

static void draw_row(struct hr_page_composer *composer, const struct grid *grid, unsigned row,
                     int head)
{
    const struct hr_page_context *context = hr_page_context(composer);
    const struct hr_passage *texts[COLUMNS_MAX];
    unsigned lines = 1;
    for (unsigned i = 0; i < grid->columns; i++) {
        texts[i] = broken_cell(composer, grid, row, i);
        lines = MAX(lines, texts[i]->lines_count);
    }
    const double height = lines * LINE + 2 * ROW_PADDING;
    struct hr_strip *strip = hr_page_strip(composer, height);
    strip->head = head;
    strip->head_count = head >= 0 ? 1 : 0;
    // neither one row under its head nor the total alone on a page
    const unsigned count = grid->table->rows_count;
    strip->keep_with_next = row + 1 < count && (row == 0 || is_total(grid, row + 1));
    // below each row, so that a page ends with a rule and none doubles that of a repeated head
    if (row + 1 < count) {
        const bool total = is_total(grid, row + 1);
        hr_page_rectangle(composer, context->left, height, context->right - context->left,
                          total ? 0.75 : 0.4, total ? HR_PAINT_RULE : HR_PAINT_GRID);
    }
    const int tag = hr_page_tag(composer, "TR", grid->tag);
    for (unsigned i = 0; i < grid->columns; i++) {
        const bool header = grid->table->columns[i].row_header;
        const int cell = hr_page_tag(composer, header ? "TH" : "TD", tag);
        hr_page_get_tag(composer, cell)->scope = header ? "Row" : NULL;
        hr_page_get_tag(composer, cell)->pieces = has_link(texts[i]);
        draw_cell(composer, grid, i, texts[i], get_indent(grid, row, i), ROW_PADDING, cell);
    }
}

static void draw_words(struct hr_page_composer *composer, const char *words, const char *name,
                       int parent, enum hr_paint paint, bool keep)
{
    const struct hr_page_context *context = hr_page_context(composer);
    struct hr_passage *text = hr_page_text(composer, HR_FONT_SANS, 8, 11);
    hr_passage_append(text, words, (struct hr_passage_style){.paint = paint});
    hr_passage_break(text, context->right - context->left, 0);
    const int tag = hr_page_tag(composer, name, parent);
    hr_page_get_tag(composer, tag)->pieces = true;
    hr_page_lines(composer, text, context->left, tag, keep);
}

void hr_page_table(struct hr_page_composer *composer, const struct hr_table *table)
{
    if (table->rows_count == 0 || table->columns_count == 0) {
        return;
    }
    const struct hr_page_context *context = hr_page_context(composer);
    struct grid grid = {.table = table, .columns = MIN(table->columns_count, COLUMNS_MAX)};
    measure(composer, &grid);
    const double available = context->right - context->left;
    share_width(&grid, available);
    place_columns(&grid, context->left, available);
    grid.tag = hr_page_tag(composer, "Table", context->tag);
    if (table->id) {
        composer->anchor = composer->anchor ? composer->anchor : table->id;
    }
    hr_page_space(composer, 9);
    if (table->caption) {
        draw_words(composer, table->caption, "Caption", grid.tag, HR_PAINT_MUTED, true);
        hr_page_space(composer, 3);
    }
    int head = -1;
    if (grid.has_head) {
        head = (int)composer->strips->strips->len;
        draw_head(composer, &grid);
    }
    for (unsigned row = 0; row < table->rows_count; row++) {
        draw_row(composer, &grid, row, head);
    }
    hr_page_space(composer, 3);
    if (table->rest_note) {
        draw_words(composer, table->rest_note, "P", context->tag, HR_PAINT_MUTED, false);
    }
    hr_page_space(composer, 9);
}
