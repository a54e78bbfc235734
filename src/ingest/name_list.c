// SPDX-License-Identifier: MIT
//
//   --- symbol
//   binary=<path>                                   skipped
//   0x<address> <outermost>--<inlined>--<innermost>
//   ---
//   --- heap
//   <a dump>
//
// Source: jeprof and pprof (gperftools), PrintSymbolizedProfile and ReadSymbols. The address is
// that of the stack or the byte before it: model/given.h looks for both.
#include "ingest/name_list.h"

#include "base/cursor.h"

#include <string.h>

void hr_name_list_init(struct hr_name_list *list)
{
    list->arena = hr_arena_new();
    list->strings = hr_strings_new(list->arena);
    list->names = g_array_new(FALSE, FALSE, sizeof(struct hr_given_name));
    list->frames = g_array_new(FALSE, FALSE, sizeof(struct hr_given_frame));
}

void hr_name_list_clear(struct hr_name_list *list)
{
    g_array_unref(list->names);
    g_array_unref(list->frames);
    hr_strings_free(list->strings);
    hr_arena_free(list->arena);
}

void hr_name_list_restart(struct hr_name_list *list)
{
    g_array_set_size(list->names, 0);
    g_array_set_size(list->frames, 0);
}

bool hr_name_list_add(struct hr_name_list *list, uint64_t address,
                      const struct hr_given_frame *frames, uint32_t count)
{
    if (count == 0 || count > HR_NAME_FRAMES_MAX || list->frames->len > HR_NAME_LIST_MAX - count) {
        return false;
    }
    const struct hr_given_name name = {address, list->frames->len, count};
    for (uint32_t i = 0; i < count; i++) {
        struct hr_given_frame frame = frames[i];
        frame.symbol = hr_strings_intern(list->strings, frame.symbol);
        frame.file = frame.file ? hr_strings_intern(list->strings, frame.file) : NULL;
        g_array_append_val(list->frames, frame);
    }
    g_array_append_val(list->names, name);
    return true;
}

struct hr_given_names hr_name_list_get(const struct hr_name_list *list)
{
    return (struct hr_given_names){
        .names = (const struct hr_given_name *)(void *)list->names->data,
        .names_count = list->names->len,
        .frames = (const struct hr_given_frame *)(void *)list->frames->data,
    };
}

// The last "--" that is no C++ operator.
static char *find_last_mark(char *chain)
{
    static const char operator_name[] = "operator";
    const size_t length = sizeof operator_name - 1;
    for (char *at = chain + strlen(chain); at-- > chain;) {
        const bool named =
            (size_t)(at - chain) >= length && memcmp(at - length, operator_name, length) == 0;
        if (at[0] == '-' && at[1] == '-' && !named) {
            return at;
        }
    }
    return NULL;
}

// Splits the chain at "--", from its end: innermost first.
static bool add_chain(struct hr_name_list *list, uint64_t address, char *chain)
{
    struct hr_given_frame frames[HR_NAME_FRAMES_MAX];
    uint32_t count = 0;
    for (char *mark; (mark = find_last_mark(chain)); *mark = '\0') {
        if (mark[2] == '\0') {
            continue;
        }
        if (count + 1 == HR_NAME_FRAMES_MAX) {
            return false;
        }
        frames[count++] = (struct hr_given_frame){.symbol = mark + 2};
    }
    if (*chain) {
        frames[count++] = (struct hr_given_frame){.symbol = chain};
    }
    return hr_name_list_add(list, address, frames, count);
}

bool hr_name_list_read_line(struct hr_name_list *list, const char *line, size_t length)
{
    struct hr_cursor cursor;
    hr_cursor_init(&cursor, line, length);
    if (hr_cursor_take_if(&cursor, "binary=")) {
        return true;
    }
    hr_cursor_expect(&cursor, "0x");
    const uint64_t address = hr_cursor_take_hex(&cursor);
    hr_cursor_skip_blanks(&cursor);
    if (!hr_cursor_ok(&cursor) || hr_cursor_at_end(&cursor)) {
        return false;
    }
    g_autofree char *chain = g_strndup(cursor.at, (gsize)(cursor.end - cursor.at));
    if (g_str_has_prefix(chain, "0x")) {
        return true;
    }
    return add_chain(list, address, g_strchomp(chain));
}

void hr_name_merge_init(struct hr_name_merge *merge, const struct hr_given_names *given)
{
    merge->names = g_array_new(FALSE, FALSE, sizeof(struct hr_given_name));
    merge->frames = g_array_new(FALSE, FALSE, sizeof(struct hr_given_frame));
    merge->known = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
    hr_name_merge_add(merge, NULL, given);
}

void hr_name_merge_clear(struct hr_name_merge *merge)
{
    g_array_unref(merge->names);
    g_array_unref(merge->frames);
    g_hash_table_unref(merge->known);
}

void hr_name_merge_add(struct hr_name_merge *merge, struct hr_strings *strings,
                       const struct hr_given_names *more)
{
    for (uint32_t i = 0; i < more->names_count; i++) {
        struct hr_given_name name = more->names[i];
        if (g_hash_table_contains(merge->known, &name.address)) {
            continue;
        }
        g_hash_table_add(merge->known, g_memdup2(&name.address, sizeof name.address));
        const struct hr_given_frame *frames = more->frames + name.first_frame;
        name.first_frame = merge->frames->len;
        for (uint32_t f = 0; f < name.frames_count; f++) {
            struct hr_given_frame frame = frames[f];
            if (strings) {
                frame.symbol = hr_strings_intern(strings, frame.symbol);
                frame.file = frame.file ? hr_strings_intern(strings, frame.file) : NULL;
            }
            g_array_append_val(merge->frames, frame);
        }
        g_array_append_val(merge->names, name);
    }
}

static int compare_addresses(const void *left, const void *right)
{
    const uint64_t a = ((const struct hr_given_name *)left)->address;
    const uint64_t b = ((const struct hr_given_name *)right)->address;
    return (a > b) - (a < b);
}

struct hr_given_names hr_name_merge_finish(struct hr_name_merge *merge, struct hr_arena *arena)
{
    g_array_sort(merge->names, compare_addresses);
    return (struct hr_given_names){
        .names = hr_arena_copy(arena, merge->names->data, merge->names->len,
                               sizeof(struct hr_given_name)),
        .names_count = merge->names->len,
        .frames = hr_arena_copy(arena, merge->frames->data, merge->frames->len,
                                sizeof(struct hr_given_frame)),
    };
}
