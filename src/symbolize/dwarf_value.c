// SPDX-License-Identifier: MIT
// The forms of 32-bit DWARF with addresses of 8 bytes.
#include "symbolize/dwarf_value.h"

#include "symbolize/dwarf_unit.h"

#include <dwarf.h>

#define ADDRESS_SIZE 8u
#define OFFSET_SIZE 4u

// HR_SIZE_VARIES also for forms that are not known.
uint8_t hr_dwarf_form_measure(uint16_t form)
{
    switch (form) {
    case DW_FORM_flag_present:
    case DW_FORM_implicit_const:
        return 0;
    case DW_FORM_data1:
    case DW_FORM_ref1:
    case DW_FORM_flag:
    case DW_FORM_strx1:
    case DW_FORM_addrx1:
        return 1;
    case DW_FORM_data2:
    case DW_FORM_ref2:
    case DW_FORM_strx2:
    case DW_FORM_addrx2:
        return 2;
    case DW_FORM_strx3:
    case DW_FORM_addrx3:
        return 3;
    case DW_FORM_data4:
    case DW_FORM_ref4:
    case DW_FORM_strx4:
    case DW_FORM_addrx4:
    case DW_FORM_strp:
    case DW_FORM_line_strp:
    case DW_FORM_sec_offset:
    case DW_FORM_ref_addr:
    case DW_FORM_GNU_ref_alt:
    case DW_FORM_GNU_strp_alt:
    case DW_FORM_ref_sup4:
    case DW_FORM_strp_sup:
        return 4;
    case DW_FORM_addr:
    case DW_FORM_data8:
    case DW_FORM_ref8:
    case DW_FORM_ref_sig8:
    case DW_FORM_ref_sup8:
        return 8;
    case DW_FORM_data16:
        return 16;
    default:
        return HR_SIZE_VARIES;
    }
}

static struct hr_value read_reference(const struct hr_dwarf_unit *unit, uint64_t relative)
{
    return (struct hr_value){.class = HR_VALUE_REFERENCE, .number = unit->offset + relative};
}

static struct hr_value read_string_at(const struct hr_section *section, uint64_t offset)
{
    // Sections end with a NUL (symbolize/dwarf_load.h), so what starts inside ends inside.
    if (offset >= section->size) {
        return (struct hr_value){.class = HR_VALUE_OTHER};
    }
    return (struct hr_value){.class = HR_VALUE_STRING,
                             .string = (const char *)section->bytes + offset};
}

static struct hr_value make_value(enum hr_value_class class, uint64_t number)
{
    return (struct hr_value){.class = class, .number = number};
}

static struct hr_value read_fixed_value(const struct hr_dwarf_unit *unit, struct hr_bytes *bytes,
                                        uint16_t form, unsigned size)
{
    const uint64_t number = size <= 8 ? hr_bytes_read_fixed(bytes, size) : 0;
    switch (form) {
    case DW_FORM_addr:
        return make_value(HR_VALUE_ADDRESS, number);
    case DW_FORM_addrx1:
    case DW_FORM_addrx2:
    case DW_FORM_addrx3:
    case DW_FORM_addrx4:
        return make_value(HR_VALUE_ADDRESS_INDEX, number);
    case DW_FORM_strx1:
    case DW_FORM_strx2:
    case DW_FORM_strx3:
    case DW_FORM_strx4:
        return make_value(HR_VALUE_STRING_INDEX, number);
    case DW_FORM_ref1:
    case DW_FORM_ref2:
    case DW_FORM_ref4:
    case DW_FORM_ref8:
        return read_reference(unit, number);
    case DW_FORM_ref_addr:
        return make_value(HR_VALUE_REFERENCE, number);
    case DW_FORM_strp:
        return read_string_at(&unit->sections->str, number);
    case DW_FORM_line_strp:
        return read_string_at(&unit->sections->line_str, number);
    case DW_FORM_sec_offset:
        return make_value(HR_VALUE_OFFSET, number);
    case DW_FORM_data16:
        hr_bytes_skip(bytes, 16);
        return make_value(HR_VALUE_OTHER, 0);
    case DW_FORM_ref_sig8:
        return make_value(HR_VALUE_OTHER, 0);
    case DW_FORM_GNU_ref_alt:
    case DW_FORM_GNU_strp_alt:
    case DW_FORM_ref_sup4:
    case DW_FORM_ref_sup8:
    case DW_FORM_strp_sup:
        return make_value(HR_VALUE_FOREIGN, 0);
    default:
        return make_value(HR_VALUE_CONSTANT, number);
    }
}

