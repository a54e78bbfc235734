// SPDX-License-Identifier: MIT
// A bounded reader of little-endian DWARF bytes: past the end it gives zeros and stays broken, so
// that a whole structure is read before one check.
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

struct hr_section {
    const uint8_t *bytes; // NULL when there is none
    size_t size;
};

struct hr_bytes {
    const uint8_t *at;
    const uint8_t *end;
    bool broken;
};

// Reads [from, to) of a section.
static inline struct hr_bytes hr_bytes_init(const struct hr_section *section, uint64_t from,
                                            uint64_t to)
{
    if (!section->bytes || from > to || to > section->size) {
        return (struct hr_bytes){.broken = true};
    }
    return (struct hr_bytes){section->bytes + from, section->bytes + to, false};
}

static inline size_t hr_bytes_left(const struct hr_bytes *bytes)
{
    return (size_t)(bytes->end - bytes->at);
}

static inline void hr_bytes_skip(struct hr_bytes *bytes, uint64_t count)
{
    if (count > hr_bytes_left(bytes)) {
        bytes->broken = true;
        bytes->at = bytes->end;
        return;
    }
    bytes->at += count;
}

static inline uint64_t hr_bytes_read_fixed(struct hr_bytes *bytes, unsigned size)
{
    uint64_t value = 0;
    if (size > hr_bytes_left(bytes)) {
        bytes->broken = true;
        bytes->at = bytes->end;
        return 0;
    }
    memcpy(&value, bytes->at, size);
    bytes->at += size;
    return GUINT64_FROM_LE(value);
}

static inline uint8_t hr_bytes_read_u8(struct hr_bytes *bytes)
{
    if (bytes->at == bytes->end) {
        bytes->broken = true;
        return 0;
    }
    return *bytes->at++;
}

// The bits of a LEB128 number, and how many there were; those above the 64th are dropped.
static inline uint64_t hr_bytes_read_leb(struct hr_bytes *bytes, unsigned *bits, bool *negative)
{
    uint64_t value = 0;
    uint8_t byte;
    *bits = 0;
    do {
        byte = hr_bytes_read_u8(bytes);
        if (*bits < 64) {
            value |= (uint64_t)(byte & 0x7f) << *bits;
        }
        *bits += 7;
    } while (byte & 0x80);
    *negative = byte & 0x40;
    return value;
}

static inline uint64_t hr_bytes_read_uleb(struct hr_bytes *bytes)
{
    if (bytes->at < bytes->end && *bytes->at < 0x80) {
        return *bytes->at++; // nearly all
    }
    unsigned bits;
    bool negative;
    return hr_bytes_read_leb(bytes, &bits, &negative);
}

static inline int64_t hr_bytes_read_sleb(struct hr_bytes *bytes)
{
    unsigned bits;
    bool negative;
    const uint64_t value = hr_bytes_read_leb(bytes, &bits, &negative);
    return (int64_t)(negative && bits < 64 ? value | ~UINT64_C(0) << bits : value);
}

// A NUL-terminated string inside the bytes; NULL (and broken) when it does not end.
static inline const char *hr_bytes_read_string(struct hr_bytes *bytes)
{
    const uint8_t *start = bytes->at;
    const uint8_t *end = hr_bytes_left(bytes) ? memchr(start, 0, hr_bytes_left(bytes)) : NULL;
    if (!end) {
        bytes->broken = true;
        bytes->at = bytes->end;
        return NULL;
    }
    bytes->at = end + 1;
    return (const char *)start;
}
