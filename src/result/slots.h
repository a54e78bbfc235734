// SPDX-License-Identifier: MIT
// Slots inside a text: where they are and what fills them. Knows nothing of the catalogue.
#pragma once

#include "base/phrase.h"

#include <stdbool.h>

// One slot of a text: {name} or {name|one|many}.
struct hr_slot_reference {
    const char *start; // at '{'
    const char *end;   // behind '}'
    const char *name;
    size_t name_length;
    const char *one; // NULL: no choice of words
    size_t one_length;
    const char *many;
    size_t many_length;
};

// Finds the next slot at or behind `text`; braces around anything else are plain text.
bool hr_slots_find(const char *text, struct hr_slot_reference *reference);

// True when `text` has a slot of that name.
bool hr_slots_has(const char *text, const char *name, size_t name_length);

// Appends `text` with its slots filled from the phrase.
void hr_slots_append(GString *out, const char *text, const struct hr_phrase *phrase);
