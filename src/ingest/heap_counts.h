// SPDX-License-Identifier: MIT
// The counts of a dump's line. They are read once a row, which is most of what reading costs: all
// of it is inlined, also where a second form of dump reads the same. The text must end with a
// newline; looking for what is no blank or no digit ends there.
#pragma once

#include "model/dump.h"

#include <glib.h>
#include <stddef.h>
#include <stdint.h>

// More than any processor can address: a live count above it is a wrapped or damaged one.
#define HR_LIVE_MAX ((uint64_t)1 << 57)

static inline G_ALWAYS_INLINE const char *hr_skip_blanks(const char *at)
{
    while (*at == ' ' || *at == '\t' || *at == '\r') {
        at++;
    }
    return at;
}

// Takes a decimal number; NULL where none stands or it is more than 64 bits hold.
static inline G_ALWAYS_INLINE const char *hr_take_number(const char *at, uint64_t *number)
{
    const char *start = at;
    uint64_t value = 0;
    for (; *at >= '0' && *at <= '9'; at++) {
        const unsigned digit = (unsigned)(*at - '0');
        if (G_UNLIKELY(value > (UINT64_MAX - digit) / 10)) {
            return NULL;
        }
        value = value * 10 + digit;
    }
    *number = value;
    return at > start ? at : NULL;
}

// Takes `<n>: <b>`; NULL when the text says something else.
static inline G_ALWAYS_INLINE const char *hr_take_pair(const char *at, uint64_t *objects,
                                                       uint64_t *bytes)
{
    at = hr_take_number(hr_skip_blanks(at), objects);
    if (!at || *(at = hr_skip_blanks(at)) != ':') {
        return NULL;
    }
    return hr_take_number(hr_skip_blanks(at + 1), bytes);
}

// Takes `<n>: <b> [<N>: <B>]`; NULL when the text says something else, or what cannot be.
static inline G_ALWAYS_INLINE const char *hr_take_counts(const char *at, struct hr_row *row)
{
    at = hr_take_pair(at, &row->objects, &row->bytes);
    if (!at || *(at = hr_skip_blanks(at)) != '[' || row->objects > HR_LIVE_MAX ||
        row->bytes > HR_LIVE_MAX) {
        return NULL;
    }
    at = hr_take_pair(at + 1, &row->accum_objects, &row->accum_bytes);
    return at && *(at = hr_skip_blanks(at)) == ']' ? at + 1 : NULL;
}
