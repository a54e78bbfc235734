// SPDX-License-Identifier: MIT
// A result in a file, for the verbs that begin with one.
#pragma once

#include "base/error.h"

#include <jansson.h>

// Reads and checks the result at `path`; the caller owns the reference. Fails with the path.
json_t *hr_result_file_read(const char *path, GError **error);
