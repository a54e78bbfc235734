// SPDX-License-Identifier: MIT
#include "result/redaction.h"

#include "base/symbol.h"

#include <string.h>

#define HASH_DIGITS 8

struct hr_redaction {
    unsigned what;
    GHashTable *pseudonyms; // name -> pseudonym, both owned
    unsigned paths_count;
    unsigned symbols_count;
    GPtrArray *names; // the table's names, longest first; NULL while it is not needed
};

bool hr_redact_parse(const char *list, unsigned *what, GError **error)
{
    unsigned found = 0;
    g_auto(GStrv) words = g_strsplit(list, ",", 0);
    for (char **word = words; *word; word++) {
        if (strcmp(*word, "paths") == 0) {
            found |= HR_REDACT_PATHS;
        } else if (strcmp(*word, "symbols") == 0) {
            found |= HR_REDACT_SYMBOLS;
        } else if (strcmp(*word, "both") == 0) {
            found |= HR_REDACT_PATHS | HR_REDACT_SYMBOLS;
        } else {
            g_set_error(error, HR_ERROR, HR_ERROR_USAGE,
                        "--redact takes paths, symbols or both, not \"%s\"", *word);
            hr_error_blame(error, "redact", NULL);
            return false;
        }
    }
    *what = found;
    return true;
}

struct hr_redaction *hr_redaction_new(unsigned what)
{
    struct hr_redaction *redaction = g_new0(struct hr_redaction, 1);
    redaction->what = what;
    redaction->pseudonyms = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    return redaction;
}

static void forget_order(struct hr_redaction *redaction)
{
    g_clear_pointer(&redaction->names, g_ptr_array_unref);
}

void hr_redaction_free(struct hr_redaction *redaction)
{
    if (!redaction) {
        return;
    }
    forget_order(redaction);
    g_hash_table_unref(redaction->pseudonyms);
    g_free(redaction);
}

static const char *add_name(struct hr_redaction *redaction, const char *name, const char *prefix,
                            unsigned *count)
{
    const char *known = g_hash_table_lookup(redaction->pseudonyms, name);
    if (known) {
        return known;
    }
    g_autofree char *hash = g_compute_checksum_for_string(G_CHECKSUM_SHA256, name, -1);
    char *pseudonym = g_strdup_printf("%s%.*s", prefix, HASH_DIGITS, hash);
    g_hash_table_insert(redaction->pseudonyms, g_strdup(name), pseudonym);
    forget_order(redaction);
    (*count)++;
    return pseudonym;
}

static bool tells_nothing(const char *name)
{
    return !name || *name == '\0' || *name == '(' || *name == '[';
}

// An address without a name shows its module ("libx.so+0x1234"), which is part of a path.
static const char *address_without_name(struct hr_redaction *redaction, const char *name)
{
    const char *offset = strstr(name, "+0x");
    const char *known = g_hash_table_lookup(redaction->pseudonyms, name);
    if (!offset || !(redaction->what & HR_REDACT_PATHS)) {
        return name;
    }
    if (known) {
        return known;
    }
    g_autofree char *module = g_strndup(name, (gsize)(offset - name));
    char *shown = g_strconcat(hr_redaction_path(redaction, module), offset, NULL);
    g_hash_table_insert(redaction->pseudonyms, g_strdup(name), shown);
    forget_order(redaction);
    return shown;
}

const char *hr_redaction_symbol(struct hr_redaction *redaction, const char *name)
{
    if (tells_nothing(name)) {
        return name;
    }
    if (!(redaction->what & HR_REDACT_SYMBOLS)) {
        return address_without_name(redaction, name);
    }
    const char *pseudonym = add_name(redaction, name, "fn_", &redaction->symbols_count);
    // sentences hold a long name folded
    char *folded = hr_symbol_fold(name, HR_SYMBOL_SENTENCE_LETTERS);
    if (folded) {
        g_hash_table_replace(redaction->pseudonyms, folded, g_strdup(pseudonym));
        forget_order(redaction);
    }
    return pseudonym;
}

const char *hr_redaction_path(struct hr_redaction *redaction, const char *path)
{
    if (!(redaction->what & HR_REDACT_PATHS) || tells_nothing(path)) {
        return path;
    }
    return add_name(redaction, path, "path_", &redaction->paths_count);
}

unsigned hr_redaction_count(const struct hr_redaction *redaction, enum hr_redact what)
{
    return what == HR_REDACT_PATHS ? redaction->paths_count : redaction->symbols_count;
}

static int compare_names(const void *left, const void *right)
{
    const char *a = *(const char *const *)left;
    const char *b = *(const char *const *)right;
    const size_t a_length = strlen(a);
    const size_t b_length = strlen(b);
    if (a_length != b_length) {
        return a_length > b_length ? -1 : 1;
    }
    return strcmp(a, b);
}

static void order_names(struct hr_redaction *redaction)
{
    if (redaction->names) {
        return;
    }
    redaction->names = g_ptr_array_new();
    GHashTableIter iterator;
    void *name;
    g_hash_table_iter_init(&iterator, redaction->pseudonyms);
    while (g_hash_table_iter_next(&iterator, &name, NULL)) {
        g_ptr_array_add(redaction->names, name);
    }
    g_ptr_array_sort(redaction->names, compare_names);
}

static bool is_word(char character)
{
    return g_ascii_isalnum(character) || character == '_';
}

// The longest known name that stands at `at` as a word of its own.
static const char *known_name(const struct hr_redaction *redaction, const char *text,
                              const char *at)
{
    if (at > text && is_word(at[-1]) && is_word(*at)) {
        return NULL;
    }
    for (guint i = 0; i < redaction->names->len; i++) {
        const char *name = g_ptr_array_index(redaction->names, i);
        const size_t length = strlen(name);
        const bool found = strncmp(at, name, length) == 0;
        if (found && (!is_word(at[length]) || !is_word(at[length - 1]))) {
            return name;
        }
    }
    return NULL;
}

// Length of an absolute path at `at`; what every system has says nothing of this one.
static size_t absolute_path(const char *text, const char *at)
{
    const bool starts = at == text || strchr(" \t\"'(=:,", at[-1]);
    if (*at != '/' || !starts || g_str_has_prefix(at, "/proc/") || g_str_has_prefix(at, "/sys/")) {
        return 0;
    }
    size_t length = strcspn(at, " \t\"'(),;");
    while (length > 1 && strchr(".:", at[length - 1])) {
        length--;
    }
    return length > 1 ? length : 0;
}

void hr_redaction_append_text(struct hr_redaction *redaction, GString *out, const char *text)
{
    for (const char *at = text; *at;) {
        order_names(redaction);
        const char *name = known_name(redaction, text, at);
        const size_t path = redaction->what & HR_REDACT_PATHS ? absolute_path(text, at) : 0;
        if (name && strlen(name) >= path) {
            g_string_append(out, g_hash_table_lookup(redaction->pseudonyms, name));
            at += strlen(name);
        } else if (path > 0) {
            g_autofree char *found = g_strndup(at, path);
            g_string_append(out, hr_redaction_path(redaction, found));
            at += path;
        } else {
            g_string_append_c(out, *at++);
        }
    }
}
