// SPDX-License-Identifier: MIT
// Tables: the parts of a document that are rows of the result.
#include "document/composer.h"
#include "document/value.h"

#include <math.h>
#include <string.h>

#define COLUMNS_MAX 16
#define AMOUNT_MAX 9999

// Stands for the words of <rest> until they are composed; known by its address.
static const char rest_label[] = "";

static unsigned find_columns(const xmlNode *table, const xmlNode **columns)
{
    unsigned count = 0;
    for (const xmlNode *child = table->children; child; child = child->next) {
        if (child->type == XML_ELEMENT_NODE && count < COLUMNS_MAX &&
            hr_vocabulary_id(child) == HR_ELEMENT_COLUMN) {
            columns[count++] = child;
        }
    }
    return count;
}

static const char *last_key(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot ? dot + 1 : path;
}

static struct hr_column column_of(struct hr_arena *arena, const xmlNode *element)
{
    const char *weight = hr_template_attribute(element, "weight");
    return (struct hr_column){
        .title = hr_arena_strdup(arena, hr_template_attribute(element, "title")),
        .key = hr_arena_strdup(arena, last_key(hr_template_attribute(element, "of"))),
        .row_header = hr_template_attribute(element, "head") != NULL,
        .weight = weight ? (int)strtol(weight, NULL, 10) : 0,
    };
}

// A count that an attribute leads to; 0 without the attribute, and where the count is unknown.
static unsigned amount_of(const struct hr_composer *composer, const xmlNode *column,
                          const char *attribute)
{
    const char *path = hr_template_attribute(column, attribute);
    const json_t *number = path ? hr_scope_find(&composer->scope, path) : NULL;
    return json_is_number(number) ? (unsigned)CLAMP(json_number_value(number), 0, AMOUNT_MAX) : 0;
}

static void fill_row(struct hr_composer *composer, const xmlNode *const *columns, unsigned count,
                     struct hr_value *cells)
{
    for (unsigned i = 0; i < count; i++) {
        cells[i] = hr_scope_value(&composer->scope, columns[i], "of");
        cells[i].link = hr_scope_anchor(&composer->scope, columns[i], "to");
        cells[i].depth = amount_of(composer, columns[i], "depth");
    }
}

// The column of row heads carries a sum's label, else the first that is no number.
static void label_row(const struct hr_table *table, struct hr_value *cells, const char *label)
{
    struct hr_value *cell = NULL;
    for (unsigned i = 0; i < table->columns_count; i++) {
        bool is_text = !hr_value_key_is_number(table->columns[i].key);
        if (is_text && (!cell || table->columns[i].row_header)) {
            cell = &cells[i];
        }
    }
    if (cell) {
        *cell = hr_value_of_text(label);
    }
}

static double half_width(const struct hr_estimate *estimate)
{
    double width = (estimate->high - estimate->low) / 2;
    return isnan(width) ? 0 : width;
}

// Adds independent estimates: the squares of their half widths add up (docs/method.md, error of a
// number).
static void add_estimate(struct hr_estimate *sum, const struct hr_estimate *next)
{
    double width = sqrt(half_width(sum) * half_width(sum) + half_width(next) * half_width(next));
    sum->value += next->value;
    sum->low = sum->value - width;
    sum->high = sum->value + width;
}

// One cell of the remainder: what the result says of its own rest, plus the rows cut here.
static struct hr_value rest_cell(struct hr_composer *composer, const json_t *rest,
                                 const struct hr_table *table, unsigned column,
                                 const struct hr_value *cut, size_t cut_count)
{
    const char *key = table->columns[column].key;
    if (!json_is_number(json_object_get(rest, key))) {
        return hr_value_of_text("");
    }
    struct hr_value sum = hr_value_read(composer->scope.arena, rest, key, NULL);
    for (size_t row = 0; row < cut_count; row++) {
        const struct hr_value *next = &cut[row * table->columns_count + column];
        if (next->kind == HR_VALUE_NUMBER) {
            add_estimate(&sum.number, &next->number);
        }
    }
    double value = sum.number.value;
    bool through_zero = sum.number.low <= 0 && sum.number.high >= 0;
    sum.significant = !strstr(key, "growth") || !through_zero || value == 0;
    return sum;
}

static double own_rest_count(const json_t *rest)
{
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)(uintptr_t)rest, key, value)
    {
        if (g_str_has_suffix(key, "count")) {
            return json_number_value(value);
        }
    }
    return 0;
}

