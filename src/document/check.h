// SPDX-License-Identifier: MIT
// A checked template: every element and attribute is of the vocabulary, paths lead somewhere in the
// result's schema, variables are in sight, links have a target, closed lists of words are named in
// full; so composing a document cannot fail on it.
#pragma once

#include "document/template.h"

// Reads the file and what it includes as hr_template_parse() does, and fails (HR_ERROR_TEMPLATE)
// with file:line at the first thing that is wrong. The caller owns the template.
struct hr_template *hr_check_read_template(const char *path, GError **error);
