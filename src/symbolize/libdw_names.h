// SPDX-License-Identifier: MIT
// What libdw knows of a function's names, with the namespaces and classes that it stands in.
#pragma once

#include "symbolize/libdw_walk.h"
#include "symbolize/lookup.h"

#include <elfutils/libdw.h>

struct hr_libdw_names;

// What has to be put together is in `arena`.
struct hr_libdw_names *hr_libdw_names_new(struct hr_arena *arena);
void hr_libdw_names_free(struct hr_libdw_names *names);

// Tells which unit is being read: a partial unit, where dwz put what several have in common, may
// tell no language of its own.
void hr_libdw_names_begin(struct hr_libdw_names *names, Dwarf_Die *unit);

// Keeps where the function at the walk's DIE stands: for every one of the unit, in its order.
void hr_libdw_names_place(struct hr_libdw_names *names, const struct hr_libdw_walk *at);

// Sets the names of `frame` to those of the function at `die`.
void hr_libdw_names_get(struct hr_libdw_names *names, Dwarf_Die *die,
                        struct hr_lookup_frame *frame);
