// SPDX-License-Identifier: MIT
// .debug_ranges (DWARF 4): pairs | start 8 | end 8 |; start all ones: `end` is the new base; both
// zero: the end.
// .debug_rnglists (DWARF 5): entries | kind 1 | operands by kind |; DW_RLE_end_of_list: the end.
#include "symbolize/dwarf_ranges.h"

#include <dwarf.h>

#define ADDRESS_SIZE 8u
#define OFFSET_SIZE 4u

// Offset of the list in .debug_ranges or .debug_rnglists.
static uint64_t find_list(const struct hr_dwarf_unit *unit, const struct hr_value *ranges)
{
    if (ranges->class != HR_VALUE_LIST_INDEX) {
        return ranges->number + unit->ranges_bias;
    }
    if (ranges->number > unit->sections->rnglists.size) {
        return HR_NO_OFFSET;
    }
    const uint64_t at = unit->rnglists_base + ranges->number * OFFSET_SIZE;
    struct hr_bytes bytes = hr_bytes_init(&unit->sections->rnglists, at, at + OFFSET_SIZE);
    const uint64_t relative = hr_bytes_read_fixed(&bytes, OFFSET_SIZE);
    return bytes.broken ? HR_NO_OFFSET : unit->rnglists_base + relative;
}

struct hr_dwarf_ranges hr_dwarf_ranges_init(const struct hr_dwarf_unit *unit,
                                            const struct hr_value *low, const struct hr_value *high,
                                            const struct hr_value *ranges)
{
    struct hr_dwarf_ranges list = {.unit = unit};
    if (ranges->class != HR_VALUE_NONE) {
        const struct hr_section *section =
            unit->version >= 5 ? &unit->sections->rnglists : &unit->sections->ranges;
        list.bytes = hr_bytes_init(section, find_list(unit, ranges), section->size);
        if (!hr_dwarf_get_address(unit, &unit->low, &list.base)) {
            list.base = 0;
        }
        return list;
    }
    list.single = low->class != HR_VALUE_NONE && high->class != HR_VALUE_NONE;
    if (list.single && hr_dwarf_get_address(unit, low, &list.start)) {
        list.end = list.start + high->number;
        if (high->class != HR_VALUE_CONSTANT) {
            list.single = hr_dwarf_get_address(unit, high, &list.end);
        }
    }
    return list;
}

// What linkers write in place of an address whose code they dropped. What is counted from there
// could be anywhere. (A base of 0 is told apart: before DWARF 5 compilers write it before addresses
// that are whole.)
static bool is_dropped(uint64_t base)
{
    return base >= UINT64_MAX - 1;
}

static bool read_pair(struct hr_dwarf_ranges *list, uint64_t *start, uint64_t *end)
{
    for (;;) {
        *start = hr_bytes_read_fixed(&list->bytes, ADDRESS_SIZE);
        *end = hr_bytes_read_fixed(&list->bytes, ADDRESS_SIZE);
        if (list->bytes.broken || (*start == 0 && *end == 0)) {
            return false;
        }
        if (*start == UINT64_MAX) {
            list->base = *end;
        } else if (!is_dropped(list->base)) {
            *start += list->base;
            *end += list->base;
            return true;
        }
    }
}

// One entry: returns true when it is a range, false when it only set the base.
static bool read_entry(struct hr_dwarf_ranges *list, uint8_t kind, uint64_t *start, uint64_t *end)
{
    struct hr_bytes *bytes = &list->bytes;
    bool known = true;
    bool is_range = true;
    switch (kind) {
    case DW_RLE_base_addressx:
        known = hr_dwarf_get_indexed_address(list->unit, hr_bytes_read_uleb(bytes), &list->base);
        list->base_dropped = is_dropped(list->base) || list->base == 0;
        is_range = false;
        break;
    case DW_RLE_base_address:
        list->base = hr_bytes_read_fixed(bytes, ADDRESS_SIZE);
        list->base_dropped = is_dropped(list->base) || list->base == 0;
        is_range = false;
        break;
    case DW_RLE_startx_endx:
        known = hr_dwarf_get_indexed_address(list->unit, hr_bytes_read_uleb(bytes), start);
        known = hr_dwarf_get_indexed_address(list->unit, hr_bytes_read_uleb(bytes), end) && known;
        break;
    case DW_RLE_startx_length:
        known = hr_dwarf_get_indexed_address(list->unit, hr_bytes_read_uleb(bytes), start);
        *end = *start + hr_bytes_read_uleb(bytes);
        break;
    case DW_RLE_offset_pair:
        *start = list->base + hr_bytes_read_uleb(bytes);
        *end = list->base + hr_bytes_read_uleb(bytes);
        is_range = !list->base_dropped;
        break;
    case DW_RLE_start_end:
        *start = hr_bytes_read_fixed(bytes, ADDRESS_SIZE);
        *end = hr_bytes_read_fixed(bytes, ADDRESS_SIZE);
        break;
    case DW_RLE_start_length:
        *start = hr_bytes_read_fixed(bytes, ADDRESS_SIZE);
        *end = *start + hr_bytes_read_uleb(bytes);
        break;
    default:
        known = false;
    }
    bytes->broken |= !known;
    return is_range;
}

bool hr_dwarf_ranges_next(struct hr_dwarf_ranges *list, uint64_t *start, uint64_t *end)
{
    if (list->single) {
        list->single = false;
        *start = list->start;
        *end = list->end;
        return true;
    }
    if (!list->bytes.at) {
        list->broken = list->bytes.broken;
        return false;
    }
    *start = *end = 0;
    bool found = false;
    if (list->unit->version < 5) {
        found = read_pair(list, start, end);
    } else {
        uint8_t kind = DW_RLE_end_of_list;
        while (!found && !list->bytes.broken &&
               (kind = hr_bytes_read_u8(&list->bytes)) != DW_RLE_end_of_list) {
            found = read_entry(list, kind, start, end);
        }
    }
    list->broken |= list->bytes.broken;
    return found && !list->bytes.broken;
}
