// SPDX-License-Identifier: MIT
// The own reader: attribute values by their forms.
#pragma once

#include "symbolize/dwarf_abbrevs.h"

struct hr_dwarf_unit;

// What a value is, after its form was read.
enum hr_value_class {
    HR_VALUE_NONE,
    HR_VALUE_ADDRESS,
    HR_VALUE_ADDRESS_INDEX,
    HR_VALUE_CONSTANT,
    HR_VALUE_STRING,
    HR_VALUE_STRING_INDEX,
    HR_VALUE_REFERENCE, // offset in .debug_info
    HR_VALUE_OFFSET,    // in the section that the attribute speaks of
    HR_VALUE_LIST_INDEX,
    HR_VALUE_OTHER,   // skipped
    HR_VALUE_FOREIGN, // lies in a file or section that only libdw reads
};

struct hr_value {
    enum hr_value_class class;
    uint64_t number;
    const char *string;
};

// Bytes of a form's values, HR_SIZE_VARIES when only the value tells.
uint8_t hr_dwarf_form_measure(uint16_t form);

// Reads one attribute value.
struct hr_value hr_dwarf_read_value(const struct hr_dwarf_unit *unit, struct hr_bytes *bytes,
                                    const struct hr_dwarf_attribute *attribute);

// Skips one of a size that varies.
void hr_dwarf_skip_varying(struct hr_bytes *bytes, uint16_t form);

static inline void hr_dwarf_skip_value(struct hr_bytes *bytes,
                                       const struct hr_dwarf_attribute *attribute)
{
    if (attribute->size != HR_SIZE_VARIES) {
        hr_bytes_skip(bytes, attribute->size);
    } else {
        hr_dwarf_skip_varying(bytes, attribute->form);
    }
}

// NULL when the value is no string that this reader can reach.
const char *hr_dwarf_get_string(const struct hr_dwarf_unit *unit, const struct hr_value *value);

// False when the value is no address that this reader can reach.
bool hr_dwarf_get_address(const struct hr_dwarf_unit *unit, const struct hr_value *value,
                          uint64_t *address);
bool hr_dwarf_get_indexed_address(const struct hr_dwarf_unit *unit, uint64_t index,
                                  uint64_t *address);
