// SPDX-License-Identifier: MIT
// Key numbers side by side: value, change, label.
#include "document/value.h"
#include "render/page/composer.h"

#include <math.h>
#include <string.h>

#define GAP 12.0
#define COLUMNS_MAX 5
#define LABEL_LINE 10.0
#define SIZE_MIN 8.0
#define NUMBER_COLUMNS 2
#define NUMBER_GAP 22.0
#define NUMBER_PADDING 4.0

struct fact {
    const struct hr_passage *value;
    const struct hr_passage *interval; // of the value; NULL: none
    const struct hr_passage *change;   // NULL: none
    const struct hr_passage *label;
};

static bool is_key(const struct hr_node *facts)
{
    return facts->role && strcmp(facts->role, "key") == 0;
}

static struct hr_passage *words_text(struct hr_page_composer *composer, const char *words,
                                     struct hr_passage_style style, double size, double width)
{
    struct hr_passage *text = hr_page_text(composer, style.font, size, size * 1.3);
    hr_passage_append(text, words, style);
    hr_passage_break(text, width, 0);
    return text;
}

// The largest of some sizes at which the words stand on one line.
static struct hr_passage *fit_words(struct hr_page_composer *composer, const char *words,
                                    struct hr_passage_style style, double size, double width)
{
    const double natural = hr_fonts_measure(composer->fonts, style.font, size, words);
    if (natural > width) {
        size = fmax(SIZE_MIN, floor(2 * size * width / natural) / 2);
    }
    return words_text(composer, words, style, size, width);
}

static struct hr_passage *label_text(struct hr_page_composer *composer, const struct hr_node *node,
                                     double width)
{
    const struct hr_passage_style style = {.paint = HR_PAINT_MUTED};
    struct hr_passage *text = hr_page_text(composer, HR_FONT_SANS, HR_TYPE_SMALL, LABEL_LINE);
    if (node->text) {
        hr_passage_append(text, node->text, style);
    }
    hr_page_append_inline(text, node, style);
    hr_passage_break(text, width, 0);
    return text;
}

// The value large, its interval apart: it stands beneath the label.
static void make_value(struct hr_page_composer *composer, const struct hr_value *value, double size,
                       double width, struct fact *fact)
{
    const struct hr_passage_style large = {.font = HR_FONT_SANS_BOLD, .paint = HR_PAINT_INK};
    const struct hr_passage_style small = {.font = HR_FONT_SANS, .paint = HR_PAINT_MUTED};
    g_autoptr(GString) words = g_string_new(NULL);
    hr_value_append(words, value);
    char *interval = value->kind == HR_VALUE_NUMBER ? strstr(words->str, " (") : NULL;
    if (interval) {
        *interval++ = '\0';
        fact->interval = fit_words(composer, interval, small, HR_TYPE_TABLE, width);
    }
    fact->value = fit_words(composer, words->str, large, size, width);
}

static struct fact make_fact(struct hr_page_composer *composer, const struct hr_node *node,
                             bool key, double width)
{
    struct fact fact = {.label = label_text(composer, node, width)};
    make_value(composer, &node->value, key ? 15 : 10.5, width, &fact);
    if (node->change.kind != HR_VALUE_NULL) {
        const struct hr_passage_style style = {.font = HR_FONT_SANS_BOLD, .paint = HR_PAINT_INK};
        g_autoptr(GString) words = g_string_new(NULL);
        hr_value_append(words, &node->change);
        fact.change = fit_words(composer, words->str, style, 9, width);
    }
    return fact;
}

static double text_height(const struct hr_passage *text)
{
    return text ? text->lines_count * text->line_height : 0;
}

// The heights of a row's parts, the tallest of each.
struct row {
    double value, change, words;
};

static void grow_row(struct row *row, const struct fact *fact)
{
    row->value = fmax(row->value, text_height(fact->value));
    row->change = fmax(row->change, text_height(fact->change));
    row->words = fmax(row->words, text_height(fact->label) + text_height(fact->interval));
}

static void draw_part(struct hr_page_composer *composer, const struct hr_passage *text, double x,
                      double y, int tag)
{
    if (text) {
        hr_page_all_lines(composer, text, x, y, tag);
    }
}

static void draw_fact(struct hr_page_composer *composer, const struct fact *fact, double x,
                      const struct row *row)
{
    const int tag = hr_page_tag(composer, "P", hr_page_context(composer)->tag);
    double y = row->value;
    draw_part(composer, fact->value, x, y - text_height(fact->value), tag);
    draw_part(composer, fact->change, x, y, tag);
    y += row->change;
    draw_part(composer, fact->label, x, y + 1, tag);
    y += 1 + text_height(fact->label);
    draw_part(composer, fact->interval, x, y, tag);
}

