// SPDX-License-Identifier: MIT
#include "analysis/groups.h"

#include "analysis/frame_kinds.h"

#include <string.h>

#define NO_STACK_NAME "[no stack recorded]"
#define FINGERPRINT_DIGITS 12
#define RUST_HASH_DIGITS 16
#define CLOSURE_MARK "::{{closure}}"

// Marks that compilers put behind the names of cloned and split functions.
static const char *const CLONE_MARKS[] = {".llvm.",      ".cold",      ".isra.",  ".part.",
                                          ".constprop.", ".lto_priv.", ".clone.", ".localalias"};

// Rust's closures and async bodies belong to the function they are written in.
static size_t length_without_closures(const char *name, size_t length)
{
    const size_t mark = strlen(CLOSURE_MARK);
    while (length > mark && strncmp(name + length - mark, CLOSURE_MARK, mark) == 0) {
        length -= mark;
    }
    return length;
}

// Length of `name` without "::h" and sixteen hex digits at its end.
static size_t length_without_hash(const char *name, size_t length)
{
    if (length <= RUST_HASH_DIGITS + 3) {
        return length;
    }
    const char *hash = name + length - RUST_HASH_DIGITS;
    if (strncmp(hash - 3, "::h", 3) != 0) {
        return length;
    }
    for (int i = 0; i < RUST_HASH_DIGITS; i++) {
        if (!g_ascii_isxdigit(hash[i])) {
            return length;
        }
    }
    return length - RUST_HASH_DIGITS - 3;
}

const char *hr_group_normalise_name(struct hr_arena *arena, const char *name)
{
    size_t length = strlen(name);
    for (size_t i = 0; i < G_N_ELEMENTS(CLONE_MARKS); i++) {
        const char *mark = strstr(name, CLONE_MARKS[i]);
        if (mark && mark > name) {
            length = MIN(length, (size_t)(mark - name));
        }
    }
    // demanglers write a clone as "f() [clone .cold]"
    const char *clone = strstr(name, " [clone ");
    if (clone && clone > name) {
        length = MIN(length, (size_t)(clone - name));
    }
    length = length_without_closures(name, length_without_hash(name, length));
    return hr_arena_strndup(arena, name, length);
}

const char *hr_group_fingerprint(struct hr_arena *arena, const char *normalised_name)
{
    g_autofree char *digest = g_compute_checksum_for_string(G_CHECKSUM_SHA256, normalised_name, -1);
    return hr_arena_strndup(arena, digest, FINGERPRINT_DIGITS);
}

// Normalised names of frames; many frames share one name, which is normalised once.
static const char *name_of_frame(struct hr_arena *arena, GHashTable *names,
                                 const struct hr_symbols *symbols, uint32_t frame)
{
    if (frame == HR_FRAME_NONE) {
        return NO_STACK_NAME;
    }
    const char *name = symbols->frames[frame].key_name ? symbols->frames[frame].key_name
                                                       : symbols->frames[frame].function;
    const char *normalised = g_hash_table_lookup(names, name);
    if (!normalised) {
        normalised = hr_group_normalise_name(arena, name);
        g_hash_table_insert(names, (gpointer)(uintptr_t)name, (gpointer)(uintptr_t)normalised);
    }
    return normalised;
}

struct hr_groups hr_groups_compute(struct hr_arena *arena, const struct hr_run *run,
                                   const struct hr_symbols *symbols,
                                   const uint32_t *responsible_frames)
{
    const uint32_t stacks = hr_stacks_count(run->stacks);
    struct hr_group *groups = HR_ARENA_ARRAY(arena, struct hr_group, stacks);
    uint32_t *of_stack = HR_ARENA_ARRAY(arena, uint32_t, stacks);
    size_t count = 0;
    g_autoptr(GHashTable) names = g_hash_table_new(g_str_hash, g_str_equal);
    g_autoptr(GHashTable) ids = g_hash_table_new(g_str_hash, g_str_equal);
    for (uint32_t s = 0; s < stacks; s++) {
        const char *name = name_of_frame(arena, names, symbols, responsible_frames[s]);
        gpointer id = NULL;
        if (!g_hash_table_lookup_extended(ids, name, NULL, &id)) {
            id = GSIZE_TO_POINTER(count);
            g_hash_table_insert(ids, (gpointer)(uintptr_t)name, id);
            groups[count++] = (struct hr_group){.name = name, .frame = responsible_frames[s]};
        }
        of_stack[s] = (uint32_t)GPOINTER_TO_SIZE(id);
    }
    return (struct hr_groups){groups, count, of_stack};
}
