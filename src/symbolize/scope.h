// SPDX-License-Identifier: MIT
// How the namespaces and classes around a C++ function are written before its name. Compilers give
// no linkage name to what is local to a file; its bare name would be that of many.
#pragma once

#include <glib.h>
#include <stdbool.h>

// True for a unit's DW_AT_language whose functions have such names.
bool hr_scope_is_used_in(unsigned language);

// Appends what a DIE around the function adds: DW_TAG_..., DW_AT_name or NULL. False when names end
// here: what is local to a function has no name by scopes alone.
bool hr_scope_append(GString *qualified, unsigned tag, const char *name);
