// SPDX-License-Identifier: MIT
#include "base/symbol.h"

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#define OPERATOR "operator"
#define OPERATOR_SIGNS_MAX 3 // "<=>", "<<=", "->*"

// How many letters of a name lie how deep inside lists. A bracket lies where its list does.
struct depths {
    unsigned deepest;
    size_t *letters; // by depth
    size_t *lists;   // by depth
};

// The brackets of "operator<", "->" and "=>" enclose nothing.
static bool is_bracket(const char *name, const char *at)
{
    if ((*at != '<' && *at != '>') ||
        (*at == '>' && at > name && (at[-1] == '-' || at[-1] == '='))) {
        return false;
    }
    const char *start = at;
    while (start > name && at - start < OPERATOR_SIGNS_MAX - 1 && strchr("<>=-", start[-1])) {
        start--;
    }
    const size_t length = strlen(OPERATOR);
    return (size_t)(start - name) < length || memcmp(start - length, OPERATOR, length) != 0;
}

static void clear_depths(struct depths *depths)
{
    g_free(depths->letters);
    g_free(depths->lists);
}

// False when brackets do not match.
static bool find_depths(const char *name, struct depths *depths)
{
    const size_t most = strlen(name) / 2 + 1;
    *depths = (struct depths){0, g_new0(size_t, most + 1), g_new0(size_t, most + 1)};
    unsigned depth = 0;
    for (const char *p = name; *p; p++) {
        const bool bracket = is_bracket(name, p);
        if (bracket && *p == '>' && depth-- == 0) {
            return false;
        }
        depths->letters[MIN(depth, most)] += ((unsigned char)*p & 0xc0) != 0x80;
        if (bracket && *p == '<') {
            depths->lists[MIN(depth, most)]++;
            depth++;
            depths->deepest = MAX(depths->deepest, depth);
        }
    }
    return depth == 0;
}

// Keeps what is less than `level` lists deep.
static char *fold_level(const char *name, unsigned level)
{
    GString *out = g_string_new(NULL);
    unsigned depth = 0;
    for (const char *p = name; *p; p++) {
        const bool bracket = is_bracket(name, p);
        if (bracket && *p == '>') {
            depth--;
        }
        if (depth < level) {
            g_string_append_c(out, *p);
        }
        if (bracket && *p == '<' && ++depth == level) {
            g_string_append(out, "…");
        }
    }
    return g_string_free(out, FALSE);
}

// A name in Rust begins with the type whose method it is, "<Type<A> as Trait<B>>::method": the
// outermost list is the name then, and stays.
static unsigned outermost_level(const char *name)
{
    return *name == '<' ? 2 : 1;
}

// The deepest level at which the folded name is short enough; the outermost one when none is.
static unsigned choose_level(const struct depths *depths, unsigned outermost, size_t limit_letters)
{
    unsigned chosen = outermost;
    size_t kept = 0;
    for (unsigned level = 1; level <= depths->deepest; level++) {
        kept += depths->letters[level - 1];
        if (kept + depths->lists[level - 1] <= limit_letters) {
            chosen = MAX(level, outermost);
        }
    }
    return chosen;
}

char *hr_symbol_fold(const char *name, size_t limit_letters)
{
    if ((size_t)g_utf8_strlen(name, -1) <= limit_letters) {
        return NULL;
    }
    struct depths depths;
    const unsigned outermost = outermost_level(name);
    const bool has_lists = find_depths(name, &depths) && depths.deepest >= outermost;
    char *folded =
        has_lists ? fold_level(name, choose_level(&depths, outermost, limit_letters)) : NULL;
    clear_depths(&depths);
    return folded;
}
