// SPDX-License-Identifier: MIT
// A whole report made from formulas: as many suspects as wanted, names as long and as foreign as
// they come.
#pragma once

#include "base/arena.h"
#include "document/node.h"

struct hr_document *hr_sample_document(struct hr_arena *arena, unsigned suspects_count);
