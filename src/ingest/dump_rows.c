// SPDX-License-Identifier: MIT
#include "ingest/dump_rows.h"

#include <string.h>

#define FIRST_COUNT 1024

void hr_dump_rows_begin(struct hr_dump_rows *rows, struct hr_row_buffer *buffer)
{
    rows->buffer = buffer;
    rows->count = 0;
    rows->dump++;
}

void hr_dump_rows_clear(struct hr_dump_rows *rows)
{
    g_free(rows->places);
    *rows = (struct hr_dump_rows){0};
}

void hr_dump_rows_add_places(struct hr_dump_rows *rows, uint32_t stack)
{
    const uint32_t before = rows->places_count;
    rows->places_count = MAX(MAX(FIRST_COUNT, before * 2), stack + 1);
    rows->places = g_renew(struct hr_row_place, rows->places, rows->places_count);
    memset(rows->places + before, 0, (rows->places_count - before) * sizeof *rows->places);
}

void hr_dump_rows_add_room(struct hr_dump_rows *rows)
{
    struct hr_row_buffer *buffer = rows->buffer;
    buffer->capacity = MAX(FIRST_COUNT, buffer->capacity / 2 * 3);
    buffer->rows = g_renew(struct hr_row, buffer->rows, buffer->capacity);
}