static void add_rest_row(struct hr_composer *composer, struct hr_table *table,
                         struct hr_value *cells, const json_t *rest, size_t cut_count)
{
    const struct hr_value *cut = cells + (size_t)table->rows_count * table->columns_count;
    struct hr_value *row =
        HR_ARENA_ARRAY(composer->scope.arena, struct hr_value, table->columns_count);
    for (unsigned i = 0; i < table->columns_count; i++) {
        row[i] = rest_cell(composer, rest, table, i, cut, cut_count);
    }
    label_row(table, row, rest_label);
    memcpy(cells + (size_t)table->rows_count * table->columns_count, row,
           table->columns_count * sizeof *row);
    table->rows_count++;
    table->foot_count++;
    table->last_row_is_total = true;
}

static void add_total_row(struct hr_composer *composer, struct hr_table *table,
                          struct hr_value *cells, const json_t *total, const char *title)
{
    struct hr_value *row = cells + (size_t)table->rows_count * table->columns_count;
    for (unsigned i = 0; i < table->columns_count; i++) {
        const char *key = table->columns[i].key;
        bool known = json_is_number(json_object_get(total, key));
        row[i] =
            known ? hr_value_read(composer->scope.arena, total, key, NULL) : hr_value_of_text("");
    }
    label_row(table, row, hr_arena_strdup(composer->scope.arena, title));
    table->rows_count++;
    table->foot_count++;
    table->last_row_is_total = true;
}

static void fill_rows(struct hr_composer *composer, const xmlNode *element,
                      const xmlNode *const *columns, const json_t *rounds,
                      const struct hr_table *table, struct hr_value *cells)
{
    const char *name = hr_template_attribute(element, "as");
    for (size_t i = 0; i < json_array_size(rounds); i++) {
        hr_scope_set(&composer->scope, name, json_array_get(rounds, i));
        fill_row(composer, columns, table->columns_count, cells + i * table->columns_count);
    }
    hr_scope_unset(&composer->scope, name);
}

static void add_sums(struct hr_composer *composer, const xmlNode *element, struct hr_table *table,
                     struct hr_value *cells, size_t *cut_count)
{
    const char *rest_path = hr_template_attribute(element, "rest");
    const char *total_path = hr_template_attribute(element, "total");
    const json_t *rest = rest_path ? hr_scope_find(&composer->scope, rest_path) : NULL;
    if (rest && (*cut_count > 0 || own_rest_count(rest) > 0)) {
        add_rest_row(composer, table, cells, rest, *cut_count);
        *cut_count += (size_t)own_rest_count(rest);
    }
    if (total_path) {
        add_total_row(composer, table, cells, hr_scope_find(&composer->scope, total_path),
                      hr_template_attribute(element, "total-title"));
    }
}

struct hr_table *hr_composer_table(struct hr_composer *composer, const xmlNode *element,
                                   size_t *cut_count)
{
    struct hr_arena *arena = composer->scope.arena;
    const xmlNode *columns[COLUMNS_MAX];
    struct hr_table *table = HR_ARENA_NEW(arena, struct hr_table);
    table->columns_count = find_columns(element, columns);
    json_t *rounds = hr_scope_rounds(&composer->scope, hr_template_attribute(element, "in"), NULL);
    size_t count = json_array_size(rounds);
    // Two more rows: the rest and the total.
    struct hr_value *cells =
        HR_ARENA_ARRAY(arena, struct hr_value, (count + 2) * table->columns_count);
    struct hr_column *described = HR_ARENA_ARRAY(arena, struct hr_column, table->columns_count);
    for (unsigned i = 0; i < table->columns_count; i++) {
        described[i] = column_of(arena, columns[i]);
        table->is_tree |= hr_template_attribute(columns[i], "depth") != NULL;
    }
    table->columns = described;
    fill_rows(composer, element, columns, rounds, table, cells);
    json_decref(rounds);
    table->rows_count = (unsigned)hr_composer_limit(composer, element, count);
    *cut_count = count - table->rows_count;
    table->cells = cells;
    table->id = hr_scope_anchor(&composer->scope, element, "id");
    if (count > 0) {
        add_sums(composer, element, table, cells, cut_count);
    }
    return count > 0 ? table : NULL;
}

bool hr_composer_label_rest(struct hr_table *table, const char *words)
{
    // The cells are the table's own, const to all others.
    struct hr_value *cells = (struct hr_value *)(uintptr_t)table->cells;
    unsigned first = table->rows_count - table->foot_count;
    for (size_t i = (size_t)first * table->columns_count;
         i < (size_t)table->rows_count * table->columns_count; i++) {
        if (cells[i].text == rest_label) {
            cells[i].text = words;
            return true;
        }
    }
    return false;
}
