// SPDX-License-Identifier: MIT
// What ends a program without asking it, as far as it can still be one clear sentence: signals of a
// write, a mapped file that shrinks, no memory left; and standard descriptors that are not there.
#pragma once

#include "base/error.h"

#include <stdbool.h>

// The first call of the program. From then on a write to a file-size limit or to nobody is an error
// of that write; lack of memory and a mapped file cut by others print a sentence and end with
// status 3, before any output has its name.
void hr_failures_prepare(void);

// Checks what the environment says of the time in a report. Fails (HR_ERROR_USAGE) when
// SOURCE_DATE_EPOCH is no number of seconds: a build that asks for the same bytes must not get
// others.
bool hr_failures_check_epoch(GError **error);
