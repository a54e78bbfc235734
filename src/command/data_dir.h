// SPDX-License-Identifier: MIT
// Where fonts and templates lie: beside an installed program, or in the source tree of one that was
// only built.
#pragma once

#include "base/error.h"

#include <glib.h>

// Returns the directory that holds templates/ and fonts/; g_free() it. HEAPREPORT_DATA_DIR decides
// alone where it is set; then what lies around the program itself, then where it was installed to.
// Fails with the places that were tried.
char *hr_data_dir_find(GError **error);
