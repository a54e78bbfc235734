// SPDX-License-Identifier: MIT
// .debug_info, 32-bit DWARF, one unit after the other:
//   version 4: | length 4 | version 2 | abbrev_offset 4 | address_size 1 | DIEs |
//   version 5: | length 4 | version 2 | type 1 | address_size 1 | abbrev_offset 4 | DIEs |
// (type units and split units have more in their headers; they hold no code of their own here.)
// A DIE: | abbreviation code, ULEB | one value for each attribute of the abbreviation |.
#include "symbolize/dwarf_unit.h"

#include <dwarf.h>

// Limits for made-up input; real tables stay far below.
#define ABBREVS_MAX (1u << 20)
#define ATTRIBUTES_MAX (1u << 22)

#define ADDRESS_SIZE 8u
#define OFFSET_SIZE 4u

static enum hr_die_kind classify_tag(uint64_t tag, bool has_range)
{
    switch (tag) {
    case DW_TAG_subprogram:
    case DW_TAG_inlined_subroutine:
        return has_range ? HR_DIE_FUNCTION : HR_DIE_PLAIN;
    case DW_TAG_enumeration_type:
    case DW_TAG_array_type:
    case DW_TAG_subroutine_type:
    case DW_TAG_call_site:
    case DW_TAG_GNU_call_site:
    case DW_TAG_GNU_formal_parameter_pack:
        return HR_DIE_CLOSED;
    default:
        return HR_DIE_PLAIN;
    }
}

// Bytes of a form, -1 when they vary.
static int measure_form(uint16_t form)
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
        return -1;
    }
}

static void measure_abbrev(struct hr_dwarf_abbrev *abbrev, const GArray *attributes)
{
    abbrev->fixed_size = 0;
    for (uint32_t i = 0; i < abbrev->count; i++) {
        const int size = measure_form(
            g_array_index(attributes, struct hr_dwarf_attribute, abbrev->first + i).form);
        if (size < 0) {
            abbrev->fixed_size = -1;
            return;
        }
        abbrev->fixed_size += size;
    }
}

static bool read_abbrev(struct hr_dwarf_abbrevs *table, struct hr_bytes *bytes)
{
    const uint64_t code = hr_bytes_read_uleb(bytes);
    if (code == 0 || bytes->broken) {
        return false;
    }
    const uint64_t tag = hr_bytes_read_uleb(bytes);
    struct hr_dwarf_abbrev abbrev = {
        .code = code,
        .tag = (uint16_t)tag,
        .has_children = hr_bytes_read_u8(bytes) != 0,
        .first = table->attributes->len,
    };
    bool has_range = false;
    for (;;) {
        struct hr_dwarf_attribute attribute = {0};
        attribute.name = (uint16_t)hr_bytes_read_uleb(bytes);
        attribute.form = (uint16_t)hr_bytes_read_uleb(bytes);
        if (attribute.form == DW_FORM_implicit_const) {
            attribute.implicit = hr_bytes_read_sleb(bytes);
        }
        if (bytes->broken || table->attributes->len >= ATTRIBUTES_MAX) {
            table->broken = true;
            return false;
        }
        if (attribute.name == 0 && attribute.form == 0) {
            break;
        }
        has_range |= attribute.name == DW_AT_low_pc || attribute.name == DW_AT_ranges;
        g_array_append_val(table->attributes, attribute);
    }
    abbrev.kind = (uint8_t)classify_tag(tag, has_range);
    abbrev.count = table->attributes->len - abbrev.first;
    measure_abbrev(&abbrev, table->attributes);
    table->dense &= code == table->abbrevs->len + 1;
    g_array_append_val(table->abbrevs, abbrev);
    return true;
}

static gint compare_codes(gconstpointer a, gconstpointer b)
{
    const struct hr_dwarf_abbrev *x = a;
    const struct hr_dwarf_abbrev *y = b;
    return x->code < y->code ? -1 : x->code > y->code;
}

struct hr_dwarf_abbrevs *hr_dwarf_abbrevs_new(const struct hr_section *section, uint64_t offset)
{
    struct hr_dwarf_abbrevs *table = g_new0(struct hr_dwarf_abbrevs, 1);
    table->abbrevs = g_array_new(FALSE, FALSE, sizeof(struct hr_dwarf_abbrev));
    // With room from the start: an abbreviation without attributes still has a place in the array.
    table->attributes = g_array_sized_new(FALSE, FALSE, sizeof(struct hr_dwarf_attribute), 64);
    table->dense = true;
    struct hr_bytes bytes = hr_bytes_init(section, offset, section->size);
    while (read_abbrev(table, &bytes)) {
        if (table->abbrevs->len > ABBREVS_MAX) {
            bytes.broken = true;
            break;
        }
    }
    table->broken |= bytes.broken;
    if (!table->dense) {
        g_array_sort(table->abbrevs, compare_codes);
    }
    return table;
}

