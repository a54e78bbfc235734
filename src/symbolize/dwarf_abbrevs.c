// SPDX-License-Identifier: MIT
// .debug_abbrev, a table for some units:
//   | code ULEB | tag ULEB | has_children 1 | pairs: name ULEB, form ULEB (, value SLEB); 0 0 ends
//   |
// A code of 0 ends the table.
#include "symbolize/dwarf_abbrevs.h"

#include "symbolize/dwarf_value.h"

#include <dwarf.h>

// Limits for made-up input; real tables stay far below.
#define ABBREVS_MAX (1u << 20)
#define ATTRIBUTES_MAX (1u << 22)

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

static void measure_abbrev(struct hr_dwarf_abbrev *abbrev, const GArray *attributes)
{
    abbrev->fixed_size = 0;
    for (uint32_t i = 0; i < abbrev->count; i++) {
        const uint8_t size =
            g_array_index(attributes, struct hr_dwarf_attribute, abbrev->first + i).size;
        if (size == HR_SIZE_VARIES) {
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
        attribute.size = hr_dwarf_form_measure(attribute.form);
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

static void read_all(struct hr_dwarf_abbrevs *table, struct hr_bytes *bytes)
{
    while (read_abbrev(table, bytes)) {
        if (table->abbrevs->len > ABBREVS_MAX) {
            bytes->broken = true;
            break;
        }
    }
    if (!table->dense) {
        g_array_sort(table->abbrevs, compare_codes);
    }
}

// Steps over what has other codes.
static void read_one(struct hr_dwarf_abbrevs *table, struct hr_bytes *bytes, uint64_t wanted)
{
    struct hr_bytes start = *bytes;
    uint64_t code;
    while ((code = hr_bytes_read_uleb(bytes)) != wanted && code != 0 && !bytes->broken) {
        hr_bytes_read_uleb(bytes);
        hr_bytes_read_u8(bytes);
        uint64_t name;
        uint64_t form;
        do {
            name = hr_bytes_read_uleb(bytes);
            form = hr_bytes_read_uleb(bytes);
            if (form == DW_FORM_implicit_const) {
                hr_bytes_read_sleb(bytes);
            }
        } while ((name != 0 || form != 0) && !bytes->broken);
        start = *bytes;
    }
    if (code == wanted && !bytes->broken) {
        *bytes = start;
        read_abbrev(table, bytes);
        table->dense = false; // but sorted
    }
}

struct hr_dwarf_abbrevs *hr_dwarf_abbrevs_new(const struct hr_section *section, uint64_t offset,
                                              uint64_t code)
{
    struct hr_dwarf_abbrevs *table = g_new0(struct hr_dwarf_abbrevs, 1);
    table->abbrevs = g_array_new(FALSE, FALSE, sizeof(struct hr_dwarf_abbrev));
    // With room from the start: an abbreviation without attributes still has a place in the array.
    table->attributes =
        g_array_sized_new(FALSE, FALSE, sizeof(struct hr_dwarf_attribute), code ? 16 : 1024);
    table->dense = true;
    struct hr_bytes bytes = hr_bytes_init(section, offset, section->size);
    if (code != 0) {
        read_one(table, &bytes, code);
    } else {
        read_all(table, &bytes);
    }
    table->broken |= bytes.broken;
    table->size = section->size - MIN(offset, section->size) - hr_bytes_left(&bytes);
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

const struct hr_dwarf_abbrev *hr_dwarf_abbrevs_search(const struct hr_dwarf_abbrevs *table,
                                                      uint64_t code)
{
    const struct hr_dwarf_abbrev *all =
        (const struct hr_dwarf_abbrev *)(const void *)table->abbrevs->data;
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
