// SPDX-License-Identifier: MIT
#include "base/symbol.h"

#include <glib.h>
#include <stdbool.h>
#include <string.h>

#define OPERATOR "operator"

// The brackets of "operator<", "->" and "=>" enclose nothing.
static bool is_bracket(const char *name, const char *at)
{
    if (*at == '>' && at > name && (at[-1] == '-' || at[-1] == '=')) {
        return false;
    }
    const char *start = at;
    while (start > name && strchr("<>=-", start[-1])) {
        start--;
    }
    const size_t length = strlen(OPERATOR);
    return (size_t)(start - name) < length || memcmp(start - length, OPERATOR, length) != 0;
}

// The depth of the deepest list; 0 when there is none or brackets do not match.
static unsigned find_depth(const char *name)
{
    unsigned depth = 0;
    unsigned deepest = 0;
    for (const char *p = name; *p; p++) {
        if ((*p != '<' && *p != '>') || !is_bracket(name, p)) {
            continue;
        }
        if (*p == '>' && depth == 0) {
            return 0;
        }
        depth += *p == '<' ? 1 : -1U;
        deepest = MAX(deepest, depth);
    }
    return depth == 0 ? deepest : 0;
}

// Keeps what is less than `level` lists deep.
static char *fold_level(const char *name, unsigned level)
{
    GString *out = g_string_new(NULL);
    unsigned depth = 0;
    for (const char *p = name; *p; p++) {
        const bool bracket = (*p == '<' || *p == '>') && is_bracket(name, p);
        depth -= bracket && *p == '>';
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

char *hr_symbol_fold(const char *name, size_t limit_letters)
{
    if ((size_t)g_utf8_strlen(name, -1) <= limit_letters) {
        return NULL;
    }
    char *folded = NULL;
    for (unsigned level = find_depth(name); level >= outermost_level(name); level--) {
        g_free(folded);
        folded = fold_level(name, level);
        if ((size_t)g_utf8_strlen(folded, -1) <= limit_letters) {
            break;
        }
    }
    return folded;
}
