// SPDX-License-Identifier: MIT
// --max NAME=VALUE: the value is a size where the name ends in _bytes, else a number.
#pragma once

#include "base/error.h"
#include "model/limits.h"

#include <glib.h>
#include <stdbool.h>

// Sets the limits named in `pairs` ("map_bytes=1GiB"). Fails on an unknown name, with a list of
// those there are, and on a value that is none, 0, or more than the limit can be raised to.
bool hr_limits_apply(struct hr_limits *limits, const GPtrArray *pairs, GError **error);
