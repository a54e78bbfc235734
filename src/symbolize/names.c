// SPDX-License-Identifier: MIT
#include "symbolize/names.h"

#include <libiberty/demangle.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

// A longer symbol is shown as it is: demanglers can take very long over a made-up one.
#define SYMBOL_MAX_BYTES 16384

// Argument lists up to this length, with no list inside, are shown: Vec<u8>.
#define SHORT_ARGUMENTS_MAX_BYTES 16

#define FOLDED_ARGUMENTS "<\u2026>"

struct hr_names {
    struct hr_strings *strings;
    GHashTable *by_symbol; // symbol -> struct hr_name
};

// What compilers and linkers put behind a name for a copy or a part of one function.
static const char *const part_suffixes[] = {
    "cold",     "hot",        "warm", "isra",  "constprop", "part",
    "lto_priv", "localalias", "llvm", "clone", "__uniq",
};

static bool is_part_suffix(const char *word, size_t length)
{
    for (size_t i = 0; i < G_N_ELEMENTS(part_suffixes); i++) {
        if (strlen(part_suffixes[i]) == length && memcmp(part_suffixes[i], word, length) == 0) {
            return true;
        }
    }
    return false;
}

// Length of `symbol` without its suffixes ".llvm.123", ".cold", ".isra.0.cold".
static size_t measure_stem(const char *symbol, size_t length)
{
    size_t stem = length;
    size_t at = length;
    while (at > 0) {
        size_t dot = at;
        while (dot > 0 && symbol[dot - 1] != '.') {
            dot--;
        }
        if (dot <= 1) {
            break;
        }
        const char *word = symbol + dot;
        const size_t word_length = at - dot;
        if (is_part_suffix(word, word_length)) {
            stem = dot - 1;
        } else if (strspn(word, "0123456789abcdefABCDEF") < word_length || word_length == 0) {
            break;
        }
        at = dot - 1;
    }
    return stem;
}

static char *demangle(const char *symbol)
{
    char *demangled = NULL;
    if (g_str_has_prefix(symbol, "_R") || g_str_has_prefix(symbol, "_ZN")) {
        demangled = rust_demangle(symbol, DMGL_PARAMS);
    }
    if (!demangled && g_str_has_prefix(symbol, "_Z")) {
        demangled = cplus_demangle_v3(symbol, DMGL_PARAMS | DMGL_ANSI | DMGL_RET_DROP);
    }
    return demangled;
}

static bool is_word(char c)
{
    return g_ascii_isalnum(c) || c == '_' || c == '$' || (unsigned char)c >= 0x80;
}

// Length of the operator's sign at `text`, which follows "operator"; 0 when no angle is in it.
static size_t measure_operator(const char *text)
{
    static const char *const signs[] = {"<<=", ">>=", "<=>", "->*", "<<", ">>",
                                        "<=",  ">=",  "->",  "<",   ">"};
    for (size_t i = 0; i < G_N_ELEMENTS(signs); i++) {
        if (g_str_has_prefix(text, signs[i])) {
            return strlen(signs[i]);
        }
    }
    return 0;
}

// Length of what must be taken as one piece at text[at]: an arrow, an operator with angles in its
// sign, or one byte.
static size_t measure_piece(const char *text, size_t at)
{
    if (text[at] == '-' && text[at + 1] == '>') {
        return 2;
    }
    if (text[at] == 'o' && (at == 0 || !is_word(text[at - 1])) &&
        g_str_has_prefix(text + at, "operator")) {
        const size_t word = strlen("operator");
        return word + measure_operator(text + at + word);
    }
    return 1;
}

// The '>' that closes the '<' at text[at], or 0.
static size_t find_close(const char *text, size_t at)
{
    size_t depth = 0;
    while (text[at]) {
        const size_t piece = measure_piece(text, at);
        if (piece == 1 && text[at] == '<') {
            depth++;
        } else if (piece == 1 && text[at] == '>' && --depth == 0) {
            return at;
        }
        at += piece;
    }
    return 0;
}

// True when the '<' at text[at] opens generic arguments; false for the head of <T as Trait> and
// <impl Trait for T>, which are the name itself.
static bool opens_arguments(const char *text, size_t at)
{
    if (at == 0 || g_str_has_prefix(text + at, "<impl ")) {
        return false;
    }
    const char before = text[at - 1];
    if (before == ' ') { // "operator< <int>"
        return at >= 2 && strchr("<>=-", text[at - 2]) != NULL;
    }
    return is_word(before) || before == ')' || before == '}' || before == ':' || before == ']';
}

// Writes `text` with long argument lists folded.
static char *fold(const char *text)
{
    GString *out = g_string_sized_new(strlen(text) + 1);
    size_t at = 0;
    while (text[at]) {
        const size_t piece = measure_piece(text, at);
        const bool list = piece == 1 && text[at] == '<' && opens_arguments(text, at);
        const size_t close = list ? find_close(text, at) : 0;
        if (close == 0) {
            g_string_append_len(out, text + at, (gssize)piece);
            at += piece;
            continue;
        }
        const size_t inside = close - at - 1;
        if (inside > SHORT_ARGUMENTS_MAX_BYTES || memchr(text + at + 1, '<', inside)) {
            g_string_append(out, FOLDED_ARGUMENTS);
        } else {
            g_string_append_len(out, text + at, (gssize)inside + 2);
        }
        at = close + 1;
    }
    return g_string_free(out, FALSE);
}

static struct hr_name *compose(struct hr_names *names, const char *symbol)
{
    struct hr_name *name = g_new0(struct hr_name, 1);
    const size_t length = strlen(symbol);
    g_autofree char *stem = g_strndup(symbol, measure_stem(symbol, length));
    char *demangled = length <= SYMBOL_MAX_BYTES ? demangle(stem) : NULL;
    const char *whole = demangled ? demangled : stem;
    g_autofree char *folded = demangled || strchr(whole, '<') ? fold(whole) : NULL;
    name->key_name = hr_strings_intern(names->strings, whole);
    name->function = folded ? hr_strings_intern(names->strings, folded) : name->key_name;
    free(demangled);
    return name;
}

// Names are long and share their beginnings: g_str_hash() took a tenth of the whole time.
static guint hash_symbol(gconstpointer symbol)
{
    return (guint)XXH3_64bits(symbol, strlen(symbol));
}

struct hr_names *hr_names_new(struct hr_strings *strings)
{
    struct hr_names *names = g_new0(struct hr_names, 1);
    names->strings = strings;
    names->by_symbol = g_hash_table_new_full(hash_symbol, g_str_equal, g_free, g_free);
    return names;
}

void hr_names_free(struct hr_names *names)
{
    if (names) {
        g_hash_table_unref(names->by_symbol);
        g_free(names);
    }
}

struct hr_name hr_names_get(struct hr_names *names, const char *symbol)
{
    struct hr_name *found = g_hash_table_lookup(names->by_symbol, symbol);
    if (!found) {
        found = compose(names, symbol);
        g_hash_table_insert(names->by_symbol, g_strdup(symbol), found);
    }
    return *found;
}
