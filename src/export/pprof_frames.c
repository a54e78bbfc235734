// SPDX-License-Identifier: MIT
#include "export/pprof_frames.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

bool hr_pprof_is_named(const struct hr_symbols *symbols, const struct hr_location *location)
{
    for (uint32_t i = 0; i < location->frame_count; i++) {
        if (symbols->frames[location->first_frame + i].trust != HR_TRUST_NONE) {
            return true;
        }
    }
    return false;
}

char *hr_pprof_stand_in(const struct hr_export_model *model, const struct hr_location *location)
{
    if (!model->frame_kinds || location->module == HR_MODULE_NONE ||
        hr_pprof_is_named(model->symbols, location) ||
        model->frame_kinds[location->first_frame] != HR_FRAME_ALLOCATOR) {
        return NULL;
    }
    const char *path = model->symbols->modules[location->module].path;
    g_autofree char *name = g_path_get_basename(hr_redaction_path(model->redaction, path));
    return g_strdup_printf("[%s]", name);
}

// pprof compares the name up to its first parenthesis, but for the two that belong to the name.
static size_t compared_length(const char *name)
{
    static const char *const kept[] = {"(anonymous namespace)", "operator()"};
    const char *at = name;
    while (*at) {
        size_t skipped = 0;
        for (size_t i = 0; i < G_N_ELEMENTS(kept); i++) {
            skipped = g_str_has_prefix(at, kept[i]) ? strlen(kept[i]) : skipped;
        }
        if (skipped == 0 && *at == '(') {
            break;
        }
        at += skipped > 0 ? skipped : 1;
    }
    return (size_t)(at - name);
}

// In RE2 a backslash takes the meaning of every mark of ASCII; other bytes mean themselves.
static char *quoted(const char *name)
{
    GString *out = g_string_new(NULL);
    const size_t length = compared_length(name);
    for (size_t i = 0; i < length; i++) {
        if (g_ascii_ispunct(name[i]) && name[i] != '_') {
            g_string_append_c(out, '\\');
        }
        g_string_append_c(out, name[i]);
    }
    return g_string_free(out, FALSE);
}

struct kinds_of_name {
    bool allocator, other;
};

static void note_frame(GHashTable *names, const char *function, enum hr_frame_kind kind)
{
    struct kinds_of_name *kinds = g_hash_table_lookup(names, function);
    if (!kinds) {
        kinds = g_new0(struct kinds_of_name, 1);
        g_hash_table_insert(names, (gpointer)(uintptr_t)function, kinds);
    }
    kinds->allocator |= kind == HR_FRAME_ALLOCATOR;
    kinds->other |= kind != HR_FRAME_ALLOCATOR;
}

static int compare_texts(const void *left, const void *right)
{
    return strcmp(*(const char *const *)left, *(const char *const *)right);
}

// Names are the symbols' own, which are interned; what is kept here is owned by the list.
static void add_only_allocator(GHashTable *names, struct hr_redaction *redaction, GHashTable *list)
{
    GHashTableIter iterator;
    gpointer name;
    gpointer kinds;
    g_hash_table_iter_init(&iterator, names);
    while (g_hash_table_iter_next(&iterator, &name, &kinds)) {
        const struct kinds_of_name *of = kinds;
        if (of->allocator && !of->other) {
            g_hash_table_add(list, quoted(hr_redaction_symbol(redaction, name)));
        }
    }
}

// The quoted names of the allocator as a set that owns them.
static GHashTable *allocator_names(const struct hr_export_model *model, const bool *used)
{
    const struct hr_symbols *symbols = model->symbols;
    GHashTable *list = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    g_autoptr(GHashTable) names = g_hash_table_new_full(NULL, NULL, NULL, g_free);
    for (uint32_t l = 0; l < symbols->locations_count; l++) {
        const struct hr_location *location = &symbols->locations[l];
        g_autofree char *stand_in = used[l] ? hr_pprof_stand_in(model, location) : NULL;
        if (stand_in) {
            g_hash_table_add(list, quoted(stand_in));
        }
        for (uint32_t i = 0; used[l] && i < location->frame_count; i++) {
            const uint32_t frame = location->first_frame + i;
            if (symbols->frames[frame].trust != HR_TRUST_NONE) {
                note_frame(names, symbols->frames[frame].function, model->frame_kinds[frame]);
            }
        }
    }
    add_only_allocator(names, model->redaction, list);
    return list;
}

char *hr_pprof_drop_frames(const struct hr_export_model *model, const bool *used)
{
    if (!model->frame_kinds) {
        return g_strdup("");
    }
    g_autoptr(GHashTable) names = allocator_names(model, used);
    guint count;
    g_autofree gpointer *sorted = g_hash_table_get_keys_as_array(names, &count);
    qsort(sorted, count, sizeof *sorted, compare_texts); // no order of a hash in an output
    return g_strjoinv("|", (char **)sorted);             // ends with NULL
}