static void draw_row(struct hr_page_composer *composer, const struct hr_node *first, unsigned count,
                     double width, bool key)
{
    const struct hr_page_context *context = hr_page_context(composer);
    struct fact facts[COLUMNS_MAX];
    struct row row = {0};
    const struct hr_node *node = first;
    for (unsigned i = 0; i < count; i++, node = node->next) {
        facts[i] = make_fact(composer, node, key, width);
        grow_row(&row, &facts[i]);
    }
    const double height = row.value + row.change + 1 + row.words;
    hr_page_strip(composer, height);
    for (unsigned i = 0; i < count; i++) {
        const double x = context->left + i * (width + GAP);
        if (i > 0) {
            hr_page_rectangle(composer, x - GAP / 2 - 0.25, 2, 0.5, height - 4, HR_PAINT_GRID);
        }
        draw_fact(composer, &facts[i], x, &row);
    }
}

static unsigned count_facts(const struct hr_node *node)
{
    unsigned count = 0;
    for (const struct hr_node *fact = node->first_child; fact; fact = fact->next) {
        count += fact->kind == HR_NODE_FACT;
    }
    return count;
}

// One number of a proof: what it is at the left, how much at the right. Returns its height.
static double draw_number(struct hr_page_composer *composer, const struct hr_node *node, double x,
                          double width, bool ruled)
{
    const struct hr_passage_style style = {.font = HR_FONT_SANS_BOLD, .paint = HR_PAINT_INK};
    struct hr_passage *value = hr_page_text(composer, HR_FONT_SANS_BOLD, HR_TYPE_TABLE, LABEL_LINE);
    hr_page_append_value(value, &node->value, style);
    hr_passage_break(value, 0, 0);
    const double value_width = hr_passage_width(value);
    const struct hr_passage *label = label_text(composer, node, width - value_width - GAP / 2);
    const double height = text_height(label) + NUMBER_PADDING;
    const int tag = hr_page_tag(composer, "P", hr_page_context(composer)->tag);
    hr_page_all_lines(composer, label, x, NUMBER_PADDING / 2, tag);
    hr_page_all_lines(composer, value, x + width - value_width, NUMBER_PADDING / 2, tag);
    if (ruled) {
        hr_page_rectangle(composer, x, 0, width, 0.4, HR_PAINT_GRID);
    }
    return height;
}

// The numbers that a rule weighed: rows of a name and a value in columns, line by line.
static void draw_numbers(struct hr_page_composer *composer, const struct hr_node *node)
{
    const struct hr_page_context *context = hr_page_context(composer);
    const double width =
        (context->right - context->left - (NUMBER_COLUMNS - 1) * NUMBER_GAP) / NUMBER_COLUMNS;
    unsigned i = 0;
    hr_page_space(composer, 3);
    guint strip = 0;
    for (const struct hr_node *fact = node->first_child; fact; fact = fact->next, i++) {
        const unsigned column = i % NUMBER_COLUMNS;
        if (column == 0) {
            strip = composer->strips->strips->len;
            hr_page_strip(composer, 0);
        }
        const double height =
            draw_number(composer, fact, context->left + column * (width + NUMBER_GAP), width,
                        i >= NUMBER_COLUMNS);
        struct hr_strip *row = &g_array_index(composer->strips->strips, struct hr_strip, strip);
        row->height = fmax(row->height, height);
        row->keep_with_next = count_facts(fact->parent) - i > NUMBER_COLUMNS;
    }
    hr_page_space(composer, 6);
}

void hr_page_facts(struct hr_page_composer *composer, const struct hr_node *node)
{
    const struct hr_page_context *context = hr_page_context(composer);
    const unsigned total = count_facts(node);
    if (total == 0) {
        return;
    }
    if (node->role && strcmp(node->role, "numbers") == 0) {
        draw_numbers(composer, node);
        return;
    }
    const unsigned rows = (total + COLUMNS_MAX - 1) / COLUMNS_MAX;
    const unsigned columns = (total + rows - 1) / rows;
    const double width = (context->right - context->left - (columns - 1) * GAP) / columns;
    const struct hr_node *first = node->first_child;
    hr_page_space(composer, is_key(node) ? 9 : 5);
    for (unsigned done = 0; done < total; done += columns) {
        const unsigned count = MIN(columns, total - done);
        draw_row(composer, first, count, width, is_key(node));
        for (unsigned i = 0; i < count; i++) {
            first = first->next;
        }
        hr_page_space(composer, 5);
    }
    hr_page_space(composer, is_key(node) ? 9 : 6);
}
