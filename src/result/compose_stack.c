// SPDX-License-Identifier: MIT
// One stack of a suspect, frame by frame, innermost first.
#include "result/composer.h"
#include "result/names.h"

#include <string.h>

#define NO_FRAME UINT32_MAX
#define FRAME_LEAST_BYTES 200 // compose_frame() with the shortest values, written with indentation
#define CUT_MAX_BYTES 8

// The frames of a stack, inlined ones in their place, as indices in symbols->frames.
struct unfolded_frame {
    uint32_t frame;
    uint32_t location;
};

static GArray *unfold(const struct hr_composer *composer, struct hr_stack stack)
{
    GArray *frames = g_array_new(FALSE, FALSE, sizeof(struct unfolded_frame));
    for (uint32_t depth = 0; depth < stack.depth; depth++) {
        const uint32_t id = stack.locations[depth];
        const struct hr_location *location = &composer->symbols->locations[id];
        for (uint32_t i = 0; i < location->frame_count; i++) {
            const struct unfolded_frame frame = {location->first_frame + i, id};
            g_array_append_val(frames, frame);
        }
    }
    return frames;
}

// Position of the innermost frame that is responsible; the count when there is none.
static guint find_responsible(const struct hr_composer *composer, const GArray *frames,
                              uint32_t stack)
{
    const uint32_t *responsible = composer->findings->responsible_frames;
    const uint32_t wanted = responsible ? responsible[stack] : NO_FRAME;
    for (guint i = 0; i < frames->len; i++) {
        if (g_array_index(frames, struct unfolded_frame, i).frame == wanted) {
            return i;
        }
    }
    return frames->len;
}

static json_t *compose_frame(const struct hr_composer *composer, struct unfolded_frame at,
                             bool responsible)
{
    const struct hr_symbols *symbols = composer->symbols;
    const struct hr_frame *frame = &symbols->frames[at.frame];
    const struct hr_location *location = &symbols->locations[at.location];
    const enum hr_frame_kind *kinds = composer->findings->frame_kinds;
    const char *module =
        location->module == HR_MODULE_NONE ? NULL : symbols->modules[location->module].path;
    json_t *entry = json_object();
    hr_json_set(entry, "function", hr_composer_name(composer, frame->function));
    hr_json_set(entry, "file", hr_composer_name(composer, frame->file));
    hr_json_set(entry, "line", frame->line > 0 ? json_integer(frame->line) : json_null());
    hr_json_set(entry, "module", hr_composer_name(composer, module));
    const bool placed =
        location->module != HR_MODULE_NONE || !hr_given_is_no_address(location->offset);
    hr_json_set(entry, "offset", placed ? hr_json_hex(location->offset) : json_null());
    hr_json_set(entry, "inlined", json_boolean(frame->inlined));
    hr_json_set(entry, "kind",
                json_string(hr_name_frame_kind(kinds ? kinds[at.frame] : HR_FRAME_UNKNOWN)));
    hr_json_set(entry, "trust", json_string(hr_name_trust(frame->trust)));
    hr_json_set(entry, "responsible", json_boolean(responsible));
    return entry;
}

// Stacks of one suspect have most frames in common: an equal one is another reference.
static json_t *share_frame(const struct hr_composer *composer, struct unfolded_frame at,
                           bool responsible)
{
    const gpointer key = GSIZE_TO_POINTER((gsize)at.frame * 2 + responsible);
    json_t *frame = g_hash_table_lookup(composer->frames, key);
    if (!frame) {
        frame = compose_frame(composer, at, responsible);
        g_hash_table_insert(composer->frames, key, frame);
    }
    return json_incref(frame);
}

// A stack that is too long keeps a window that shows the responsible frame.
static void set_frames(const struct hr_composer *composer, json_t *entry, uint32_t stack)
{
    g_autoptr(GArray) frames = unfold(composer, hr_stacks_get(composer->run->stacks, stack));
    const guint responsible = find_responsible(composer, frames, stack);
    const guint window = MIN((guint)composer->bounds.frames, frames->len);
    guint first = 0;
    if (responsible < frames->len && responsible >= window) {
        first = MIN(responsible - window / 2, frames->len - window);
    }
    json_t *list = json_array();
    for (guint i = first; i < first + window; i++) {
        hr_json_append(list, share_frame(composer, g_array_index(frames, struct unfolded_frame, i),
                                         i == responsible));
    }
    hr_json_set(entry, "frames", list);
    hr_json_set(entry, "frames_rest_count", hr_json_count(frames->len - window));
}

json_t *hr_compose_stack(const struct hr_composer *composer, const struct hr_suspect_stack *stack)
{
    json_t *entry = json_object();
    hr_json_set(entry, "growth_bytes", hr_json_integer(stack->growth_bytes));
    hr_json_set(entry, "final_bytes", hr_json_integer(stack->final_bytes));
    if (composer->symbols) {
        set_frames(composer, entry, stack->stack);
    } else {
        hr_json_set(entry, "frames", json_array());
        hr_json_set(entry, "frames_rest_count", json_integer(0));
    }
    return entry;
}

// A name takes its bytes, less what cutting it at a character may cost.
static size_t least_name_bytes(const struct hr_composer *composer, const char *name)
{
    const size_t length = name ? MIN(strlen(name), composer->bounds.text_bytes) : 0;
    return length > CUT_MAX_BYTES ? length - CUT_MAX_BYTES : 0;
}

size_t hr_compose_stack_least_bytes(const struct hr_composer *composer, uint32_t stack)
{
    if (!composer->symbols) {
        return 0;
    }
    const struct hr_symbols *symbols = composer->symbols;
    g_autoptr(GArray) frames = unfold(composer, hr_stacks_get(composer->run->stacks, stack));
    const guint count = MIN((guint)composer->bounds.frames, frames->len);
    const bool whole = count == frames->len;
    size_t bytes = count * (size_t)FRAME_LEAST_BYTES;
    for (guint i = 0; whole && i < count; i++) {
        const struct unfolded_frame at = g_array_index(frames, struct unfolded_frame, i);
        const uint32_t module = symbols->locations[at.location].module;
        bytes += least_name_bytes(composer, symbols->frames[at.frame].function) +
                 least_name_bytes(composer, symbols->frames[at.frame].file) +
                 least_name_bytes(composer,
                                  module == HR_MODULE_NONE ? NULL : symbols->modules[module].path);
    }
    return bytes;
}
