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
    double bytes;
};

static int compare_lines(const void *left, const void *right)
{
    const struct folded_line *a = left;
    const struct folded_line *b = right;
    return strcmp(a->stack, b->stack);
}

// Stacks that differ in addresses alone are one line.
static void append_lines(const struct folded_line *lines, size_t count, GByteArray *out)
{
    for (size_t i = 0; i < count;) {
        double bytes = 0;
        const size_t first = i;
        for (; i < count && strcmp(lines[i].stack, lines[first].stack) == 0; i++) {
            bytes += lines[i].bytes;
        }
        if (bytes >= 0.5) {
            g_autofree char *line = g_strdup_printf("%s %.0f\n", lines[first].stack, round(bytes));
            g_byte_array_append(out, (const guint8 *)line, (guint)strlen(line));
        }
    }
}

void hr_folded_export_write(const struct hr_export_model *model, GByteArray *out)
{
    const struct hr_dump *dump = model->final;
    g_autofree struct folded_line *lines = g_new(struct folded_line, dump->rows_count + 1);
    for (uint32_t i = 0; i < dump->rows_count; i++) {
        const struct hr_row *row = &dump->rows[i];
        lines[i].stack = fold(model, row->stack);
        lines[i].bytes =
            hr_sample_scale(row->objects, row->bytes, dump->sample_interval_bytes).bytes;
    }
    qsort(lines, dump->rows_count, sizeof *lines, compare_lines);
    append_lines(lines, dump->rows_count, out);
    for (uint32_t i = 0; i < dump->rows_count; i++) {
        g_free(lines[i].stack);
    }
}
