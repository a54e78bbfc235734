// SPDX-License-Identifier: MIT
// A sentence before it has words: the id of a text in templates/text.xml and the values for its
// slots. Code that knows numbers makes phrases; only result/ turns them into English (or a house's
// own words).
#pragma once

#include "base/arena.h"

#define HR_PHRASE_SLOTS_MAX 12

// A slot {growth_bytes} takes the slot of that name; the suffix of the name is the unit
// (base/format.h).
struct hr_slot {
    const char *name;
    const char *text;    // wins over the number when not NULL
    const char *text_id; // wins over both: the text of this id, its slots filled from the same
                         // phrase
    double number;       // NAN: unknown
};

struct hr_phrase {
    const char *id; // NULL: no sentence
    unsigned slots_count;
    struct hr_slot slots[HR_PHRASE_SLOTS_MAX];
};

struct hr_phrase hr_phrase_new(const char *id);
void hr_phrase_add_number(struct hr_phrase *phrase, const char *name, double number);
// Keeps the pointer: `text` must live as long as the phrase.
void hr_phrase_add_text(struct hr_phrase *phrase, const char *name, const char *text);
// Puts another text of the catalogue into the slot: how a sentence is put together from clauses.
void hr_phrase_add_text_id(struct hr_phrase *phrase, const char *name, const char *text_id);
