// SPDX-License-Identifier: MIT
#include "result/text.h"

#include "base/files.h"
#include "base/format.h"
#include "base/symbol.h"
#include "result/catalogue.h"
#include "result/slots.h"

#include <math.h>
#include <string.h>

#define OVERRIDE_LIMIT_BYTES ((size_t)1024 * 1024)
#define BUILT_IN_NAME "text.xml"

// Made by embed.c from templates/text.xml.
extern const unsigned char hr_text_built_in[];
extern const size_t hr_text_built_in_size;

struct hr_text {
    GHashTable *texts; // id -> text
    char *language;
};

static struct hr_text *text_new(void)
{
    struct hr_text *text = g_new0(struct hr_text, 1);
    text->texts = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    return text;
}

void hr_text_free(struct hr_text *text)
{
    if (!text) {
        return;
    }
    g_hash_table_unref(text->texts);
    g_free(text->language);
    g_free(text);
}

static bool add_entry(void *context, const struct hr_catalogue_entry *entry, GError **error)
{
    struct hr_text *text = context;
    if (hr_text_has(text, entry->id)) {
        g_set_error(error, HR_ERROR, HR_ERROR_TEMPLATE, "text \"%s\" stands there twice",
                    entry->id);
        return false;
    }
    g_hash_table_insert(text->texts, g_strdup(entry->id), g_strdup(entry->text));
    return true;
}

// Every diagnostic offers these, whether its built-in text uses them or not.
static bool is_offered_by_all(const char *id, const char *name, size_t length)
{
    return g_str_has_prefix(id, "HR-") && ((length == 5 && memcmp(name, "count", 5) == 0) ||
                                           (length == 4 && memcmp(name, "file", 4) == 0));
}

// The slots of a text are what the code that speaks it offers; another one would stay unfilled.
static bool check_slots(const char *built_in, const struct hr_catalogue_entry *entry,
                        GError **error)
{
    struct hr_slot_reference reference;
    for (const char *at = entry->text; hr_slots_find(at, &reference); at = reference.end) {
        if (!hr_slots_has(built_in, reference.name, reference.name_length) &&
            !is_offered_by_all(entry->id, reference.name, reference.name_length)) {
            g_set_error(error, HR_ERROR, HR_ERROR_TEMPLATE, "text \"%s\" has no slot {%.*s}",
                        entry->id, (int)reference.name_length, reference.name);
            return false;
        }
    }
    return true;
}

struct override {
    const struct hr_text *built_in;
    struct hr_text *own;
};

static bool add_override(void *context, const struct hr_catalogue_entry *entry, GError **error)
{
    const struct override *override = context;
    if (!hr_text_has(override->built_in, entry->id)) {
        g_set_error(error, HR_ERROR, HR_ERROR_TEMPLATE, "there is no text \"%s\"", entry->id);
        return false;
    }
    return check_slots(hr_text_get(override->built_in, entry->id), entry, error) &&
           add_entry(override->own, entry, error);
}

static void lay_over(struct hr_text *text, struct hr_text *own)
{
    GHashTableIter iterator;
    void *id;
    void *words;
    g_hash_table_iter_init(&iterator, own->texts);
    while (g_hash_table_iter_next(&iterator, &id, &words)) {
        g_hash_table_replace(text->texts, g_strdup(id), g_strdup(words));
    }
    if (own->language) {
        g_free(text->language);
        text->language = g_steal_pointer(&own->language);
    }
}

static struct hr_text *load_built_in(GError **error)
{
    HR_AUTO(hr_text) text = text_new();
    if (!hr_catalogue_read(BUILT_IN_NAME, (const char *)hr_text_built_in, hr_text_built_in_size,
                           add_entry, text, &text->language, error)) {
        return NULL;
    }
    return HR_STEAL(text);
}

struct hr_text *hr_text_load_bytes(const char *name, const char *bytes, size_t size, GError **error)
{
    HR_AUTO(hr_text) text = load_built_in(error);
    if (!text) {
        return NULL;
    }
    HR_AUTO(hr_text) own = text_new();
    struct override override = {text, own};
    if (!hr_catalogue_read(name, bytes, size, add_override, &override, &own->language, error)) {
        return NULL;
    }
    lay_over(text, own);
    return HR_STEAL(text);
}

struct hr_text *hr_text_load(const char *override_file, GError **error)
{
    if (!override_file) {
        return load_built_in(error);
    }
    g_autofree char *bytes = NULL;
    size_t size;
    if (!hr_file_read(override_file, OVERRIDE_LIMIT_BYTES, &bytes, &size, error)) {
        g_prefix_error(error, "%s: ", override_file);
        return NULL;
    }
    return hr_text_load_bytes(override_file, bytes, size, error);
}

