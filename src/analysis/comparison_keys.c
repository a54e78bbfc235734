// SPDX-License-Identifier: MIT
#include "analysis/comparison_keys.h"

#include "analysis/groups.h"

#include <string.h>

// The executable line of that path which follows `after`; NULL: none.
static const struct hr_mapping *next_code_line(const struct hr_run *run, const char *path,
                                               size_t *at)
{
    for (; *at < run->mappings_count; (*at)++) {
        const struct hr_mapping *line = &run->mappings[*at];
        if (line->executable && strcmp(line->path, path) == 0) {
            (*at)++;
            return line;
        }
    }
    return NULL;
}

// Without build-ids: the same path, and code that lies in it in the same pieces.
static bool laid_out_alike(const struct hr_run *run, const struct hr_run *other, const char *path)
{
    size_t at = 0;
    size_t other_at = 0;
    for (bool any = false;; any = true) {
        const struct hr_mapping *line = next_code_line(run, path, &at);
        const struct hr_mapping *other_line = next_code_line(other, path, &other_at);
        if (!line || !other_line) {
            return any && !line && !other_line;
        }
        if (line->offset != other_line->offset ||
            line->end - line->start != other_line->end - other_line->start) {
            return false;
        }
    }
}

static bool is_same_file(const struct hr_comparison_side *side, uint32_t module,
                         const struct hr_comparison_side *other, uint32_t other_module)
{
    const struct hr_module *one = &side->symbols->modules[module];
    const struct hr_module *two = &other->symbols->modules[other_module];
    if (one->build_id || two->build_id) {
        return one->build_id && two->build_id && strcmp(one->build_id, two->build_id) == 0;
    }
    return strcmp(one->path, two->path) == 0 && laid_out_alike(side->run, other->run, one->path);
}

const uint32_t *hr_comparison_partners(struct hr_arena *arena,
                                       const struct hr_comparison_side *side,
                                       const struct hr_comparison_side *other)
{
    const uint32_t count = side->symbols->modules_count;
    uint32_t *partner = HR_ARENA_ARRAY(arena, uint32_t, count);
    for (uint32_t m = 0; m < count; m++) {
        partner[m] = HR_MODULE_NONE;
        for (uint32_t o = 0; o < other->symbols->modules_count; o++) {
            if (is_same_file(side, m, other, o)) {
                partner[m] = o;
                break;
            }
        }
    }
    return partner;
}

struct hr_comparison_keys hr_comparison_keys_new(struct hr_arena *arena,
                                                 const struct hr_comparison_side *side, char mark,
                                                 const uint32_t *partner)
{
    const uint32_t count = side->symbols->locations_count;
    return (struct hr_comparison_keys){
        .side = side,
        .mark = mark,
        .partner = partner,
        .location = HR_ARENA_ARRAY(arena, const char *, count),
        .by = HR_ARENA_ARRAY(arena, enum hr_comparison_by, count),
        .arena = arena,
    };
}

static bool all_named(const struct hr_symbols *symbols, const struct hr_location *location)
{
    for (uint32_t k = 0; k < location->frame_count; k++) {
        if (symbols->frames[location->first_frame + k].trust == HR_TRUST_NONE) {
            return false;
        }
    }
    return location->frame_count > 0;
}

// Lines move with every change and directories with every machine: function and file name stay.
static void append_names(struct hr_arena *arena, const struct hr_symbols *symbols,
                         const struct hr_location *location, GString *key)
{
    for (uint32_t k = 0; k < location->frame_count; k++) {
        const struct hr_frame *frame = &symbols->frames[location->first_frame + k];
        const char *name = frame->key_name ? frame->key_name : frame->function;
        const char *slash = frame->file ? strrchr(frame->file, '/') : NULL;
        const char *file = slash ? slash + 1 : frame->file;
        g_string_append_printf(key, "n%s\n%s\n", hr_group_normalise_name(arena, name),
                               file ? file : "");
    }
}

static void set_location_key(struct hr_comparison_keys *keys, uint32_t id)
{
    const struct hr_symbols *symbols = keys->side->symbols;
    const struct hr_location *location = &symbols->locations[id];
    const uint32_t partner =
        location->module == HR_MODULE_NONE ? HR_MODULE_NONE : keys->partner[location->module];
    g_autoptr(GString) key = g_string_new(NULL);
    if (partner != HR_MODULE_NONE) {
        keys->by[id] = HR_BY_OFFSET;
        g_string_append_printf(key, "o%u+%" G_GINT64_MODIFIER "x\n", partner, location->offset);
    } else if (all_named(symbols, location)) {
        keys->by[id] = HR_BY_SYMBOL;
        append_names(keys->arena, symbols, location, key);
    } else {
        keys->by[id] = HR_BY_NOTHING;
        g_string_append_printf(key, "%c%u\n", keys->mark, id);
    }
    keys->location[id] = hr_arena_strndup(keys->arena, key->str, key->len);
}

enum hr_comparison_by hr_comparison_keys_append(struct hr_comparison_keys *keys, uint32_t stack,
                                                GString *key)
{
    const struct hr_stack places = hr_stacks_get(keys->side->run->stacks, stack);
    enum hr_comparison_by worst = HR_BY_OFFSET;
    for (uint32_t i = 0; i < places.depth; i++) {
        const uint32_t location = places.locations[i];
        if (!keys->location[location]) {
            set_location_key(keys, location);
        }
        g_string_append(key, keys->location[location]);
        worst = MAX(worst, keys->by[location]);
    }
    return worst;
}
