// SPDX-License-Identifier: MIT
// The own reader: all units of a file by their own DIEs, and which of them each address lies in.
#pragma once

#include "symbolize/claims.h"
#include "symbolize/dwarf_package.h"
#include "symbolize/dwarf_split.h"
#include "symbolize/object.h"

struct hr_dwarf_units {
    struct hr_dwarf_sections sections;
    GArray *units;        // of struct hr_dwarf_unit, by offset
    GHashTable *abbrevs;  // place in .debug_abbrev -> its table, NULL until all of it is wanted
    uint64_t scan_budget; // bytes of .debug_abbrev that may still be read for units' own DIEs
    GMutex reading;       // of abbreviations and split units: what is read later, by any thread
    struct hr_dwarf_package package; // of split units
    bool has_package;
    const struct hr_object *holder;
    struct hr_dwarf_split_files *files; // of split units, where the package has them not
    GPtrArray *split;                   // of struct hr_dwarf_unit
    bool foreign;                       // there are some that only libdw reads
    uint64_t unreached_bytes;           // of .debug_info, behind a unit whose end nobody knows
};

// Reads the headers and first DIEs of all units. Returns how many are broken; -1 when the own
// reader knows nothing of this file. `package` may be NULL; all given live as long.
int hr_dwarf_units_init(struct hr_dwarf_units *units, const struct hr_object *holder,
                        const struct hr_object *package, struct hr_dwarf_split_files *files);
void hr_dwarf_units_clear(struct hr_dwarf_units *units);

static inline const struct hr_dwarf_unit *hr_dwarf_units_get(const struct hr_dwarf_units *units,
                                                             uint32_t index)
{
    return &g_array_index(units->units, struct hr_dwarf_unit, index);
}

// Makes a unit's DIEs, and those of its split unit, readable. False when they are not.
bool hr_dwarf_units_prepare(struct hr_dwarf_units *units, const struct hr_dwarf_unit *unit);

// The unit that a DIE stands in by its offset, prepared. NULL when there is none that can be read.
const struct hr_dwarf_unit *hr_dwarf_units_find(struct hr_dwarf_units *units, uint64_t offset);

// Sets claims[i] to the first unit whose ranges hold lookup->vaddrs[i], where one does.
void hr_dwarf_units_assign(const struct hr_dwarf_units *units, struct hr_lookup *lookup,
                           struct hr_claim *claims);

// Some producers do not tell a unit's ranges: any address may lie in it.
bool hr_dwarf_units_is_without_ranges(const struct hr_dwarf_unit *unit);