struct hr_value hr_dwarf_read_value(const struct hr_dwarf_unit *unit, struct hr_bytes *bytes,
                                    const struct hr_dwarf_attribute *attribute)
{
    if (attribute->size != HR_SIZE_VARIES && attribute->size > 0) {
        return read_fixed_value(unit, bytes, attribute->form, attribute->size);
    }
    switch (attribute->form) {
    case DW_FORM_flag_present:
        return make_value(HR_VALUE_CONSTANT, 1);
    case DW_FORM_implicit_const:
        return make_value(HR_VALUE_CONSTANT, (uint64_t)attribute->implicit);
    case DW_FORM_udata:
        return make_value(HR_VALUE_CONSTANT, hr_bytes_read_uleb(bytes));
    case DW_FORM_sdata:
        return make_value(HR_VALUE_CONSTANT, (uint64_t)hr_bytes_read_sleb(bytes));
    case DW_FORM_ref_udata:
        return read_reference(unit, hr_bytes_read_uleb(bytes));
    case DW_FORM_strx:
    case DW_FORM_GNU_str_index:
        return make_value(HR_VALUE_STRING_INDEX, hr_bytes_read_uleb(bytes));
    case DW_FORM_addrx:
    case DW_FORM_GNU_addr_index:
        return make_value(HR_VALUE_ADDRESS_INDEX, hr_bytes_read_uleb(bytes));
    case DW_FORM_rnglistx:
        return make_value(HR_VALUE_LIST_INDEX, hr_bytes_read_uleb(bytes));
    case DW_FORM_string:
        return (struct hr_value){.class = HR_VALUE_STRING, .string = hr_bytes_read_string(bytes)};
    default:
        hr_dwarf_skip_value(bytes, attribute);
        return make_value(HR_VALUE_OTHER, 0);
    }
}

void hr_dwarf_skip_varying(struct hr_bytes *bytes, uint16_t form)
{
    switch (form) {
    case DW_FORM_udata:
    case DW_FORM_sdata:
    case DW_FORM_ref_udata:
    case DW_FORM_strx:
    case DW_FORM_addrx:
    case DW_FORM_GNU_str_index:
    case DW_FORM_GNU_addr_index:
    case DW_FORM_rnglistx:
    case DW_FORM_loclistx:
        hr_bytes_read_uleb(bytes);
        break;
    case DW_FORM_string:
        hr_bytes_read_string(bytes);
        break;
    case DW_FORM_exprloc:
    case DW_FORM_block:
        hr_bytes_skip(bytes, hr_bytes_read_uleb(bytes));
        break;
    case DW_FORM_block1:
        hr_bytes_skip(bytes, hr_bytes_read_fixed(bytes, 1));
        break;
    case DW_FORM_block2:
        hr_bytes_skip(bytes, hr_bytes_read_fixed(bytes, 2));
        break;
    case DW_FORM_block4:
        hr_bytes_skip(bytes, hr_bytes_read_fixed(bytes, 4));
        break;
    default:
        bytes->broken = true; // DW_FORM_indirect and what is to come: libdw's
    }
}

const char *hr_dwarf_get_string(const struct hr_dwarf_unit *unit, const struct hr_value *value)
{
    if (value->class == HR_VALUE_STRING) {
        return value->string;
    }
    if (value->class != HR_VALUE_STRING_INDEX || unit->str_offsets_base == HR_NO_OFFSET ||
        value->number > unit->sections->str_offsets.size) {
        return NULL;
    }
    const uint64_t at = unit->str_offsets_base + value->number * OFFSET_SIZE;
    struct hr_bytes bytes = hr_bytes_init(&unit->sections->str_offsets, at, at + OFFSET_SIZE);
    const uint64_t offset = hr_bytes_read_fixed(&bytes, OFFSET_SIZE);
    const struct hr_value found = read_string_at(&unit->sections->str, offset);
    return bytes.broken || found.class != HR_VALUE_STRING ? NULL : found.string;
}

bool hr_dwarf_get_indexed_address(const struct hr_dwarf_unit *unit, uint64_t index,
                                  uint64_t *address)
{
    if (unit->addr_base == HR_NO_OFFSET || index > unit->sections->addr.size) {
        return false;
    }
    const uint64_t at = unit->addr_base + index * ADDRESS_SIZE;
    struct hr_bytes bytes = hr_bytes_init(&unit->sections->addr, at, at + ADDRESS_SIZE);
    *address = hr_bytes_read_fixed(&bytes, ADDRESS_SIZE);
    return !bytes.broken;
}

bool hr_dwarf_get_address(const struct hr_dwarf_unit *unit, const struct hr_value *value,
                          uint64_t *address)
{
    if (value->class == HR_VALUE_ADDRESS_INDEX) {
        return hr_dwarf_get_indexed_address(unit, value->number, address);
    }
    *address = value->number;
    return value->class == HR_VALUE_ADDRESS;
}
