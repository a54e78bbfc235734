// SPDX-License-Identifier: MIT
// .debug_info, 32-bit DWARF, one unit after the other:
//   version 4: | length 4 | version 2 | abbrev_offset 4 | address_size 1 | DIEs |
//   version 5: | length 4 | version 2 | type 1 | address_size 1 | abbrev_offset 4 | DIEs |
// (type units and split units have more in their headers; they hold no code of their own here.)
// A DIE: | abbreviation code, ULEB | one value for each attribute of the abbreviation |.
#include "symbolize/dwarf_unit.h"

#include <dwarf.h>

#define ADDRESS_SIZE 8u
#define OFFSET_SIZE 4u

uint64_t hr_dwarf_unit_init(struct hr_dwarf_unit *unit, const struct hr_dwarf_sections *sections,
                            uint64_t offset)
{
    *unit = (struct hr_dwarf_unit){.sections = sections,
                                   .offset = offset,
                                   .str_offsets_base = HR_NO_OFFSET,
                                   .addr_base = HR_NO_OFFSET};
    struct hr_bytes bytes = hr_bytes_init(&sections->info, offset, sections->info.size);
    uint64_t length = hr_bytes_read_fixed(&bytes, 4);
    const bool wide = length == 0xffffffffu;
    if (wide) {
        length = hr_bytes_read_fixed(&bytes, 8);
    }
    if (bytes.broken || length > hr_bytes_left(&bytes)) {
        return HR_NO_OFFSET;
    }
    unit->end = offset + (wide ? 12 : 4) + length;
    const uint64_t version = hr_bytes_read_fixed(&bytes, 2);
    if (length > 0 && (version < 2 || version > 5)) { // what lies between units has no length
        return HR_NO_OFFSET;
    }
    unit->version = (uint8_t)version;
    unit->type = DW_UT_compile;
    uint8_t address_size;
    if (unit->version >= 5) {
        unit->type = hr_bytes_read_u8(&bytes);
        address_size = hr_bytes_read_u8(&bytes);
        unit->abbrev_offset = hr_bytes_read_fixed(&bytes, OFFSET_SIZE);
    } else {
        unit->abbrev_offset = hr_bytes_read_fixed(&bytes, OFFSET_SIZE);
        address_size = hr_bytes_read_u8(&bytes);
    }
    const bool split = unit->type == DW_UT_skeleton || unit->type == DW_UT_split_compile;
    if (split) {
        unit->dwo_id = hr_bytes_read_fixed(&bytes, 8);
    }
    unit->first_die = (uint64_t)(bytes.at - sections->info.bytes);
    const bool plain = unit->type == DW_UT_compile || unit->type == DW_UT_partial || split;
    unit->supported = !wide && !bytes.broken && plain && address_size == ADDRESS_SIZE &&
                      (unit->version == 4 || unit->version == 5) && unit->first_die <= unit->end;
    return unit->end;
}

static void keep_root_value(struct hr_dwarf_unit *unit, uint16_t name, const struct hr_value *value)
{
    switch (name) {
    case DW_AT_low_pc:
        unit->low = *value;
        break;
    case DW_AT_high_pc:
        unit->high = *value;
        break;
    case DW_AT_ranges:
        unit->ranges = *value;
        break;
    case DW_AT_stmt_list:
        unit->line_offset = *value;
        break;
    case DW_AT_language:
        unit->language = value->number <= UINT16_MAX ? (unsigned)value->number : 0;
        break;
    case DW_AT_str_offsets_base:
        unit->str_offsets_base = value->number;
        break;
    case DW_AT_addr_base:
    case DW_AT_GNU_addr_base:
        unit->addr_base = value->number;
        break;
    case DW_AT_rnglists_base:
        unit->rnglists_base = value->number;
        break;
    case DW_AT_GNU_ranges_base:
        unit->gnu_ranges_base = value->number;
        break;
    case DW_AT_GNU_dwo_name: // of DWARF 4, whose header does not tell
        unit->type = unit->type == DW_UT_compile ? DW_UT_skeleton : unit->type;
        break;
    case DW_AT_GNU_dwo_id:
        unit->dwo_id = value->number;
        break;
    default:
        break;
    }
}

uint64_t hr_dwarf_unit_get_root_code(const struct hr_dwarf_unit *unit)
{
    struct hr_bytes bytes = hr_bytes_init(&unit->sections->info, unit->first_die, unit->end);
    return hr_bytes_read_uleb(&bytes);
}

void hr_dwarf_unit_read_root(struct hr_dwarf_unit *unit, const struct hr_dwarf_abbrevs *abbrevs)
{
    struct hr_bytes bytes = hr_bytes_init(&unit->sections->info, unit->first_die, unit->end);
    const struct hr_dwarf_abbrev *abbrev =
        hr_dwarf_abbrevs_find(abbrevs, hr_bytes_read_uleb(&bytes));
    if (abbrevs->broken || !abbrev) {
        unit->supported = false;
        return;
    }
    const struct hr_dwarf_attribute *attributes = hr_dwarf_abbrevs_get_attributes(abbrevs, abbrev);
    struct hr_value directory = {0};
    struct hr_value dwo_name = {0};
    for (uint32_t i = 0; i < abbrev->count; i++) {
        const struct hr_value value = hr_dwarf_read_value(unit, &bytes, &attributes[i]);
        keep_root_value(unit, attributes[i].name, &value);
        if (attributes[i].name == DW_AT_comp_dir) {
            directory = value;
        } else if (attributes[i].name == DW_AT_dwo_name ||
                   attributes[i].name == DW_AT_GNU_dwo_name) {
            dwo_name = value;
        }
    }
    if (abbrev->tag == DW_TAG_partial_unit) {
        unit->type = DW_UT_partial;
    }
    unit->directory = hr_dwarf_get_string(unit, &directory);
    unit->dwo_name = hr_dwarf_get_string(unit, &dwo_name);
    unit->supported &= !bytes.broken && directory.class != HR_VALUE_FOREIGN;
}
