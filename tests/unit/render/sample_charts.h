// SPDX-License-Identifier: MIT
// Charts made from formulas: the shapes that real runs have, for the tests of render/.
#pragma once

#include "base/arena.h"
#include "document/node.h"

// Process, allocator and heap over 13 h 40 min with dumps, marks, a gap, and a band.
const struct hr_chart *hr_sample_timeline(struct hr_arena *arena);

// The balance sheet; one part fell, one is unknown, one has long words.
const struct hr_chart *hr_sample_balance(struct hr_arena *arena);

// Seven suspects and the rest.
const struct hr_chart *hr_sample_area(struct hr_arena *arena);

const struct hr_chart *hr_sample_sparkline(struct hr_arena *arena);
const struct hr_chart *hr_sample_suspect(struct hr_arena *arena);

// A call tree of a Rust service: a long runtime prefix, growth, shrinkage, a new frame, one gone.
const struct hr_chart *hr_sample_flame(struct hr_arena *arena);

const struct hr_chart *hr_sample_histogram(struct hr_arena *arena);
const struct hr_chart *hr_sample_nights(struct hr_arena *arena);

// All of them, ended by NULL.
const struct hr_chart *const *hr_sample_charts(struct hr_arena *arena);
