// SPDX-License-Identifier: MIT
#include "ingest/stack_lines.h"

#include <glib.h>
#include <string.h>
#include <xxhash.h>

#define FIRST_LINES 1024u
#define FIRST_TEXT_BYTES ((uint64_t)256 * 1024)

void hr_stack_lines_init(struct hr_stack_lines *table)
{
    *table = (struct hr_stack_lines){.capacity = FIRST_LINES,
                                     .text_capacity = FIRST_TEXT_BYTES,
                                     .text_limit = HR_STACK_LINES_TEXT_BYTES,
                                     .slots_count = FIRST_LINES * 2};
    table->lines = g_new(struct hr_stack_line, table->capacity);
    table->hashes = g_new(uint64_t, table->capacity);
    table->text = g_malloc(table->text_capacity);
    table->slots = g_new(uint32_t, table->slots_count);
    memset(table->slots, 0xff, table->slots_count * sizeof *table->slots);
}

void hr_stack_lines_clear(struct hr_stack_lines *table)
{
    g_free(table->lines);
    g_free(table->hashes);
    g_free(table->text);
    g_free(table->slots);
}

static void insert(struct hr_stack_lines *table, uint32_t line)
{
    const uint32_t mask = table->slots_count - 1;
    uint32_t slot = (uint32_t)table->hashes[line] & mask;
    while (table->slots[slot] != HR_STACK_LINE_NONE) {
        slot = (slot + 1) & mask;
    }
    table->slots[slot] = line;
}

static void grow(struct hr_stack_lines *table)
{
    g_assert(table->capacity > 0 && table->capacity <= UINT32_MAX / 4);
    table->capacity *= 2;
    table->lines = g_renew(struct hr_stack_line, table->lines, table->capacity);
    table->hashes = g_renew(uint64_t, table->hashes, table->capacity);
    g_free(table->slots);
    table->slots_count = table->capacity * 2;
    table->slots = g_new(uint32_t, table->slots_count);
    memset(table->slots, 0xff, table->slots_count * sizeof *table->slots);
    for (uint32_t line = 0; line < table->count; line++) {
        insert(table, line);
    }
}

// Grows by half: a table of millions of lines must not double.
static void reserve_text(struct hr_stack_lines *table, uint64_t length)
{
    if (table->text_capacity - table->text_bytes < length) {
        table->text_capacity += MAX(table->text_capacity / 2, length);
        table->text = g_realloc(table->text, table->text_capacity);
    }
}

static uint32_t add(struct hr_stack_lines *table, uint64_t hash, const char *at, size_t length)
{
    if (table->count == table->capacity) {
        grow(table);
    }
    reserve_text(table, length);
    memcpy(table->text + table->text_bytes, at, length);
    const uint32_t line = table->count++;
    table->lines[line] = (struct hr_stack_line){.start = table->text_bytes,
                                                .length = (uint32_t)length,
                                                .next = HR_STACK_LINE_NONE,
                                                .stack = UINT32_MAX};
    table->hashes[line] = hash;
    table->text_bytes += length;
    insert(table, line);
    return line;
}

static bool is_line(const struct hr_stack_lines *table, uint32_t line, const char *at,
                    size_t available)
{
    const struct hr_stack_line *known = &table->lines[line];
    return known->length <= available && memcmp(table->text + known->start, at, known->length) == 0;
}

static uint32_t look_up(struct hr_stack_lines *table, const char *at, size_t length, bool *added)
{
    const uint64_t hash = XXH3_64bits(at, length);
    const uint32_t mask = table->slots_count - 1;
    for (uint32_t slot = (uint32_t)hash & mask; table->slots[slot] != HR_STACK_LINE_NONE;
         slot = (slot + 1) & mask) {
        const uint32_t line = table->slots[slot];
        if (table->hashes[line] == hash && table->lines[line].length == length &&
            is_line(table, line, at, length)) {
            return line;
        }
    }
    if (table->text_bytes + length > table->text_limit) {
        return HR_STACK_LINE_NONE;
    }
    *added = true;
    return add(table, hash, at, length);
}

uint32_t hr_stack_lines_find(struct hr_stack_lines *table, uint32_t previous, const char *at,
                             const char *stop, const char **past, bool *added)
{
    *added = false;
    const uint32_t guess = previous == HR_STACK_LINE_NONE ? 0 : table->lines[previous].next;
    if (guess < table->count && is_line(table, guess, at, (size_t)(stop - at))) {
        *past = at + table->lines[guess].length;
        return guess;
    }
    const char *newline = memchr(at, '\n', (size_t)(stop - at));
    const size_t length = (size_t)(newline - at) + 1;
    const uint32_t line = look_up(table, at, length, added);
    if (previous != HR_STACK_LINE_NONE) {
        table->lines[previous].next = line;
    }
    *past = at + length;
    return line;
}