const char *hr_text_language(const struct hr_text *text)
{
    return text->language ? text->language : "en";
}

bool hr_text_has(const struct hr_text *text, const char *id)
{
    return g_hash_table_contains(text->texts, id);
}

const char *hr_text_get(const struct hr_text *text, const char *id)
{
    const char *found = g_hash_table_lookup(text->texts, id);
    return found ? found : id;
}

// What a sentence says for an amount that is not known; tables have a dash.
static const char *unknown_words(const struct hr_text *text, const struct hr_slot *slot)
{
    const char *unit = strrchr(slot->name, '_');
    g_autofree char *id = g_strconcat("unknown-", unit ? unit + 1 : "number", NULL);
    return hr_text_get(text, hr_text_has(text, id) ? id : "unknown-number");
}

// In a sentence the arguments of long types hide what is said.
static void fold_name(struct hr_slot *slot, GPtrArray *owned)
{
    char *folded = hr_symbol_fold(slot->text, HR_SYMBOL_SENTENCE_LETTERS);
    if (folded) {
        slot->text = folded;
        g_ptr_array_add(owned, folded);
    }
}

// Fills the slots that hold another text of the catalogue (one level deep: a clause has no clauses)
// and those whose amount is not known.
static void fill_words(const struct hr_text *text, const struct hr_phrase *phrase,
                       struct hr_phrase *filled, GPtrArray *owned)
{
    *filled = *phrase;
    for (unsigned i = 0; i < filled->slots_count; i++) {
        struct hr_slot *slot = &filled->slots[i];
        if (!slot->text && !slot->text_id && isnan(slot->number)) {
            slot->text = unknown_words(text, slot);
        } else if (slot->text && strcmp(slot->name, "function") == 0) {
            fold_name(slot, owned);
        }
    }
    const struct hr_phrase known = *filled;
    for (unsigned i = 0; i < filled->slots_count; i++) {
        struct hr_slot *slot = &filled->slots[i];
        if (slot->text_id) {
            GString *clause = g_string_new(NULL);
            hr_slots_append(clause, hr_text_get(text, slot->text_id), &known);
            slot->text = clause->str;
            g_ptr_array_add(owned, g_string_free(clause, FALSE));
        }
    }
}

void hr_text_append(const struct hr_text *text, GString *out, const struct hr_phrase *phrase)
{
    if (!phrase->id) {
        return;
    }
    g_autoptr(GPtrArray) owned = g_ptr_array_new_with_free_func(g_free);
    struct hr_phrase filled;
    fill_words(text, phrase, &filled, owned);
    hr_slots_append(out, hr_text_get(text, phrase->id), &filled);
}

static bool is_plain_number(const char *value, double *number)
{
    char *end;
    if (*value == '\0' || strspn(value, "0123456789+-.eE") != strlen(value)) {
        return false;
    }
    *number = g_ascii_strtod(value, &end);
    return *end == '\0' && isfinite(*number);
}

static void add_diagnostic_slot(struct hr_phrase *phrase, const struct hr_diagnostic_slot *slot)
{
    double number;
    if (hr_format_key_unit(slot->name) != HR_UNIT_NONE && is_plain_number(slot->value, &number)) {
        hr_phrase_add_number(phrase, slot->name, number);
    } else {
        hr_phrase_add_text(phrase, slot->name, slot->value);
    }
}

static void append_message(const struct hr_text *text, GString *out,
                           const struct hr_diagnostic *diagnostic, const char *id)
{
    struct hr_phrase phrase = hr_phrase_new(id);
    for (unsigned i = 0; i < diagnostic->slots_count; i++) {
        add_diagnostic_slot(&phrase, &diagnostic->slots[i]);
    }
    // Behind the diagnostic's own, which win.
    hr_phrase_add_number(&phrase, "count", diagnostic->count);
    if (diagnostic->files_count > 0) {
        hr_phrase_add_text(&phrase, "file", diagnostic->files[0]);
    }
    hr_text_append(text, out, &phrase);
}

void hr_text_append_diagnostic(const struct hr_text *text, GString *out,
                               const struct hr_diagnostic *diagnostic)
{
    char id[32];
    g_snprintf(id, sizeof id, "HR-%03d", (int)diagnostic->code);
    append_message(text, out, diagnostic, id);
}

void hr_text_append_remedy(const struct hr_text *text, GString *out,
                           const struct hr_diagnostic *diagnostic)
{
    char id[32];
    g_snprintf(id, sizeof id, "HR-%03d-remedy", (int)diagnostic->code);
    if (hr_text_has(text, id)) {
        append_message(text, out, diagnostic, id);
    }
}
