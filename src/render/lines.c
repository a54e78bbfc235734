// SPDX-License-Identifier: MIT
#include "render/lines.h"

#include <stdbool.h>
#include <string.h>

struct hr_lines {
    GPtrArray *texts;   // of char *
    GArray *block_ends; // of guint: the number of lines when a block ended
    bool needs_blank;
};

struct hr_lines *hr_lines_new(void)
{
    struct hr_lines *lines = g_new0(struct hr_lines, 1);
    lines->texts = g_ptr_array_new_with_free_func(g_free);
    lines->block_ends = g_array_new(FALSE, FALSE, sizeof(guint));
    return lines;
}

void hr_lines_free(struct hr_lines *lines)
{
    if (lines) {
        g_ptr_array_free(lines->texts, TRUE);
        g_array_free(lines->block_ends, TRUE);
        g_free(lines);
    }
}

void hr_lines_add(struct hr_lines *lines, const char *text)
{
    if (lines->needs_blank) {
        g_ptr_array_add(lines->texts, g_strdup(""));
        lines->needs_blank = false;
    }
    g_ptr_array_add(lines->texts, g_strchomp(g_strdup(text)));
}

void hr_lines_end_block(struct hr_lines *lines)
{
    if (lines->texts->len > 0 && !lines->needs_blank) {
        g_array_append_val(lines->block_ends, lines->texts->len);
    }
    hr_lines_add_space(lines);
}

void hr_lines_add_space(struct hr_lines *lines)
{
    lines->needs_blank = lines->texts->len > 0;
}

static const char *next_character(const char *text)
{
    return text + g_utf8_skip[(guchar)*text];
}

static int columns_of(gunichar character)
{
    if (g_unichar_iszerowidth(character)) {
        return 0;
    }
    return g_unichar_iswide(character) ? 2 : 1;
}

int hr_lines_columns(const char *text)
{
    int columns = 0;
    for (; *text; text = next_character(text)) {
        columns += columns_of(g_utf8_get_char(text));
    }
    return columns;
}

// How good a break before `p` is: 2 behind a blank, 1 behind a joint of a symbol, 0 elsewhere.
static int break_rank(const char *start, const char *p)
{
    if (p == start) {
        return 0;
    }
    if (p[-1] == ' ') {
        return 2;
    }
    bool behind_colons = p - start >= 2 && p[-1] == ':' && p[-2] == ':' && *p != ':';
    return behind_colons || strchr("<,/", p[-1]) ? 1 : 0;
}

// Where the first line of `text` ends that fits into `width` columns: the last blank that fits;
// without one the last joint; without that, the last character.
static const char *line_end(const char *text, int width)
{
    const char *best[3] = {NULL, NULL, NULL};
    int columns = 0;
    for (const char *p = text; *p; p = next_character(p)) {
        best[break_rank(text, p)] = p;
        columns += columns_of(g_utf8_get_char(p));
        // A blank may hang over the edge: it is cut off.
        if (columns > width && *p != ' ') {
            for (int rank = 2; rank >= 0; rank--) {
                if (best[rank] && best[rank] > text) {
                    return best[rank];
                }
            }
            return next_character(text);
        }
    }
    return text + strlen(text);
}

void hr_lines_add_wrapped(struct hr_lines *lines, const char *text, int width, const char *first,
                          const char *indent)
{
    const char *lead = first;
    do {
        const char *end = line_end(text, MAX(width - hr_lines_columns(lead), 8));
        g_autofree char *part = g_strndup(text, (gsize)(end - text));
        g_autofree char *line = g_strconcat(lead, part, NULL);
        hr_lines_add(lines, line);
        text = end;
        lead = indent;
    } while (*text);
}

// The number of lines to write: all, or those up to the last block that leaves room.
static guint kept_count(const struct hr_lines *lines, guint room)
{
    if (lines->texts->len <= room) {
        return lines->texts->len;
    }
    guint kept = 0;
    for (guint i = 0; i < lines->block_ends->len; i++) {
        guint end = g_array_index(lines->block_ends, guint, i);
        kept = end <= room ? end : kept;
    }
    return kept > 0 ? kept : room;
}

static void write_line(GByteArray *out, const char *text)
{
    g_byte_array_append(out, (const guint8 *)text, (guint)strlen(text));
    g_byte_array_append(out, (const guint8 *)"\n", 1);
}

void hr_lines_write(const struct hr_lines *lines, unsigned limit, const char *last_words,
                    GByteArray *out)
{
    guint kept = kept_count(lines, limit - 2);
    for (guint i = 0; i < kept; i++) {
        write_line(out, lines->texts->pdata[i]);
    }
    write_line(out, "");
    write_line(out, last_words);
}
