// SPDX-License-Identifier: MIT
#include "analysis/describe.h"

#include "analysis/frame_kinds.h"

#include <string.h>

#define KEYWORDS_MAX 6
#define KEYWORD_LENGTH_MIN 3
#define OTHER_CATEGORY "other"

static const char *module_of_frame(const struct hr_symbols *symbols, uint32_t frame)
{
    for (uint32_t l = 0; l < symbols->locations_count; l++) {
        const struct hr_location *location = &symbols->locations[l];
        if (frame - location->first_frame < location->frame_count) { // wraps below the first
            return location->module == HR_MODULE_NONE ? NULL
                                                      : symbols->modules[location->module].path;
        }
    }
    return NULL;
}

struct hr_place hr_describe_place(const struct hr_symbols *symbols, const struct hr_group *group)
{
    if (group->frame == HR_FRAME_NONE) {
        return (struct hr_place){.function = group->name};
    }
    const struct hr_frame *frame = &symbols->frames[group->frame];
    return (struct hr_place){frame->function, frame->file, frame->line,
                             module_of_frame(symbols, group->frame)};
}

static bool category_matches(const struct hr_symbols *symbols, const struct hr_stack *stack,
                             uint32_t responsible, const char *glob)
{
    for (uint32_t i = 0; i < stack->depth; i++) {
        const struct hr_location *location = &symbols->locations[stack->locations[i]];
        for (uint32_t k = 0; k < location->frame_count; k++) {
            const uint32_t frame = location->first_frame + k;
            g_autofree char *name = g_ascii_strdown(symbols->frames[frame].function, -1);
            if (hr_glob_match(glob, name)) {
                return true;
            }
            if (frame == responsible) {
                return false; // what lies outward is the callers' business
            }
        }
    }
    return false;
}

// The category of the suspect's largest stack.
static const char *category_of(const struct hr_run *run, const struct hr_symbols *symbols,
                               const struct hr_rules *rules, const uint32_t *responsible_frames,
                               const struct hr_suspect *suspect)
{
    if (suspect->stacks_count == 0) {
        return OTHER_CATEGORY;
    }
    const uint32_t id = suspect->stacks[0].stack;
    const struct hr_stack stack = hr_stacks_get(run->stacks, id);
    for (size_t i = 0; i < rules->category_rules_count; i++) {
        const struct hr_category_rule *rule = &rules->category_rules[i];
        if (category_matches(symbols, &stack, responsible_frames[id], rule->glob)) {
            return rule->category;
        }
    }
    return OTHER_CATEGORY;
}

static bool listed(const char *const *keywords, size_t count, const char *word)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(keywords[i], word) == 0) {
            return true;
        }
    }
    return false;
}

// The words of a name's path ("cache::Cache<K>::insert" gives cache, Cache, insert), then the
// source file: what to search a code base for.
static const char *const *keywords_of(struct hr_arena *arena, const struct hr_place *place)
{
    const char **keywords = HR_ARENA_ARRAY(arena, const char *, KEYWORDS_MAX + 1);
    size_t count = 0;
    const char *at = place->function;
    while (*at && count < KEYWORDS_MAX - 1) {
        const size_t length = strspn(at, G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "_");
        const char *word = hr_arena_strndup(arena, at, length);
        if (length >= KEYWORD_LENGTH_MIN && !g_ascii_isdigit(*word) &&
            !listed(keywords, count, word)) {
            keywords[count++] = word;
        }
        at += length;
        at += *at ? 1 : 0;
    }
    if (place->file) {
        const char *slash = strrchr(place->file, '/');
        const char *name = slash ? slash + 1 : place->file;
        if (!listed(keywords, count, name)) {
            keywords[count++] = name;
        }
    }
    return keywords;
}

void hr_describe_suspect(struct hr_arena *arena, const struct hr_run *run,
                         const struct hr_symbols *symbols, const struct hr_rules *rules,
                         const uint32_t *responsible_frames, const struct hr_group *group,
                         struct hr_suspect *suspect)
{
    struct hr_group shown = *group;
    if (suspect->stacks_count > 0) {
        // several lines of one function may allocate; the one that grew most is shown
        shown.frame = responsible_frames[suspect->stacks[0].stack];
    }
    const struct hr_place place = hr_describe_place(symbols, &shown);
    suspect->function = place.function;
    suspect->file = place.file;
    suspect->line = place.line;
    suspect->module = place.module;
    suspect->fingerprint = hr_group_fingerprint(arena, group->name);
    suspect->keywords = keywords_of(arena, &place);
    suspect->category = category_of(run, symbols, rules, responsible_frames, suspect);
}
