// SPDX-License-Identifier: MIT
#include "render/shorten.h"

#include "base/symbol.h"

#include <string.h>

#define FRONT_CUT_MIN_SHARE 0.5
#define MIDDLE_LETTERS_MIN 3

struct face {
    struct hr_fonts *fonts;
    enum hr_font font;
    double size;
};

static bool fits(const struct face *face, const char *text, double width)
{
    return hr_fonts_measure(face->fonts, face->font, face->size, text) <= width;
}

// Behind a joint of the outermost level at `p`, "::" or "/"; NULL where there is none.
static const char *find_tail(const char *p)
{
    if (p[0] == ':' && p[1] == ':') {
        return p + 2;
    }
    return *p == '/' ? p : NULL;
}

static int depth_change(char letter)
{
    return letter && strchr("<({[", letter) ? 1 : letter && strchr(">)}]", letter) ? -1 : 0;
}

// Where the name starts behind the words before it ("S1 ").
static const char *find_name(const char *text)
{
    const char *start = text;
    int depth = 0;
    for (const char *p = text; *p; p++) {
        depth += depth_change(*p);
        if (depth == 0 && find_tail(p)) {
            break;
        }
        if (depth == 0 && *p == ' ') {
            start = p + 1;
        }
    }
    return start;
}

// Folds as few levels of arguments as it takes; what is still too wide then has none left. NULL
// when there are none to fold.
static char *fold(const struct face *face, const char *text, double width)
{
    const char *name = find_name(text);
    g_autofree char *folded = NULL;
    size_t letters = (size_t)g_utf8_strlen(name, -1);
    while (letters > 0) {
        g_autofree char *next = hr_symbol_fold(name, letters - 1);
        const size_t left = next ? (size_t)g_utf8_strlen(next, -1) : letters;
        if (left >= letters) {
            break;
        }
        g_free(folded);
        folded = g_strdup_printf("%.*s%s", (int)(name - text), text, next);
        letters = left;
        if (fits(face, folded, width)) {
            break;
        }
    }
    return g_steal_pointer(&folded);
}

// Leaves out as few scopes or directories at the front as it takes: what a name says stands at its
// end. NULL when the last part does not fit, or would leave most of the room empty.
static char *cut_front(const struct face *face, const char *text, double width)
{
    const char *name = find_name(text);
    int depth = 0;
    for (const char *p = name; *p; p++) {
        depth += depth_change(*p);
        const char *tail = depth == 0 ? find_tail(p) : NULL;
        if (!tail || p == name || *tail == '{') { // "::{{closure}}" alone is no name
            continue;
        }
        g_autofree char *cut = g_strdup_printf("%.*s" HR_CUT "%s", (int)(name - text), text, tail);
        if (fits(face, cut, width)) {
            return fits(face, cut, FRONT_CUT_MIN_SHARE * width) ? NULL : g_steal_pointer(&cut);
        }
    }
    return NULL;
}

// The first third and the last two of `kept` characters.
static char *join_ends(const char *text, glong length, glong kept)
{
    g_autofree char *front = g_utf8_substring(text, 0, kept / 3);
    return g_strconcat(front, HR_CUT, g_utf8_offset_to_pointer(text, length - kept + kept / 3),
                       NULL);
}

static char *cut_middle(const struct face *face, const char *text, double width)
{
    const glong length = g_utf8_strlen(text, -1);
    glong low = 0;
    glong high = length;
    g_autofree char *best = NULL;
    while (low < high) {
        const glong kept = (low + high + 1) / 2;
        g_autofree char *candidate = join_ends(text, length, kept);
        if (fits(face, candidate, width)) {
            low = kept;
            g_free(best);
            best = g_steal_pointer(&candidate);
        } else {
            high = kept - 1;
        }
    }
    return low >= MIDDLE_LETTERS_MIN ? g_steal_pointer(&best) : NULL;
}

char *hr_shorten(struct hr_fonts *fonts, enum hr_font font, double size, const char *text,
                 double width)
{
    const struct face face = {fonts, font, size};
    g_autofree char *whole = g_utf8_make_valid(text, -1);
    if (fits(&face, whole, width)) {
        return g_steal_pointer(&whole);
    }
    g_autofree char *folded = fold(&face, whole, width);
    if (folded && fits(&face, folded, width)) {
        return g_steal_pointer(&folded);
    }
    const char *left = folded ? folded : whole;
    char *cut = cut_front(&face, left, width);
    return cut ? cut : cut_middle(&face, left, width);
}
