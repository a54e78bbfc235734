// SPDX-License-Identifier: MIT
// The second half of checking a template: what its attributes refer to. Paths lead somewhere in the
// result's schema, variables are in sight, links have a target, closed lists of words are named
// in full.
#pragma once

#include "document/template.h"

#include <stdbool.h>

// Fails with file:line at the first reference that leads nowhere. Expects hr_vocabulary_check() to
// have passed.
bool hr_check_paths(const struct hr_template *template, GError **error);
