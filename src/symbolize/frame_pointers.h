// SPDX-License-Identifier: MIT
// Was a program built with frame pointers? Told by how its functions begin, as no compiler writes
// the flag down.
#pragma once

#include "symbolize/object.h"

// Looks at the functions that the debug data cover, so that a library of others that was linked in
// does not decide. `separate` is the debug file, or NULL. *ratio is NAN without debug data, or where
// the machine is not known (x86-64 and aarch64 are).
void hr_frame_pointers_count(const struct hr_object *object, const struct hr_object *separate,
                             double *ratio, size_t *functions_count);
