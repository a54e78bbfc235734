// SPDX-License-Identifier: MIT
// How people write amounts: sizes, durations, times, counts. Free of the locale;
// nothing here knows of options.
#pragma once

#include "base/error.h"

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

// Reads "8388608", "8MiB", "8M", "1.5 GiB" (powers of 1024) or "8MB" (powers of 1000) as whole
// bytes, at most 2^63. Fails with HR_ERROR_USAGE, as all functions here do.
bool hr_quantity_read_size(const char *text, double *size_bytes, GError **error);

// Reads "90s", "5m", "1h30m", "2d", "250ms", or a plain number of seconds.
bool hr_quantity_read_duration(const char *text, double *duration_s, GError **error);

// Reads RFC 3339 ("2026-12-01T21:06:05Z"; the zone is needed) or "@1796160604.19" as Unix seconds.
bool hr_quantity_read_time(const char *text, double *unix_s, GError **error);

// Reads a whole decimal number from `least` to `most`.
bool hr_quantity_read_count(const char *text, uint64_t least, uint64_t most, uint64_t *count,
                            GError **error);

// Reads a decimal number that may have a fraction ("0.25", "8388608").
bool hr_quantity_read_number(const char *text, double *number, GError **error);
