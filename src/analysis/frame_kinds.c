// SPDX-License-Identifier: MIT
#include "analysis/frame_kinds.h"

#include <string.h>

bool hr_glob_match(const char *glob, const char *text)
{
    const char *star = NULL;
    const char *resume = NULL;
    while (*text) {
        if (*glob == '*') {
            star = glob++;
            resume = text;
        } else if (*glob == '?' || *glob == *text) {
            glob++;
            text++;
        } else if (star) {
            glob = star + 1;
            text = ++resume;
        } else {
            return false;
        }
    }
    while (*glob == '*') {
        glob++;
    }
    return *glob == '\0';
}

// What the rules see of a frame; the texts are interned, so pointers tell them apart.
struct frame_view {
    const char *function; // NULL: no name
    const char *file;
    const char *module;
};

static guint view_hash(gconstpointer key)
{
    const struct frame_view *view = key;
    return g_direct_hash(view->function) * 31 + g_direct_hash(view->file) * 7 +
           g_direct_hash(view->module);
}

static gboolean view_equal(gconstpointer a, gconstpointer b)
{
    const struct frame_view *left = a;
    const struct frame_view *right = b;
    return left->function == right->function && left->file == right->file &&
           left->module == right->module;
}

// The first rule of that field that fits, by number; their count when none does.
static size_t first_rule(const struct hr_rules *rules, enum hr_frame_field field, const char *text)
{
    size_t i = 0;
    while (i < rules->frame_rules_count && (!text || rules->frame_rules[i].field != field ||
                                            !hr_glob_match(rules->frame_rules[i].glob, text))) {
        i++;
    }
    return i;
}

// The same for a file or a module: they are few and long, and come again in frame after frame.
static size_t known_rule(const struct hr_rules *rules, enum hr_frame_field field, const char *text,
                         GHashTable *known)
{
    gpointer rule = NULL;
    if (!g_hash_table_lookup_extended(known, text, NULL, &rule)) {
        rule = GSIZE_TO_POINTER(first_rule(rules, field, text));
        g_hash_table_insert(known, GSIZE_TO_POINTER((gsize)text), rule);
    }
    return GPOINTER_TO_SIZE(rule);
}

// What is known of files and modules, by text.
struct known_rules {
    GHashTable *files;
    GHashTable *modules;
};

static enum hr_frame_kind kind_by_rules(const struct frame_view *view, const struct hr_rules *rules,
                                        const struct known_rules *known)
{
    const size_t by_file = known_rule(rules, HR_FIELD_FILE, view->file, known->files);
    const size_t by_module = known_rule(rules, HR_FIELD_MODULE, view->module, known->modules);
    const size_t by_function = first_rule(rules, HR_FIELD_FUNCTION, view->function);
    const size_t first = MIN(by_function, MIN(by_file, by_module));
    return first < rules->frame_rules_count ? rules->frame_rules[first].kind : HR_FRAME_UNKNOWN;
}

const enum hr_frame_kind *hr_frame_kinds_compute(struct hr_arena *arena,
                                                 const struct hr_symbols *symbols,
                                                 const struct hr_rules *rules)
{
    enum hr_frame_kind *kinds = HR_ARENA_ARRAY(arena, enum hr_frame_kind, symbols->frames_count);
    g_autoptr(GHashTable) seen = g_hash_table_new(view_hash, view_equal);
    g_autoptr(GHashTable) files = g_hash_table_new(NULL, NULL);
    g_autoptr(GHashTable) modules = g_hash_table_new(NULL, NULL);
    const struct known_rules known_rules = {files, modules};
    for (uint32_t l = 0; l < symbols->locations_count; l++) {
        const struct hr_location *location = &symbols->locations[l];
        const char *module =
            location->module == HR_MODULE_NONE ? NULL : symbols->modules[location->module].path;
        for (uint32_t f = location->first_frame; f < location->first_frame + location->frame_count;
             f++) {
            const struct hr_frame *frame = &symbols->frames[f];
            const char *function = frame->trust == HR_TRUST_NONE ? NULL : frame->function;
            struct frame_view view = {function, frame->file, module};
            gpointer known = NULL;
            if (g_hash_table_lookup_extended(seen, &view, NULL, &known)) {
                kinds[f] = GPOINTER_TO_UINT(known);
                continue;
            }
            kinds[f] = kind_by_rules(&view, rules, &known_rules);
            g_hash_table_insert(seen, hr_arena_copy(arena, &view, 1, sizeof view),
                                GUINT_TO_POINTER(kinds[f]));
        }
    }
    return kinds;
}

// How well a kind answers for a stack; 0: not at all.
static int rank_of_kind(enum hr_frame_kind kind)
{
    static const int RANKS[] = {[HR_FRAME_ALLOCATOR] = 0,
                                [HR_FRAME_RUNTIME] = 1,
                                [HR_FRAME_UNKNOWN] = 2,
                                [HR_FRAME_LIBRARY] = 3,
                                [HR_FRAME_APP] = 4};
    return RANKS[kind];
}

static bool shared_by_most(const uint32_t *stacks_of_location, uint32_t location, uint32_t stacks)
{
    return stacks > 2 && stacks_of_location[location] > stacks / 2;
}

static uint32_t responsible_frame(const struct hr_stack *stack, const struct hr_symbols *symbols,
                                  const enum hr_frame_kind *kinds,
                                  const uint32_t *stacks_of_location, uint32_t stacks)
{
    uint32_t best = HR_FRAME_NONE;
    uint32_t last = HR_FRAME_NONE;
    int best_rank = 0;
    for (uint32_t i = 0; i < stack->depth; i++) {
        const struct hr_location *location = &symbols->locations[stack->locations[i]];
        for (uint32_t f = location->first_frame; f < location->first_frame + location->frame_count;
             f++) {
            last = f;
            if (rank_of_kind(kinds[f]) <= best_rank ||
                (kinds[f] == HR_FRAME_UNKNOWN &&
                 shared_by_most(stacks_of_location, stack->locations[i], stacks))) {
                continue;
            }
            best = f;
            best_rank = rank_of_kind(kinds[f]);
        }
    }
    return best == HR_FRAME_NONE ? last : best;
}

const uint32_t *hr_responsible_frames_compute(struct hr_arena *arena, const struct hr_run *run,
                                              const struct hr_symbols *symbols,
                                              const enum hr_frame_kind *kinds)
{
    const uint32_t stacks = hr_stacks_count(run->stacks);
    g_autofree uint32_t *stacks_of_location = g_new0(uint32_t, symbols->locations_count + 1);
    for (uint32_t s = 0; s < stacks; s++) {
        const struct hr_stack stack = hr_stacks_get(run->stacks, s);
        for (uint32_t i = 0; i < stack.depth; i++) {
            stacks_of_location[stack.locations[i]]++;
        }
    }
    uint32_t *frames = HR_ARENA_ARRAY(arena, uint32_t, stacks);
    for (uint32_t s = 0; s < stacks; s++) {
        const struct hr_stack stack = hr_stacks_get(run->stacks, s);
        frames[s] = responsible_frame(&stack, symbols, kinds, stacks_of_location, stacks);
    }
    return frames;
}
