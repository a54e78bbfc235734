// SPDX-License-Identifier: MIT
// Charts made from formulas: the shapes that real runs have, for the tests of render/.
#pragma once

#include "base/arena.h"
#include "document/node.h"

// Process, allocator and heap over 13 h 40 min with dumps, marks, a gap, and a band.
const struct hr_chart *hr_sample_timeline(struct hr_arena *arena);
