// SPDX-License-Identifier: MIT
// Pseudonyms for --redact: a map of names that result/ and export/ ask. A name always gets the same
// pseudonym, in every run, so that redacted reports can be compared; who already guesses a name can
// confirm the guess. Fingerprints are made before and stay.
#pragma once

#include "base/cleanup.h"
#include "base/error.h"

#include <jansson.h>
#include <stdbool.h>

enum hr_redact { HR_REDACT_PATHS = 1, HR_REDACT_SYMBOLS = 2 };

// Reads "paths,symbols" into a set of enum hr_redact. Fails with HR_ERROR_USAGE.
bool hr_redact_parse(const char *list, unsigned *what, GError **error);

struct hr_redaction;

struct hr_redaction *hr_redaction_new(unsigned what);
void hr_redaction_free(struct hr_redaction *redaction);
HR_DEFINE_AUTO(hr_redaction, hr_redaction_free)

// The name to show: a pseudonym, or the name itself where its kind is not redacted, where it is
// NULL, or in brackets ("(other)", "[heap]"). Kept until the redaction is freed. An address that
// has no name ("libx.so+0x1234") holds a path.
const char *hr_redaction_symbol(struct hr_redaction *redaction, const char *name);
const char *hr_redaction_path(struct hr_redaction *redaction, const char *path);

// Appends `text` with every name that was asked for so far, and (with HR_REDACT_PATHS) every
// absolute path, replaced.
void hr_redaction_append_text(struct hr_redaction *redaction, GString *out, const char *text);

// Different names replaced so far, of one kind.
unsigned hr_redaction_count(const struct hr_redaction *redaction, enum hr_redact what);

// Replaces the names in a whole result, in place, and sets its "redaction".
void hr_result_redact(json_t *result, unsigned what);
