// SPDX-License-Identifier: MIT
// The frames of a stack become lines: what it is called, where it stands, what is special about it.
#include "document/composer.h"

#include <string.h>

static const char *place_of(struct hr_arena *arena, const json_t *frame)
{
    const char *file = json_string_value(json_object_get(frame, "file"));
    const json_t *line = json_object_get(frame, "line");
    const char *module = json_string_value(json_object_get(frame, "module"));
    const char *offset = json_string_value(json_object_get(frame, "offset"));
    if (file && json_is_integer(line)) {
        return hr_arena_printf(arena, "%s:%" JSON_INTEGER_FORMAT, file, json_integer_value(line));
    }
    if (file) {
        return hr_arena_strdup(arena, file);
    }
    // a function without a name is called by its offset already
    const char *function = json_string_value(json_object_get(frame, "function"));
    if (module && offset && !(function && g_str_has_suffix(function, offset))) {
        return hr_arena_printf(arena, "%s+%s", module, offset);
    }
    return module ? hr_arena_strdup(arena, module) : NULL;
}

static const char *text_of(struct hr_arena *arena, const json_t *frame, const char *key)
{
    const char *text = json_string_value(json_object_get(frame, key));
    return text ? hr_arena_strdup(arena, text) : "";
}

// What is special about a frame, the most telling first.
static const char *note_of(const struct hr_scope *scope, const struct hr_stack_line *line)
{
    const char *word = NULL;
    if (line->responsible) {
        word = "responsible";
    } else if (line->inlined) {
        word = "inlined";
    } else if (strcmp(line->trust, "guessed") == 0) {
        word = "guessed";
    }
    const char *note = word ? hr_template_find_name(scope->template, "frame", word) : NULL;
    return note ? hr_arena_strdup(scope->arena, note) : NULL;
}

const struct hr_stack_listing *hr_composer_stack(const struct hr_scope *scope, const json_t *frames)
{
    struct hr_arena *arena = scope->arena;
    struct hr_stack_listing *listing = HR_ARENA_NEW(arena, struct hr_stack_listing);
    listing->lines_count = (unsigned)json_array_size(frames);
    struct hr_stack_line *lines = HR_ARENA_ARRAY(arena, struct hr_stack_line, listing->lines_count);
    for (unsigned i = 0; i < listing->lines_count; i++) {
        const json_t *frame = json_array_get(frames, i);
        lines[i] = (struct hr_stack_line){
            .function = text_of(arena, frame, "function"),
            .place = place_of(arena, frame),
            .inlined = json_is_true(json_object_get(frame, "inlined")),
            .responsible = json_is_true(json_object_get(frame, "responsible")),
            .kind = text_of(arena, frame, "kind"),
            .trust = text_of(arena, frame, "trust"),
        };
        lines[i].note = note_of(scope, &lines[i]);
    }
    listing->lines = lines;
    const json_t *presentation = json_object_get(scope->result, "presentation");
    listing->is_whole = json_is_true(json_object_get(presentation, "full"));
    const char *folded = hr_template_find_name(scope->template, "frame", "folded");
    listing->folded_note = folded ? hr_arena_strdup(arena, folded) : "";
    return listing;
}
