// SPDX-License-Identifier: MIT
// The code that a pprof profile speaks of, as a dump would: return addresses, the memory map, and
// the names that the profile brings along.
#pragma once

#include "ingest/name_list.h"

#include <glib.h>
#include <stdint.h>

struct hr_pprof;

// One profile at a time; the names last until hr_name_list_restart().
struct hr_profile_code {
    struct hr_name_list names;
    GArray *mappings;  // of struct hr_mapping, rising
    GArray *addresses; // of uint64_t, by place of the location
};

void hr_profile_code_init(struct hr_profile_code *code);
void hr_profile_code_clear(struct hr_profile_code *code);

// Reads the locations and mappings of `profile`; the number of locations whose names were left out,
// for there are too many.
uint32_t hr_profile_code_read(struct hr_profile_code *code, const struct hr_pprof *profile);

// The return address that stands for a location of the profile that was read last, NULL when it has
// no such location.
const uint64_t *hr_profile_code_find(const struct hr_profile_code *code,
                                     const struct hr_pprof *profile, uint64_t location_id);
