// SPDX-License-Identifier: MIT
// What a profile says of frames beside their names: which have none, and which are the allocator's.
#pragma once

#include "export/export.h"

// Whether any frame of the location has a name; "libx.so+0x12" is none.
bool hr_pprof_is_named(const struct hr_symbols *symbols, const struct hr_location *location);

// "[libx.so]" for a location of the allocator's that has no name, which is how pprof itself shows
// it: as a name it can stand among drop_frames. NULL for any other. g_free() it.
char *hr_pprof_stand_in(const struct hr_export_model *model, const struct hr_location *location);

// A regular expression (RE2) of the names that are the allocator's at all `used` locations (by id):
// what drop_frames says, so that pprof counts to the caller what the report does. "" when there are
// none. g_free() it.
char *hr_pprof_drop_frames(const struct hr_export_model *model, const bool *used);