void hr_dwarf_abbrevs_free(struct hr_dwarf_abbrevs *table)
{
    if (table) {
        g_array_unref(table->abbrevs);
        g_array_unref(table->attributes);
        g_free(table);
    }
}

const struct hr_dwarf_abbrev *hr_dwarf_abbrevs_find(const struct hr_dwarf_abbrevs *table,
                                                    uint64_t code)
{
    const struct hr_dwarf_abbrev *all =
        (const struct hr_dwarf_abbrev *)(const void *)table->abbrevs->data;
    if (table->dense) {
        return code - 1 < table->abbrevs->len ? &all[code - 1] : NULL;
    }
    guint low = 0;
    guint high = table->abbrevs->len;
    while (low < high) {
        const guint middle = low + (high - low) / 2;
        if (all[middle].code < code) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < table->abbrevs->len && all[low].code == code ? &all[low] : NULL;
}

uint64_t hr_dwarf_unit_init(struct hr_dwarf_unit *unit, const struct hr_dwarf_sections *sections,
                            uint64_t offset)
{
    *unit = (struct hr_dwarf_unit){.sections = sections, .offset = offset};
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
    unit->version = (uint8_t)hr_bytes_read_fixed(&bytes, 2);
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
    unit->first_die = (uint64_t)(bytes.at - sections->info.bytes);
    const bool plain = unit->type == DW_UT_compile || unit->type == DW_UT_partial;
    unit->supported = !wide && !bytes.broken && plain && address_size == ADDRESS_SIZE &&
                      (unit->version == 4 || unit->version == 5) && unit->first_die <= unit->end;
    return unit->end;
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
    const int size = measure_form(attribute->form);
    if (size > 0) {
        return read_fixed_value(unit, bytes, attribute->form, (unsigned)size);
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
        return make_value(HR_VALUE_STRING_INDEX, hr_bytes_read_uleb(bytes));
    case DW_FORM_addrx:
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

void hr_dwarf_skip_value(struct hr_bytes *bytes, const struct hr_dwarf_attribute *attribute)
{
    const int size = measure_form(attribute->form);
    if (size >= 0) {
        hr_bytes_skip(bytes, (uint64_t)size);
        return;
    }
    switch (attribute->form) {
    case DW_FORM_udata:
    case DW_FORM_sdata:
    case DW_FORM_ref_udata:
    case DW_FORM_strx:
    case DW_FORM_addrx:
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
        unit->addr_base = value->number;
        break;
    case DW_AT_rnglists_base:
        unit->rnglists_base = value->number;
        break;
    case DW_AT_dwo_name:
    case DW_AT_GNU_dwo_name:
        unit->supported = false;
        break;
    default:
        break;
    }
}

void hr_dwarf_unit_read_root(struct hr_dwarf_unit *unit, const struct hr_dwarf_abbrevs *abbrevs)
{
    unit->abbrevs = abbrevs;
    unit->rooted = true;
    struct hr_bytes bytes = hr_bytes_init(&unit->sections->info, unit->first_die, unit->end);
    const struct hr_dwarf_abbrev *abbrev =
        hr_dwarf_abbrevs_find(abbrevs, hr_bytes_read_uleb(&bytes));
    if (abbrevs->broken || !abbrev) {
        unit->supported = false;
        return;
    }
    const struct hr_dwarf_attribute *attributes =
        &g_array_index(abbrevs->attributes, struct hr_dwarf_attribute, abbrev->first);
    struct hr_value directory = {0};
    for (uint32_t i = 0; i < abbrev->count; i++) {
        const struct hr_value value = hr_dwarf_read_value(unit, &bytes, &attributes[i]);
        keep_root_value(unit, attributes[i].name, &value);
        if (attributes[i].name == DW_AT_comp_dir) {
            directory = value;
        }
    }
    if (abbrev->tag == DW_TAG_partial_unit) {
        unit->type = DW_UT_partial;
    }
    unit->directory = hr_dwarf_get_string(unit, &directory);
    unit->supported &= !bytes.broken && directory.class != HR_VALUE_FOREIGN;
}

const char *hr_dwarf_get_string(const struct hr_dwarf_unit *unit, const struct hr_value *value)
{
    if (value->class == HR_VALUE_STRING) {
        return value->string;
    }
    if (value->class != HR_VALUE_STRING_INDEX || unit->str_offsets_base == 0 ||
        value->number > unit->sections->str_offsets.size) {
        return NULL;
    }
    const uint64_t at = unit->str_offsets_base + value->number * OFFSET_SIZE;
    struct hr_bytes bytes = hr_bytes_init(&unit->sections->str_offsets, at, at + OFFSET_SIZE);
    const uint64_t offset = hr_bytes_read_fixed(&bytes, OFFSET_SIZE);
    const struct hr_value found = read_string_at(&unit->sections->str, offset);
    return bytes.broken || found.class != HR_VALUE_STRING ? NULL : found.string;
}
