// SPDX-License-Identifier: MIT
// The names that one dump brings along, as a reader collects them, and how those of many dumps
// become the run's.
#pragma once

#include "base/strings.h"
#include "model/given.h"

#include <glib.h>
#include <stdbool.h>

// A dump names no more addresses than this, and calls no more functions inlined at one of them.
#define HR_NAME_LIST_MAX (16u * 1024 * 1024)
#define HR_NAME_FRAMES_MAX 1024u

struct hr_name_list {
    struct hr_arena *arena;
    struct hr_strings *strings; // of all dumps that were read into this list
    GArray *names;              // of struct hr_given_name
    GArray *frames;             // of struct hr_given_frame
};

void hr_name_list_init(struct hr_name_list *list);
void hr_name_list_clear(struct hr_name_list *list);

// Forgets the names, not the strings.
void hr_name_list_restart(struct hr_name_list *list);

// Adds an address and its frames, innermost first; their texts are interned here. False, and
// nothing is added, beyond the limits.
bool hr_name_list_add(struct hr_name_list *list, uint64_t address,
                      const struct hr_given_frame *frames, uint32_t count);

// What was collected, in that order; valid until the list changes.
struct hr_given_names hr_name_list_get(const struct hr_name_list *list);

// Reads a line "0x<address> <outermost>--<inlined>--<innermost>" of a --- symbol section. False
// when it makes no sense or does not fit any more; a name that is the address again is none, and
// is left out.
bool hr_name_list_read_line(struct hr_name_list *list, const char *line, size_t length);

// The run's names: first come, first served. `frames` and `names` grow, `known` maps an address
// (of names) to itself.
struct hr_name_merge {
    GArray *names;     // of struct hr_given_name
    GArray *frames;    // of struct hr_given_frame
    GHashTable *known; // a set of addresses
};

void hr_name_merge_init(struct hr_name_merge *merge, const struct hr_given_names *given);
void hr_name_merge_clear(struct hr_name_merge *merge);
void hr_name_merge_add(struct hr_name_merge *merge, struct hr_strings *strings,
                       const struct hr_given_names *more);

// Copies what was merged, sorted, into the arena.
struct hr_given_names hr_name_merge_finish(struct hr_name_merge *merge, struct hr_arena *arena);
