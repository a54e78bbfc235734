// SPDX-License-Identifier: MIT
// The rows of the dump that is being read: a stack has one, however often it is met. Finding it is
// done once a row of a whole run, and is inlined.
#pragma once

#include "ingest/heap_dump.h"

#include <glib.h>

// Which row a stack has: valid when `dump` is the current one.
struct hr_row_place {
    uint32_t dump;
    uint32_t row;
};

// Start from all zero.
struct hr_dump_rows {
    struct hr_row_buffer *buffer;
    size_t count;
    struct hr_row_place *places; // by stack
    uint32_t places_count;
    uint32_t dump; // number of the current one
};

// Begins a dump, whose rows are put into the buffer.
void hr_dump_rows_begin(struct hr_dump_rows *rows, struct hr_row_buffer *buffer);
void hr_dump_rows_clear(struct hr_dump_rows *rows);

// For hr_dump_rows_get(): room for a stack's place, and for one more row.
void hr_dump_rows_add_places(struct hr_dump_rows *rows, uint32_t stack);
void hr_dump_rows_add_room(struct hr_dump_rows *rows);

// The stack's row in the current dump, with no counts when it is new. Valid until the next call.
static inline G_ALWAYS_INLINE struct hr_row *hr_dump_rows_get(struct hr_dump_rows *rows,
                                                              uint32_t stack)
{
    if (G_UNLIKELY(stack >= rows->places_count)) {
        hr_dump_rows_add_places(rows, stack);
    }
    struct hr_row_place *place = &rows->places[stack];
    if (G_UNLIKELY(place->dump == rows->dump)) {
        return &rows->buffer->rows[place->row];
    }
    if (G_UNLIKELY(rows->count == rows->buffer->capacity)) {
        hr_dump_rows_add_room(rows);
    }
    *place = (struct hr_row_place){rows->dump, (uint32_t)rows->count};
    struct hr_row *row = &rows->buffer->rows[rows->count++];
    *row = (struct hr_row){.stack = stack};
    return row;
}

// a + b, or the largest number where it does not fit.
static inline uint64_t hr_add_saturating(uint64_t a, uint64_t b)
{
    uint64_t sum;
    return __builtin_add_overflow(a, b, &sum) ? UINT64_MAX : sum;
}

// Adds counts to a row, as far as 64 bits go.
static inline G_ALWAYS_INLINE void hr_row_add(struct hr_row *row, const struct hr_row *counts)
{
    row->objects = hr_add_saturating(row->objects, counts->objects);
    row->bytes = hr_add_saturating(row->bytes, counts->bytes);
    row->accum_objects = hr_add_saturating(row->accum_objects, counts->accum_objects);
    row->accum_bytes = hr_add_saturating(row->accum_bytes, counts->accum_bytes);
}
