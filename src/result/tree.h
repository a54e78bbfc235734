// SPDX-License-Identifier: MIT
// Short ways to ask a result's tree. Its shape was checked when it was composed or read.
#pragma once

#include <jansson.h>
#include <stdbool.h>

// The text or number of `key`; NULL and NAN where it is null or missing.
const char *hr_tree_text(const json_t *object, const char *key);
double hr_tree_number(const json_t *object, const char *key);

// True when `key` is true.
bool hr_tree_is(const json_t *object, const char *key);

// The time of `key` in Unix seconds; NAN where it is null.
double hr_tree_time(const json_t *object, const char *key);

// True for a word that may stand as a verdict's class.
bool hr_tree_is_class(const char *word);

// When the night ended: the final dump's time, else the last evidence's, else the result's.
double hr_tree_final_time(const json_t *result);
