// SPDX-License-Identifier: MIT
// Holds a tree that came from outside to the result's schema, so that whoever walks it may rely on
// its shape. The schema itself is docs/heapreport.schema.json, compiled in.
#pragma once

#include "base/error.h"

#include <jansson.h>
#include <stdbool.h>

// Fails (HR_ERROR_INPUT) with the place of the first fault ("/suspects/0/line: ..."). A key that
// the schema does not know is fine: within a major version keys are added.
bool hr_result_check(const json_t *result, GError **error);
