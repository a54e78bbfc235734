// SPDX-License-Identifier: MIT
#include "render/page/paginate.h"

struct state {
    const struct hr_strips *strips;
    struct hr_pages *pages;
    double height;
    double y;
};

void hr_pages_free(struct hr_pages *pages)
{
    if (!pages) {
        return;
    }
    g_array_unref(pages->placements);
    g_array_unref(pages->pages);
    g_free(pages);
}

const struct hr_page *hr_pages_get(const struct hr_pages *pages, guint i)
{
    return &g_array_index(pages->pages, struct hr_page, i);
}

const struct hr_placement *hr_pages_get_placement(const struct hr_pages *pages, guint i)
{
    return &g_array_index(pages->placements, struct hr_placement, i);
}

static struct hr_page *current(struct state *state)
{
    GArray *pages = state->pages->pages;
    return &g_array_index(pages, struct hr_page, pages->len - 1);
}

static void begin_page(struct state *state)
{
    const struct hr_page page = {state->pages->placements->len, 0};
    g_array_append_val(state->pages->pages, page);
    state->y = 0;
}

static void place(struct state *state, guint i, bool repeated)
{
    const struct hr_strip *strip = hr_strips_get(state->strips, i);
    struct hr_page *page = current(state);
    if (page->count > 0 && !repeated) {
        state->y += strip->space_before;
    }
    const struct hr_placement placement = {i, state->y, repeated};
    g_array_append_val(state->pages->placements, placement);
    page->count++;
    state->y += strip->height;
}

// The head of the table that strip i goes on with, where it is not above it already.
static void repeat_head(struct state *state, guint i)
{
    const struct hr_strip *strip = hr_strips_get(state->strips, i);
    for (int k = 0; strip->head >= 0 && k < strip->head_count; k++) {
        place(state, (guint)(strip->head + k), true);
    }
}

// The end of the run of strips that want to stay together, from i on.
static guint find_end(const struct hr_strips *strips, guint i)
{
    while (i + 1 < strips->strips->len && hr_strips_get(strips, i)->keep_with_next) {
        i++;
    }
    return i + 1;
}

static double measure(const struct state *state, guint first, guint end)
{
    double height = 0;
    for (guint i = first; i < end; i++) {
        const struct hr_strip *strip = hr_strips_get(state->strips, i);
        height += strip->height + (i > first ? strip->space_before : 0);
    }
    return height;
}

static bool fits(struct state *state, guint first, guint end)
{
    const double space =
        current(state)->count > 0 ? hr_strips_get(state->strips, first)->space_before : 0;
    return state->y + space + measure(state, first, end) <= state->height + 1e-6;
}

// A run that is longer than a page: as much as fits, strip by strip.
static void place_long(struct state *state, guint first, guint end)
{
    for (guint i = first; i < end; i++) {
        if (!fits(state, i, i + 1) && current(state)->count > 0) {
            begin_page(state);
            repeat_head(state, i);
        }
        place(state, i, false);
    }
}

static void place_run(struct state *state, guint first, guint end)
{
    const bool wants_page = hr_strips_get(state->strips, first)->new_page;
    if (current(state)->count > 0 && (wants_page || !fits(state, first, end))) {
        begin_page(state);
        repeat_head(state, first);
    }
    if (fits(state, first, end)) {
        for (guint i = first; i < end; i++) {
            place(state, i, false);
        }
    } else {
        place_long(state, first, end);
    }
}

struct hr_pages *hr_pages_new(const struct hr_strips *strips, double height)
{
    struct hr_pages *pages = g_new0(struct hr_pages, 1);
    pages->placements = g_array_new(FALSE, TRUE, sizeof(struct hr_placement));
    pages->pages = g_array_new(FALSE, TRUE, sizeof(struct hr_page));
    struct state state = {strips, pages, height, 0};
    begin_page(&state);
    for (guint i = 0; i < strips->strips->len;) {
        const guint end = find_end(strips, i);
        place_run(&state, i, end);
        i = end;
    }
    return pages;
}

static void append_box(const struct hr_strips *strips, const struct hr_box *box, double y,
                       GString *out)
{
    static const char *const kinds[] = {"text", "rectangle", "scene"};
    const char *tag = box->tag >= 0 ? hr_strips_get_tag(strips, box->tag)->name : "-";
    g_string_append_printf(out, "  %s %s %d %d %d %d", kinds[box->kind], tag, (int)box->x,
                           (int)(y + box->y), (int)box->width, (int)box->height);
    if (box->kind == HR_BOX_TEXT) {
        g_autofree char *words = hr_passage_line_text(box->text, box->line);
        g_string_append_printf(out, " \"%s\"", words);
    }
    g_string_append_c(out, '\n');
}

void hr_pages_append_text(const struct hr_pages *pages, const struct hr_strips *strips,
                          GString *out)
{
    for (guint p = 0; p < pages->pages->len; p++) {
        const struct hr_page *page = hr_pages_get(pages, p);
        g_string_append_printf(out, "page %u\n", p + 1);
        for (guint i = page->first; i < page->first + page->count; i++) {
            const struct hr_placement *placement = hr_pages_get_placement(pages, i);
            const struct hr_strip *strip = hr_strips_get(strips, placement->strip);
            g_string_append(out, placement->repeated ? "  (repeated)\n" : "");
            for (unsigned b = 0; b < strip->boxes_count; b++) {
                append_box(strips, hr_strips_get_box(strips, strip->first_box + b), placement->y,
                           out);
            }
        }
    }
}
