// SPDX-License-Identifier: MIT
#include "symbolize/scope.h"

#include <dwarf.h>

// Newer than the dwarf.h of elfutils 0.188.
#define LANGUAGE_C_PLUS_PLUS_17 0x2a
#define LANGUAGE_C_PLUS_PLUS_20 0x2b

bool hr_scope_is_used_in(unsigned language)
{
    switch (language) {
    case DW_LANG_C_plus_plus:
    case DW_LANG_C_plus_plus_03:
    case DW_LANG_C_plus_plus_11:
    case DW_LANG_C_plus_plus_14:
    case LANGUAGE_C_PLUS_PLUS_17:
    case LANGUAGE_C_PLUS_PLUS_20:
        return true;
    default:
        return false;
    }
}

bool hr_scope_append(GString *qualified, unsigned tag, const char *name)
{
    switch (tag) {
    case DW_TAG_compile_unit:
    case DW_TAG_partial_unit:
    case DW_TAG_type_unit:
        return true;
    case DW_TAG_namespace: // as demanglers write it
        g_string_append_printf(qualified, "%s::", name ? name : "(anonymous namespace)");
        return true;
    case DW_TAG_class_type:
    case DW_TAG_structure_type:
    case DW_TAG_union_type:
        if (name) {
            g_string_append_printf(qualified, "%s::", name);
        }
        return name != NULL;
    default:
        return false;
    }
}
