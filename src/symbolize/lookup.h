// SPDX-License-Identifier: MIT
// What a reader of debug data is asked and what it answers: sorted addresses in, for each the chain
// of functions at it. Each reader (libdw, the own one) fills the same structure, so that one can be
// checked by the other.
#pragma once

#include "base/arena.h"

#include <stdbool.h>
#include <stdint.h>

struct hr_code;

// One function of a chain. Strings live as long as the debug data or the lookup's arena.
struct hr_lookup_frame {
    const char *linkage_name;   // as mangled, NULL when there is none
    const char *name;           // DW_AT_name, NULL when there is none
    const char *qualified_name; // with its C++ scopes, where there is no linkage name; else NULL
    const char *file;           // NULL when unknown
    unsigned line;              // 0 when unknown
    bool inlined;               // into the next frame
};

// The chain of one address, innermost first: frames[first_frame ...]; without frames the debug data
// does not know the address.
struct hr_lookup_answer {
    uint32_t first_frame;
    uint32_t frame_count;
};

struct hr_lookup {
    const uint64_t *vaddrs; // strictly rising; inside the call, that is, return address - 1
    uint32_t count;
    const struct hr_code *code;       // of the file that they lie in; set by who asks a reader
    struct hr_lookup_answer *answers; // one for each of vaddrs
    GArray *frames;                   // of struct hr_lookup_frame
    struct hr_arena *arena;           // of what readers have to put together (paths)
    GPtrArray *taken_arenas;          // of answers that were taken from elsewhere
    unsigned jobs;                    // threads that may work on it; changes no answer
    unsigned broken_units;            // units that could not be read, wholly or in part
    unsigned broken_lines;            // units whose line programs could not be read
    uint64_t unreached_bytes;         // of debug data, behind a unit whose end nobody knows
};

// Makes a lookup without answers; `vaddrs` must live as long.
struct hr_lookup *hr_lookup_new(const uint64_t *vaddrs, uint32_t count);
void hr_lookup_free(struct hr_lookup *lookup);
HR_DEFINE_AUTO(hr_lookup, hr_lookup_free)

// Index of the first of `count` rising vaddrs that is not below `vaddr`.
static inline uint32_t hr_vaddrs_find_first(const uint64_t *vaddrs, uint32_t count, uint64_t vaddr)
{
    uint32_t low = 0;
    uint32_t high = count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (vaddrs[middle] < vaddr) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

uint32_t hr_lookup_find_first(const struct hr_lookup *lookup, uint64_t vaddr);

// Keeps an arena as long as the lookup.
void hr_lookup_take_arena(struct hr_lookup *lookup, struct hr_arena *arena);

// Takes the answers of `other`, whose vaddrs are among those of `lookup`; they replace what is
// there. What they are made of moves with them: `other` is good for nothing but to be freed.
void hr_lookup_take(struct hr_lookup *lookup, struct hr_lookup *other);
