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

// The rules of one field, each with the byte that its glob begins with: of hundreds of rules most
// are told from a text by that byte alone.
struct field_rules {
    char *first_bytes; // '*' where any byte may stand
    uint32_t *numbers; // in rules->frame_rules
    uint32_t count;
};

static void field_rules_init(struct field_rules *of_field, const struct hr_rules *rules,
                             enum hr_frame_field field)
{
    *of_field = (struct field_rules){.first_bytes = g_new(char, rules->frame_rules_count + 1),
                                     .numbers = g_new(uint32_t, rules->frame_rules_count + 1)};
    for (uint32_t i = 0; i < rules->frame_rules_count; i++) {
        if (rules->frame_rules[i].field == field) {
            const char first = rules->frame_rules[i].glob[0];
            of_field->first_bytes[of_field->count] = first == '?' ? '*' : first;
            of_field->numbers[of_field->count++] = i;
        }
    }
}

static void field_rules_clear(struct field_rules *of_field)
{
    g_free(of_field->first_bytes);
    g_free(of_field->numbers);
}

// Rules by field, and what is known of files and modules, by text: they are few and long, and come
// again in frame after frame.
struct matcher {
    const struct hr_rules *rules;
    struct field_rules functions;
    struct field_rules files;
    struct field_rules modules;
    GHashTable *known_files;
    GHashTable *known_modules;
};

static void matcher_init(struct matcher *matcher, const struct hr_rules *rules)
{
    matcher->rules = rules;
    field_rules_init(&matcher->functions, rules, HR_FIELD_FUNCTION);
    field_rules_init(&matcher->files, rules, HR_FIELD_FILE);
    field_rules_init(&matcher->modules, rules, HR_FIELD_MODULE);
    matcher->known_files = g_hash_table_new(NULL, NULL);
    matcher->known_modules = g_hash_table_new(NULL, NULL);
}

static void matcher_clear(struct matcher *matcher)
{
    field_rules_clear(&matcher->functions);
    field_rules_clear(&matcher->files);
    field_rules_clear(&matcher->modules);
    g_hash_table_destroy(matcher->known_files);
    g_hash_table_destroy(matcher->known_modules);
}

// The first rule of that field that fits, by number; the count of all rules when none does.
static size_t first_rule(const struct matcher *matcher, const struct field_rules *of_field,
                         const char *text)
{
    const struct hr_rules *rules = matcher->rules;
    for (uint32_t i = 0; text && i < of_field->count; i++) {
        const char first = of_field->first_bytes[i];
        if ((first == *text || first == '*') &&
            hr_glob_match(rules->frame_rules[of_field->numbers[i]].glob, text)) {
            return of_field->numbers[i];
        }
    }
    return rules->frame_rules_count;
}

static size_t known_rule(const struct matcher *matcher, const struct field_rules *of_field,
                         const char *text, GHashTable *known)
{
    gpointer rule = NULL;
    if (!g_hash_table_lookup_extended(known, text, NULL, &rule)) {
        rule = GSIZE_TO_POINTER(first_rule(matcher, of_field, text));
        g_hash_table_insert(known, GSIZE_TO_POINTER((gsize)text), rule);
    }
    return GPOINTER_TO_SIZE(rule);
}

static enum hr_frame_kind kind_by_rules(const struct frame_view *view,
                                        const struct matcher *matcher)
{
    const struct hr_rules *rules = matcher->rules;
    const size_t by_file = known_rule(matcher, &matcher->files, view->file, matcher->known_files);
    const size_t by_module =
        known_rule(matcher, &matcher->modules, view->module, matcher->known_modules);
    const size_t by_function = first_rule(matcher, &matcher->functions, view->function);
    const size_t first = MIN(by_function, MIN(by_file, by_module));
    return first < rules->frame_rules_count ? rules->frame_rules[first].kind : HR_FRAME_UNKNOWN;
}

const enum hr_frame_kind *hr_frame_kinds_compute(struct hr_arena *arena,
                                                 const struct hr_symbols *symbols,
                                                 const struct hr_rules *rules)
{
    enum hr_frame_kind *kinds = HR_ARENA_ARRAY(arena, enum hr_frame_kind, symbols->frames_count);
    g_autoptr(GHashTable) seen = g_hash_table_new(view_hash, view_equal);
    struct matcher matcher;
    matcher_init(&matcher, rules);
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
            kinds[f] = kind_by_rules(&view, &matcher);
            g_hash_table_insert(seen, hr_arena_copy(arena, &view, 1, sizeof view),
                                GUINT_TO_POINTER(kinds[f]));
        }
    }
    matcher_clear(&matcher);
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
            if (kinds[f] == HR_FRAME_APP) {
                return f; // nothing ranks higher
            }
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
