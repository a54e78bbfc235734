// SPDX-License-Identifier: MIT
#include "symbolize/dwarf_units.h"

#include "symbolize/dwarf_load.h"
#include "symbolize/dwarf_ranges.h"

#include <dwarf.h>

// Of a unit's part of .debug_str_offsets and of .debug_rnglists.
#define LIST_HEADER_SIZE 8u
#define RNGLISTS_HEADER_SIZE 12u

// So many broken units are stepped over in one file.
#define BROKEN_MAX 64

static gpointer get_key(const struct hr_dwarf_unit *unit)
{
    return (gpointer)((uintptr_t)unit->sections->abbrev.bytes + (uintptr_t)unit->abbrev_offset);
}

static const struct hr_dwarf_abbrevs *get_abbrevs(struct hr_dwarf_units *units,
                                                  const struct hr_dwarf_unit *unit)
{
    struct hr_dwarf_abbrevs *found = g_hash_table_lookup(units->abbrevs, get_key(unit));
    if (!found) {
        found = hr_dwarf_abbrevs_new(&unit->sections->abbrev, unit->abbrev_offset, 0);
        g_hash_table_insert(units->abbrevs, get_key(unit), found);
    }
    return found;
}

// Of a table that is seen for the first time only what the unit's own DIE needs is read: all of
// them together would cost the more the larger the file is, whatever is asked.
static void read_root(struct hr_dwarf_units *units, struct hr_dwarf_unit *unit)
{
    const uint64_t code = hr_dwarf_unit_get_root_code(unit);
    if (code == 0 || g_hash_table_contains(units->abbrevs, get_key(unit))) {
        hr_dwarf_unit_read_root(unit, get_abbrevs(units, unit));
        return;
    }
    struct hr_dwarf_abbrevs *one =
        hr_dwarf_abbrevs_new(&unit->sections->abbrev, unit->abbrev_offset, code);
    hr_dwarf_unit_read_root(unit, one);
    // Real tables lie side by side; made-up ones may all reach to the section's end.
    unit->supported &= one->size <= units->scan_budget;
    units->scan_budget -= MIN(units->scan_budget, one->size);
    hr_dwarf_abbrevs_free(one);
    g_hash_table_insert(units->abbrevs, get_key(unit), NULL);
}

static void add_unit(struct hr_dwarf_units *units, struct hr_dwarf_unit *unit)
{
    if (unit->supported) {
        read_root(units, unit);
    }
    if (unit->type == DW_UT_skeleton) {
        struct hr_dwarf_parts parts;
        const bool packed =
            units->has_package && hr_dwarf_package_find(&units->package, unit->dwo_id, &parts);
        unit->supported &= packed || (unit->dwo_name && *unit->dwo_name);
    }
    units->foreign |= !unit->supported && unit->type != DW_UT_type;
    g_array_append_vals(units->units, unit, 1);
}

// Where the first unit behind `offset` begins that .debug_aranges speaks of: the only use made of
// that section, which real files have broken or not at all. HR_NO_OFFSET when there is none.
static uint64_t find_unit_behind(const struct hr_dwarf_sections *sections, uint64_t offset)
{
    struct hr_bytes bytes = hr_bytes_init(&sections->aranges, 0, sections->aranges.size);
    uint64_t found = HR_NO_OFFSET;
    while (!bytes.broken && hr_bytes_left(&bytes) > 0) {
        // | length 4 | version 2 | offset of the unit 4 | ... |
        const uint64_t length = hr_bytes_read_fixed(&bytes, 4);
        struct hr_bytes set = bytes;
        hr_bytes_skip(&bytes, length);
        const uint64_t version = hr_bytes_read_fixed(&set, 2);
        const uint64_t unit = hr_bytes_read_fixed(&set, 4);
        if (!bytes.broken && version == 2 && unit > offset) {
            found = MIN(found, unit);
        }
    }
    return found;
}

// Returns the number of broken units.
static int collect_units(struct hr_dwarf_units *units)
{
    const struct hr_dwarf_sections *sections = &units->sections;
    uint64_t offset = 0;
    int broken = 0;
    while (offset < sections->info.size) {
        struct hr_dwarf_unit unit;
        uint64_t next = hr_dwarf_unit_init(&unit, sections, offset);
        if (next != HR_NO_OFFSET) {
            add_unit(units, &unit);
        } else if (broken++ < BROKEN_MAX) {
            next = find_unit_behind(sections, offset);
        }
        if (next == HR_NO_OFFSET) {
            units->unreached_bytes = sections->info.size - offset;
        }
        offset = next;
    }
    return broken;
}

static void free_abbrevs(gpointer abbrevs) // NULL is fine
{
    hr_dwarf_abbrevs_free(abbrevs);
}

static void free_split(gpointer unit)
{
    g_free(unit);
}

int hr_dwarf_units_init(struct hr_dwarf_units *units, const struct hr_object *holder,
                        const struct hr_object *package, struct hr_dwarf_split_files *files)
{
    *units = (struct hr_dwarf_units){
        .units = g_array_new(FALSE, FALSE, sizeof(struct hr_dwarf_unit)),
        .holder = holder,
        .files = files,
        .abbrevs = g_hash_table_new_full(g_direct_hash, g_direct_equal, NULL, free_abbrevs),
    };
    g_mutex_init(&units->reading);
    units->split = g_ptr_array_new_with_free_func(free_split);
    units->has_package = package && hr_dwarf_package_init(&units->package, package);
    if (!hr_dwarf_load(holder, &units->sections)) {
        return -1;
    }
    units->scan_budget = 16 * (uint64_t)units->sections.abbrev.size;
    return collect_units(units);
}

