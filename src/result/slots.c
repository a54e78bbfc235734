// SPDX-License-Identifier: MIT
#include "result/slots.h"

#include "base/format.h"

#include <math.h>
#include <string.h>

static size_t name_span(const char *text)
{
    return strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789_");
}

static bool parse_reference(const char *start, struct hr_slot_reference *reference)
{
    const char *name = start + 1;
    const size_t length = name_span(name);
    if (length == 0) {
        return false;
    }
    *reference = (struct hr_slot_reference){.start = start, .name = name, .name_length = length};
    const char *at = name + length;
    if (*at == '|') {
        reference->one = at + 1;
        reference->one_length = strcspn(reference->one, "|{}");
        if (reference->one[reference->one_length] != '|') {
            return false;
        }
        reference->many = reference->one + reference->one_length + 1;
        reference->many_length = strcspn(reference->many, "|{}");
        at = reference->many + reference->many_length;
    }
    reference->end = at + 1;
    return *at == '}';
}

bool hr_slots_find(const char *text, struct hr_slot_reference *reference)
{
    for (const char *start = text; (start = strchr(start, '{')); start++) {
        if (parse_reference(start, reference)) {
            return true;
        }
    }
    return false;
}

bool hr_slots_has(const char *text, const char *name, size_t name_length)
{
    struct hr_slot_reference reference;
    for (const char *at = text; hr_slots_find(at, &reference); at = reference.end) {
        if (reference.name_length == name_length &&
            memcmp(reference.name, name, name_length) == 0) {
            return true;
        }
    }
    return false;
}

static const struct hr_slot *find_slot(const struct hr_phrase *phrase, const char *name,
                                       size_t length)
{
    for (unsigned i = 0; i < phrase->slots_count; i++) {
        const char *candidate = phrase->slots[i].name;
        if (strlen(candidate) == length && memcmp(candidate, name, length) == 0) {
            return &phrase->slots[i];
        }
    }
    return NULL;
}

// The bound of a slot, when the phrase has it and the text does not say it by itself.
static double unspoken_bound(const char *text, const struct hr_phrase *phrase, const char *name,
                             const char *suffix)
{
    g_autofree char *bound = g_strconcat(name, suffix, NULL);
    const struct hr_slot *slot = find_slot(phrase, bound, strlen(bound));
    if (!slot || slot->text || hr_slots_has(text, bound, strlen(bound))) {
        return NAN;
    }
    return slot->number;
}

static void append_number(GString *out, const char *text, const struct hr_phrase *phrase,
                          const struct hr_slot *slot)
{
    const struct hr_estimate estimate = {slot->number,
                                         unspoken_bound(text, phrase, slot->name, "_low"),
                                         unspoken_bound(text, phrase, slot->name, "_high")};
    hr_format_append_estimate(out, slot->name, estimate, true);
}

static void append_choice(GString *out, const struct hr_slot_reference *reference,
                          const struct hr_slot *slot)
{
    const double number = slot->text ? g_ascii_strtod(slot->text, NULL) : slot->number;
    if (number == 1) {
        g_string_append_len(out, reference->one, (gssize)reference->one_length);
    } else {
        g_string_append_len(out, reference->many, (gssize)reference->many_length);
    }
}

static void append_slot(GString *out, const char *text, const struct hr_phrase *phrase,
                        const struct hr_slot_reference *reference)
{
    const struct hr_slot *slot = find_slot(phrase, reference->name, reference->name_length);
    if (!slot) {
        g_string_append_len(out, reference->start, reference->end - reference->start);
    } else if (reference->one) {
        append_choice(out, reference, slot);
    } else if (slot->text) {
        g_string_append(out, slot->text);
    } else {
        append_number(out, text, phrase, slot);
    }
}

void hr_slots_append(GString *out, const char *text, const struct hr_phrase *phrase)
{
    const char *at = text;
    struct hr_slot_reference reference;
    while (hr_slots_find(at, &reference)) {
        g_string_append_len(out, at, reference.start - at);
        append_slot(out, text, phrase, &reference);
        at = reference.end;
    }
    g_string_append(out, at);
}
