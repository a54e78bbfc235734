// SPDX-License-Identifier: MIT
// All DIEs of a unit in the order of the file, by libdw.
#pragma once

#include <elfutils/libdw.h>
#include <stdbool.h>

// Deeper than any compiler nests; what lies below is left out.
#define HR_LIBDW_DEPTH_MAX 1024

struct hr_libdw_walk {
    Dwarf_Die dies[HR_LIBDW_DEPTH_MAX]; // by depth, from the children of the unit's DIE
    unsigned depth;                     // of the DIE given last
    bool started;
    unsigned char *closing; // the null entry behind the last DIE one level below, NULL when unknown
    unsigned char *end;     // of the unit; NULL when unknown
};

// Begins before the first child of `root`, the DIE of a unit.
void hr_libdw_walk_begin(struct hr_libdw_walk *walk, Dwarf *dwarf, Dwarf_Die *root);

// Goes to dies[depth], the next DIE: 0; 1 at the end of the unit, -1 when it is broken here.
int hr_libdw_walk_next(struct hr_libdw_walk *walk);
