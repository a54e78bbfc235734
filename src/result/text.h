// SPDX-License-Identifier: MIT
// The catalogue of sentences: templates/text.xml, compiled in, by id. A house may lay a file of its
// own over it. In a text, {growth_bytes} takes the slot of that name, written by the unit its name
// ends in; with slots growth_bytes_low and growth_bytes_high beside it (and not in the text) it
// carries its interval; {dumps_count|dump|dumps} picks a word by number.
#pragma once

#include "base/cleanup.h"
#include "base/diagnostics.h"
#include "base/error.h"
#include "base/phrase.h"

#include <stdbool.h>

struct hr_text;

// Loads the compiled-in catalogue and lays `override_file` (NULL: none) over it. Fails with
// file:line; an id or slot that the compiled-in catalogue does not have is such a failure.
struct hr_text *hr_text_load(const char *override_file, GError **error);
void hr_text_free(struct hr_text *text);
HR_DEFINE_AUTO(hr_text, hr_text_free)

// As hr_text_load(), with the bytes of the override at hand and `name` for messages.
struct hr_text *hr_text_load_bytes(const char *name, const char *bytes, size_t size,
                                   GError **error);

// The language the sentences are in ("en").
const char *hr_text_language(const struct hr_text *text);

bool hr_text_has(const struct hr_text *text, const char *id);

// The text of an id without slots; the id itself when there is none (a lint test keeps that from
// happening).
const char *hr_text_get(const struct hr_text *text, const char *id);

// Appends the phrase's sentence with its slots filled; appends nothing when phrase->id is NULL. A
// slot that the phrase does not have stays visible as {name}.
void hr_text_append(const struct hr_text *text, GString *out, const struct hr_phrase *phrase);

// Appends a diagnostic's text ("HR-012" as id) and its remedy. Slots are the diagnostic's, and
// {count} and {file}; plain digits in a slot whose name has a unit are formatted.
void hr_text_append_diagnostic(const struct hr_text *text, GString *out,
                               const struct hr_diagnostic *diagnostic);
void hr_text_append_remedy(const struct hr_text *text, GString *out,
                           const struct hr_diagnostic *diagnostic);
