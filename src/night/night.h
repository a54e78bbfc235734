// SPDX-License-Identifier: MIT
// The door of night: a result beside the nights before it. History, allow-list and gates change the
// result in place, in that order; nothing else of it. Knows neither dumps nor pages.
#pragma once

#include "base/error.h"
#include "night/gates.h"
#include "result/text.h"

#include <jansson.h>

struct hr_night_options {
    const char *fail_on;      // --fail-on; NULL: no gate
    const char *allow_file;   // --allow; NULL: none
    const char *history_file; // --history; NULL: none
};

// Finds what is wrong with the options before a run begins: rules, a rule without its history, the
// allow-list. Fails with HR_ERROR_USAGE or as reading the list does.
bool hr_night_check(const struct hr_night_options *options, GError **error);

// Applies history (and appends tonight to it), allow-list and gates to `result`. *outcome decides
// the exit status: passed 0, tripped 1, inconclusive 4. Fails when a file cannot be used; the
// result is whole then, but may lack what night adds.
bool hr_night_apply(json_t *result, const struct hr_text *text,
                    const struct hr_night_options *options, enum hr_gates_outcome *outcome,
                    GError **error);