void hr_dwarf_units_clear(struct hr_dwarf_units *units)
{
    g_array_unref(units->units);
    g_hash_table_unref(units->abbrevs);
    g_ptr_array_unref(units->split);
    g_mutex_clear(&units->reading);
}

// Sets *unit to the head of a split unit and *parts to where in its sections its own begin.
static bool find_split(struct hr_dwarf_units *units, const struct hr_dwarf_unit *skeleton,
                       struct hr_dwarf_unit *unit, struct hr_dwarf_parts *parts)
{
    struct hr_dwarf_package *package = &units->package;
    if (units->has_package && hr_dwarf_package_find(package, skeleton->dwo_id, parts)) {
        package->sections.addr = units->sections.addr;
        package->sections.ranges = units->sections.ranges;
        return hr_dwarf_unit_init(unit, &package->sections, parts->info) != HR_NO_OFFSET;
    }
    *parts = (struct hr_dwarf_parts){0};
    return skeleton->dwo_name &&
           hr_dwarf_split_files_find(units->files, units->holder, skeleton, unit);
}

// What a split unit refers to lies in the parts of the package that are its own, or in its file;
// addresses and the range lists of DWARF 4 in the program.
static struct hr_dwarf_unit *read_split(struct hr_dwarf_units *units,
                                        const struct hr_dwarf_unit *skeleton)
{
    struct hr_dwarf_parts parts;
    struct hr_dwarf_unit *unit = g_new0(struct hr_dwarf_unit, 1);
    g_ptr_array_add(units->split, unit);
    if (!find_split(units, skeleton, unit, &parts) || unit->version != skeleton->version ||
        !unit->supported) {
        unit->supported = false;
        return unit;
    }
    const bool old = unit->version < 5;
    unit->abbrev_offset += parts.abbrev;
    unit->addr_base = skeleton->addr_base;
    unit->str_offsets_base = parts.str_offsets + (old ? 0 : LIST_HEADER_SIZE);
    unit->rnglists_base = parts.rnglists + RNGLISTS_HEADER_SIZE;
    unit->ranges_bias = old ? skeleton->gnu_ranges_base : parts.rnglists;
    unit->abbrevs = get_abbrevs(units, unit);
    hr_dwarf_unit_read_root(unit, unit->abbrevs);
    unit->low = skeleton->low;
    unit->supported &= !unit->abbrevs->broken && unit->dwo_id == skeleton->dwo_id;
    return unit;
}

bool hr_dwarf_units_prepare(struct hr_dwarf_units *units, const struct hr_dwarf_unit *unit)
{
    struct hr_dwarf_unit *prepared = (struct hr_dwarf_unit *)(uintptr_t)unit;
    if (!unit->supported) {
        return false;
    }
    g_mutex_lock(&units->reading);
    if (!unit->abbrevs) {
        prepared->abbrevs = get_abbrevs(units, unit);
        prepared->split = unit->type == DW_UT_skeleton ? read_split(units, unit) : NULL;
    }
    const bool good = !unit->abbrevs->broken && (!unit->split || unit->split->supported);
    g_mutex_unlock(&units->reading);
    return good;
}

const struct hr_dwarf_unit *hr_dwarf_units_find(struct hr_dwarf_units *units, uint64_t offset)
{
    guint low = 0;
    guint high = units->units->len;
    while (low < high) {
        const guint middle = low + (high - low) / 2;
        if (hr_dwarf_units_get(units, middle)->end <= offset) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    const struct hr_dwarf_unit *unit =
        low < units->units->len ? hr_dwarf_units_get(units, low) : NULL;
    return unit && unit->first_die <= offset && hr_dwarf_units_prepare(units, unit) ? unit : NULL;
}

// Gives each vaddr in the unit's ranges to the unit.
static void claim_vaddrs(const struct hr_dwarf_unit *unit, uint32_t index, struct hr_lookup *lookup,
                         struct hr_claim *claims, uint64_t *budget)
{
    struct hr_dwarf_ranges ranges =
        hr_dwarf_ranges_init(unit, &unit->low, &unit->high, &unit->ranges);
    uint64_t start;
    uint64_t end;
    while (*budget > 0 && hr_dwarf_ranges_next(&ranges, &start, &end)) {
        const uint64_t steps = 1 + hr_claims_take(claims, lookup, index, start, end);
        *budget -= MIN(*budget, steps);
    }
    lookup->broken_units += ranges.broken;
}

void hr_dwarf_units_assign(const struct hr_dwarf_units *units, struct hr_lookup *lookup,
                           struct hr_claim *claims)
{
    // Far above what real files need: an entry of a range list belongs to a DIE of some bytes.
    uint64_t budget =
        4 * (uint64_t)units->sections.info.size + 64 * (uint64_t)lookup->count + 65536;
    for (uint32_t i = units->units->len; i-- > 0;) { // the first that claims a vaddr wins
        const struct hr_dwarf_unit *unit = hr_dwarf_units_get(units, i);
        if (unit->supported && (unit->type == DW_UT_compile || unit->type == DW_UT_skeleton)) {
            claim_vaddrs(unit, i, lookup, claims, &budget);
        }
    }
}

bool hr_dwarf_units_is_without_ranges(const struct hr_dwarf_unit *unit)
{
    return unit->supported && unit->type == DW_UT_compile && unit->low.class == HR_VALUE_NONE &&
           unit->ranges.class == HR_VALUE_NONE;
}
