// SPDX-License-Identifier: MIT
// The catalogue of sentences: templates/text.xml, compiled in, by id. A house may lay a file of its
// own over it.
#pragma once

#include "base/cleanup.h"
#include "base/diagnostics.h"
#include "base/error.h"
#include "base/phrase.h"

struct hr_text;

// Loads the compiled-in catalogue and lays `override_file` (NULL: none) over it. Fails with
// file:line.
struct hr_text *hr_text_load(const char *override_file, GError **error);
void hr_text_free(struct hr_text *text);
HR_DEFINE_AUTO(hr_text, hr_text_free)

// The text of an id without slots; the id itself when there is none (a lint test keeps that from
// happening).
const char *hr_text_get(const struct hr_text *text, const char *id);

// Appends the phrase's sentence with its slots filled; appends nothing when phrase->id is NULL.
void hr_text_append(const struct hr_text *text, GString *out, const struct hr_phrase *phrase);

// Appends a diagnostic's text ("HR-012" as id) and its remedy.
void hr_text_append_diagnostic(const struct hr_text *text, GString *out,
                               const struct hr_diagnostic *diagnostic);
void hr_text_append_remedy(const struct hr_text *text, GString *out,
                           const struct hr_diagnostic *diagnostic);
