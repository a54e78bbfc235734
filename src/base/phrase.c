// SPDX-License-Identifier: MIT
#include "base/phrase.h"

struct hr_phrase hr_phrase_new(const char *id)
{
    return (struct hr_phrase){.id = id};
}

static struct hr_slot *next_slot(struct hr_phrase *phrase)
{
    g_assert(phrase->slots_count < HR_PHRASE_SLOTS_MAX);
    return &phrase->slots[phrase->slots_count++];
}

void hr_phrase_add_number(struct hr_phrase *phrase, const char *name, double number)
{
    *next_slot(phrase) = (struct hr_slot){.name = name, .number = number};
}

void hr_phrase_add_text(struct hr_phrase *phrase, const char *name, const char *text)
{
    *next_slot(phrase) = (struct hr_slot){.name = name, .text = text};
}

void hr_phrase_add_text_id(struct hr_phrase *phrase, const char *name, const char *text_id)
{
    *next_slot(phrase) = (struct hr_slot){.name = name, .text_id = text_id};
}
