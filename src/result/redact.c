// SPDX-License-Identifier: MIT
// Where names stand in a result: keys that hold a name, and sentences that mention one. Two walks:
// the first replaces the names, so that the second knows them all.
#include "result/json.h"
#include "result/redaction.h"

#include <string.h>

struct walk {
    struct hr_redaction *redaction;
    const char *prefix; // of the dumps' names; NULL: none
    bool sentences;     // the second walk
    GHashTable *walked; // objects in this walk: those that are shared are replaced once
};

static const char *const SYMBOL_KEYS[] = {"function", "keywords", "filters", "pattern", NULL};
static const char *const PATH_KEYS[] = {"file",       "files",    "module",      "path", "prefix",
                                        "debug_file", "template", "binary_path", NULL};
static const char *const SENTENCE_KEYS[] = {"sentence",
                                            "because",
                                            "against",
                                            "would_overturn",
                                            "text",
                                            "remedy",
                                            "title",
                                            "base_reason",
                                            "final_reason",
                                            "match_reason",
                                            "problem",
                                            "note",
                                            "advice",
                                            "harmless_if",
                                            "confidence_reasons",
                                            "limit_source",
                                            "reason",
                                            "source",
                                            NULL};
static const char *const COMMAND_KEYS[] = {"command", "options", "reproduce", NULL};

// Options of our own commands whose value is a name of the user's.
static const char *const PATH_OPTIONS[] = {
    "--dir",      "--binary",    "--base", "--final",  "--base-binary",
    "--evidence", "--debug-dir", "--root", "--frames", "--template",
    "--allow",    "--history",   "--log",  "--texts",  NULL};
static const char *const SYMBOL_OPTIONS[] = {"--focus", "--ignore", "--hide", "--show", NULL};

static bool is_one_of(const char *word, const char *const *words)
{
    return word && g_strv_contains(words, word);
}

// "service.4711.5.i5.heap" keeps what is not its name; any other path goes whole.
static char *redact_path(const struct walk *walk, const char *path)
{
    const size_t length = walk->prefix ? strlen(walk->prefix) : 0;
    if (length > 0 && g_str_has_prefix(path, walk->prefix) && path[length] == '.') {
        return g_strconcat(hr_redaction_path(walk->redaction, walk->prefix), path + length, NULL);
    }
    return g_strdup(hr_redaction_path(walk->redaction, path));
}

static bool is_plain_word(const char *word)
{
    return *word && strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                 "0123456789_-=:,./") == strlen(word);
}

static void append_word(const struct walk *walk, GString *out, const char *word, const char *before)
{
    g_autoptr(GString) shown = g_string_new(NULL);
    if (is_one_of(before, PATH_OPTIONS)) {
        g_string_append(shown, hr_redaction_path(walk->redaction, word));
    } else if (is_one_of(before, SYMBOL_OPTIONS)) {
        g_string_append(shown, hr_redaction_symbol(walk->redaction, word));
    } else {
        hr_redaction_append_text(walk->redaction, shown, word);
    }
    g_autofree char *quoted =
        is_plain_word(shown->str) ? g_strdup(shown->str) : g_shell_quote(shown->str);
    g_string_append_printf(out, "%s%s", out->len > 0 ? " " : "", quoted);
}

static char *redact_command(const struct walk *walk, const char *command)
{
    g_auto(GStrv) words = NULL;
    if (!g_shell_parse_argv(command, NULL, &words, NULL)) {
        return NULL;
    }
    GString *out = g_string_new(NULL);
    for (char **word = words; *word; word++) {
        append_word(walk, out, *word, word > words ? word[-1] : NULL);
    }
    return g_string_free(out, FALSE);
}

static char *redact_sentence(const struct walk *walk, const char *sentence)
{
    GString *out = g_string_new(NULL);
    hr_redaction_append_text(walk->redaction, out, sentence);
    return g_string_free(out, FALSE);
}

static json_t *redact_string(const struct walk *walk, const char *key, const char *text)
{
    g_autofree char *redacted = NULL;
    if (walk->sentences && is_one_of(key, SENTENCE_KEYS)) {
        redacted = redact_sentence(walk, text);
    } else if (walk->sentences && is_one_of(key, COMMAND_KEYS)) {
        redacted = redact_command(walk, text);
    } else if (!walk->sentences && is_one_of(key, SYMBOL_KEYS)) {
        redacted = g_strdup(hr_redaction_symbol(walk->redaction, text));
    } else if (!walk->sentences && is_one_of(key, PATH_KEYS)) {
        redacted = redact_path(walk, text);
    } else {
        return json_string(text);
    }
    return hr_json_text_within(redacted, SIZE_MAX);
}

// Keys that mean something only where they stand: the words of an address without a name are those
// of its module, and a label may say what a path says.
static const char *key_within(const char *key, const json_t *object, const char *inner)
{
    const char *function = json_string_value(json_object_get(object, "function"));
    if (strcmp(inner, "keywords") == 0 && function && strstr(function, "+0x")) {
        return "path";
    }
    return key && strcmp(key, "labels") == 0 ? "text" : inner;
}

// The replacement of a value under `key`; entries of a list stand under the list's key. As deep as
// the result's shape, which is fixed: NOLINTNEXTLINE(misc-no-recursion)
static json_t *redact_value(const struct walk *walk, const char *key, json_t *value)
{
    if (json_is_string(value)) {
        return redact_string(walk, key, json_string_value(value));
    }
    if (json_is_object(value) && !g_hash_table_add(walk->walked, value)) {
        return json_incref(value);
    }
    size_t i;
    const char *inner_key;
    json_t *inner;
    json_array_foreach(value, i, inner)
    {
        json_array_set_new(value, i, redact_value(walk, key, inner));
    }
    json_object_foreach(value, inner_key, inner)
    {
        json_object_set_new(value, inner_key,
                            redact_value(walk, key_within(key, value, inner_key), inner));
    }
    return json_incref(value);
}

static json_t *compose_redaction(const struct hr_redaction *redaction, unsigned what)
{
    json_t *replaced = json_array();
    if (what & HR_REDACT_PATHS) {
        hr_json_append(replaced, json_string("paths"));
    }
    if (what & HR_REDACT_SYMBOLS) {
        hr_json_append(replaced, json_string("symbols"));
    }
    json_t *object = json_object();
    hr_json_set(object, "replaced", replaced);
    hr_json_set(object, "paths_count",
                hr_json_count(hr_redaction_count(redaction, HR_REDACT_PATHS)));
    hr_json_set(object, "symbols_count",
                hr_json_count(hr_redaction_count(redaction, HR_REDACT_SYMBOLS)));
    return object;
}

void hr_result_redact(json_t *result, unsigned what)
{
    if (what == 0) {
        return;
    }
    HR_AUTO(hr_redaction) redaction = hr_redaction_new(what);
    const json_t *run = json_object_get(result, "run");
    g_autofree char *prefix = g_strdup(json_string_value(json_object_get(run, "prefix")));
    for (int sentences = 0; sentences < 2; sentences++) {
        g_autoptr(GHashTable) walked = g_hash_table_new(NULL, NULL);
        const struct walk walk = {redaction, prefix, sentences, walked};
        json_decref(redact_value(&walk, NULL, result));
    }
    hr_json_set(result, "redaction", compose_redaction(redaction, what));
}
