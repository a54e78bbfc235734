// SPDX-License-Identifier: MIT
// The own reader: some units and the addresses in them, from functions and lines to the chains of
// inlined calls. A chunk holds all that is written while it is read, so threads can share the work.
#pragma once

#include "symbolize/dwarf_functions.h"
#include "symbolize/dwarf_names.h"
#include "symbolize/dwarf_units.h"

struct hr_dwarf_chunk {
    struct hr_dwarf_units *units;
    struct hr_lookup *lookup; // of which only the answers to `queries` are written here
    bool *left;
    const struct hr_claim *claims; // by query
    const uint32_t *queries;       // indexes of vaddrs, by unit and vaddr
    const uint64_t *vaddrs;        // of those
    uint32_t count;
    const struct hr_dwarf_unit *single; // to be asked for all of them, NULL: each has its own

    // Made by reading.
    GArray *frames; // of struct hr_lookup_frame
    struct hr_arena *arena;
    struct hr_dwarf_names *names;
    uint64_t cover_budget; // steps over vaddrs and range entries
    uint64_t line_budget;  // bytes of line programs

    // The unit being read, and the first of its queries.
    const struct hr_dwarf_unit *unit;
    uint32_t at;
    struct hr_dwarf_functions walk;
};

// Reads each unit of the chunk, once. Sets left[i] for each query that libdw should be asked.
void hr_dwarf_chunk_read(struct hr_dwarf_chunk *chunk);

// Moves what a chunk that was read holds into the lookup.
void hr_dwarf_chunk_take(struct hr_dwarf_chunk *chunk);
