// SPDX-License-Identifier: MIT
// The raw `@` lines seen so far, each with an id: nearly every line of a dump stood in the dump
// before it, often in the same order, so a line is first compared with the one that followed its
// predecessor last time (one memcmp), and only then hashed. A line is found by comparing its bytes,
// never by hash alone. The table takes so much text and no more: of millions of stacks the later
// ones are parsed each time they are met, which costs time but not memory.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hr_stack_line {
    uint64_t start;  // in the kept text
    uint32_t length; // with the newline
    uint32_t next;   // the line that followed last time, or HR_STACK_LINE_NONE
    uint32_t stack;  // of the owner: what the line's addresses became
};

#define HR_STACK_LINE_NONE UINT32_MAX
#define HR_STACK_LINES_TEXT_BYTES ((uint64_t)256 * 1024 * 1024)

struct hr_stack_lines {
    struct hr_stack_line *lines;
    uint32_t count;
    uint32_t capacity;
    uint64_t *hashes; // by line

    char *text;
    uint64_t text_bytes;
    uint64_t text_capacity;
    uint64_t text_limit; // HR_STACK_LINES_TEXT_BYTES

    uint32_t *slots; // open-addressed, a power of two, at most half full
    uint32_t slots_count;
};

void hr_stack_lines_init(struct hr_stack_lines *table);
void hr_stack_lines_clear(struct hr_stack_lines *table);

// Finds the line at `at` (it ends with a newline before `stop`), adding it when it is new: *added
// is then true and the caller sets its stack. HR_STACK_LINE_NONE: it is new, and there is no room.
// `previous` is the line before it in this dump, or HR_STACK_LINE_NONE. *past is set behind the
// newline.
uint32_t hr_stack_lines_find(struct hr_stack_lines *table, uint32_t previous, const char *at,
                             const char *stop, const char **past, bool *added);
