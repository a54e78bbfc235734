// SPDX-License-Identifier: MIT
// .debug_cu_index, all little-endian:
//   | version 4 (5: 2, and 2 of padding) | columns 4 | rows 4 | slots 4 (a power of two) |
//   | slots: id 8 | slots: row 4, from 1; 0: empty | columns: section 4 |
//   | rows x columns: offset 4 | rows x columns: size 4 |
#include "symbolize/dwarf_package.h"

#define HEADER_SIZE 16u

// Numbers of sections; the last one means another section in version 2.
enum { INFO = 1, ABBREV = 3, STR_OFFSETS = 6, RNGLISTS = 8 };

static uint64_t read_at(const struct hr_dwarf_package *package, uint64_t offset, unsigned size)
{
    struct hr_bytes bytes = hr_bytes_init(&package->index, offset, package->index.size);
    return hr_bytes_read_fixed(&bytes, size);
}

bool hr_dwarf_package_init(struct hr_dwarf_package *package, const struct hr_object *object)
{
    *package = (struct hr_dwarf_package){0};
    if (!hr_dwarf_load_split(object, &package->sections, &package->index)) {
        return false;
    }
    package->version = (uint32_t)read_at(package, 0, 4);
    package->columns = (uint32_t)read_at(package, 4, 4);
    package->rows = (uint32_t)read_at(package, 8, 4);
    package->slots = (uint32_t)read_at(package, 12, 4);
    const uint64_t cells = (uint64_t)package->rows * package->columns;
    const bool whole =
        package->columns < 64 &&
        HEADER_SIZE + 12 * (uint64_t)package->slots + 4 * (uint64_t)package->columns + 8 * cells <=
            package->index.size;
    return whole && (package->version == 2 || package->version == 5) &&
           (package->slots & (package->slots - 1)) == 0;
}

// Row of that id, from 1; 0: none.
static uint32_t find_row(const struct hr_dwarf_package *package, uint64_t dwo_id)
{
    const uint64_t mask = (uint64_t)package->slots - 1;
    uint64_t slot = dwo_id & mask;
    const uint64_t step = ((dwo_id >> 32) & mask) | 1;
    for (uint32_t tries = 0; tries < package->slots; tries++) {
        const uint64_t row_at = HEADER_SIZE + 8 * (uint64_t)package->slots + 4 * slot;
        const uint32_t row = (uint32_t)read_at(package, row_at, 4);
        if (row == 0 || row > package->rows) {
            return 0;
        }
        if (read_at(package, HEADER_SIZE + 8 * slot, 8) == dwo_id) {
            return row;
        }
        slot = (slot + step) & mask;
    }
    return 0;
}

bool hr_dwarf_package_find(const struct hr_dwarf_package *package, uint64_t dwo_id,
                           struct hr_dwarf_parts *parts)
{
    const uint32_t row = find_row(package, dwo_id);
    const uint64_t heads = HEADER_SIZE + 12 * (uint64_t)package->slots;
    *parts = (struct hr_dwarf_parts){0};
    for (uint32_t i = 0; row > 0 && i < package->columns; i++) {
        const uint64_t at = heads + 4 * ((uint64_t)row * package->columns + i);
        const uint64_t offset = read_at(package, at, 4);
        switch (read_at(package, heads + 4 * (uint64_t)i, 4)) {
        case INFO:
            parts->info = offset;
            break;
        case ABBREV:
            parts->abbrev = offset;
            break;
        case STR_OFFSETS:
            parts->str_offsets = offset;
            break;
        case RNGLISTS:
            parts->rnglists = offset;
            break;
        default:
            break;
        }
    }
    return row > 0;
}
