// SPDX-License-Identifier: MIT
// A piece of a result as plain text for a terminal: what `heapreport show` prints.
#pragma once

#include "result/text.h"

#include <jansson.h>

// Appends the verdict and one line for each suspect.
void hr_show_overview(const json_t *result, const struct hr_text *text, GString *out);

// Appends all that is known of one suspect, named by id ("S2") or by the start of its fingerprint.
// Fails with HR_ERROR_USAGE when there is none, or more than one.
bool hr_show_suspect(const json_t *result, const struct hr_text *text, const char *name,
                     GString *out, GError **error);
