// SPDX-License-Identifier: MIT
#include "export/formats.h"
#include "model/sample.h"
#include "result/json.h"

#include <math.h>
#include <string.h>

#define NO_STACK "[no stack recorded]"

// A ';' would be a frame's end, so it becomes what looks like it. All else that would break a line
// or is no text goes through the result's door.
static void append_name(GString *out, const char *name)
{
    json_t *text = hr_json_text(name);
    const gsize start = out->len;
    g_string_append(out, json_string_value(text));
    g_strdelimit(out->str + start, ";", ':');
    json_decref(text);
}

// The frames of one location, outermost first.
static void append_location(GString *line, const struct hr_export_model *model, uint32_t location)
{
    const struct hr_location *at = &model->symbols->locations[location];
    for (uint32_t i = at->frame_count; i-- > 0;) {
        const struct hr_frame *frame = &model->symbols->frames[at->first_frame + i];
        g_string_append(line, line->len > 0 ? ";" : "");
        append_name(line, hr_redaction_symbol(model->redaction, frame->function));
    }
}

static char *fold(const struct hr_export_model *model, uint32_t stack_id)
{
    const struct hr_stack stack = hr_stacks_get(model->run->stacks, stack_id);
    GString *line = g_string_new(NULL);
    for (uint32_t depth = stack.depth; depth-- > 0;) {
        append_location(line, model, stack.locations[depth]);
    }
    if (stack.depth == 0) {
        g_string_append(line, NO_STACK);
    }
    return g_string_free(line, FALSE);
}

struct folded_line {
    char *stack;
    double base_bytes;
    double final_bytes;
};

static int compare_lines(const void *left, const void *right)
{
    const struct folded_line *a = left;
    const struct folded_line *b = right;
    return strcmp(a->stack, b->stack);
}

static void append_line(const struct folded_line *sum, bool both, GByteArray *out)
{
    if (sum->final_bytes < 0.5 && (!both || sum->base_bytes < 0.5)) {
        return;
    }
    g_autofree char *base = both ? g_strdup_printf(" %.0f", round(sum->base_bytes)) : NULL;
    g_autofree char *line =
        g_strdup_printf("%s%s %.0f\n", sum->stack, base ? base : "", round(sum->final_bytes));
    g_byte_array_append(out, (const guint8 *)line, (guint)strlen(line));
}

// Stacks that differ in addresses alone are one line.
static void append_lines(const struct folded_line *lines, size_t count, bool both, GByteArray *out)
{
    for (size_t i = 0; i < count;) {
        struct folded_line sum = {.stack = lines[i].stack};
        for (; i < count && strcmp(lines[i].stack, sum.stack) == 0; i++) {
            sum.base_bytes += lines[i].base_bytes;
            sum.final_bytes += lines[i].final_bytes;
        }
        append_line(&sum, both, out);
    }
}

static double scale_row(const struct hr_dump *dump, const struct hr_row *row)
{
    return hr_sample_scale(row->objects, row->bytes, dump->sample_interval_bytes).bytes;
}

static size_t fold_dump(const struct hr_export_model *model, const struct hr_dump *dump,
                        struct folded_line *lines)
{
    for (uint32_t i = 0; i < dump->rows_count; i++) {
        const double bytes = scale_row(dump, &dump->rows[i]);
        lines[i] = (struct folded_line){
            .stack = fold(model, dump->rows[i].stack),
            .base_bytes = dump == model->base ? bytes : 0,
            .final_bytes = dump == model->final ? bytes : 0,
        };
    }
    return dump->rows_count;
}

static void write_lines(const struct hr_export_model *model, bool both, GByteArray *out)
{
    const size_t most = (size_t)model->base->rows_count + model->final->rows_count;
    g_autofree struct folded_line *lines = g_new(struct folded_line, most + 1);
    size_t count = fold_dump(model, model->final, lines);
    if (both && model->base != model->final) {
        count += fold_dump(model, model->base, lines + count);
    }
    qsort(lines, count, sizeof *lines, compare_lines);
    append_lines(lines, count, both, out);
    for (size_t i = 0; i < count; i++) {
        g_free(lines[i].stack);
    }
}

void hr_folded_export_write(const struct hr_export_model *model, GByteArray *out)
{
    write_lines(model, false, out);
}

void hr_folded_diff_export_write(const struct hr_export_model *model, GByteArray *out)
{
    write_lines(model, true, out);
}
