// SPDX-License-Identifier: MIT
// From quantities to positions, and where an axis carries numbers: round ones in the unit that a
// reader thinks in (KiB, MiB, GiB; seconds, minutes, hours, days).
#pragma once

#include <stdbool.h>

struct hr_scale {
    double domain_low, domain_high;
    double range_low, range_high;
};

// The position of `value`; a domain without extent maps to the middle of the range.
double hr_scale_apply(const struct hr_scale *scale, double value);

#define HR_TICKS_MAX 16

struct hr_ticks {
    unsigned count;
    double at[HR_TICKS_MAX];
    char label[HR_TICKS_MAX][24];
};

// Ticks from 0 to `high` bytes, at most `wanted` intervals; `high` of 0 or less is read as 1 MiB.
void hr_ticks_bytes(double high, unsigned wanted, struct hr_ticks *ticks);

// Ticks inside low to high, elapsed seconds since zero.
void hr_ticks_elapsed(double low_s, double high_s, unsigned wanted, struct hr_ticks *ticks);

// Ticks inside low to high, whole numbers.
void hr_ticks_sequence(double low, double high, unsigned wanted, struct hr_ticks *ticks);
