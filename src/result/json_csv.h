// SPDX-License-Identifier: MIT
// Values of the result as cells of a table (base/csv.h).
#pragma once

#include "base/csv.h"

#include <jansson.h>

// Adds a cell: text, number or boolean as they stand in the result; null and what is missing give
// an empty cell.
void hr_json_add_cell(struct hr_csv *csv, const json_t *value);

// Adds the row of an object's members `keys`, the first that is NULL ends it. The object may lack
// any of them.
void hr_json_add_row(struct hr_csv *csv, const json_t *object, const char *const *keys);
