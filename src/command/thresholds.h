// SPDX-License-Identifier: MIT
// --threshold NAME=VALUE: the value is written in the unit that the name ends in.
#pragma once

#include "base/error.h"
#include "model/rules.h"

#include <glib.h>
#include <stdbool.h>

// Sets the thresholds named in `pairs` ("floor_bytes=2MiB"). Fails on an unknown name, with a list
// of those there are, and on a value that is none.
bool hr_thresholds_apply(struct hr_rules *rules, const GPtrArray *pairs, GError **error);
