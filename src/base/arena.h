// SPDX-License-Identifier: MIT
// A bump allocator: everything one run keeps (model, findings, document) lives in one arena and
// goes with it. A function that allocates here takes the arena first. Nothing in an arena is freed
// singly, and an arena holds no handles (files, Elf, cairo).
#pragma once

#include "base/cleanup.h"

#include <glib.h>
#include <stddef.h>

struct hr_arena;

// Makes an empty arena. Free it with hr_arena_free().
struct hr_arena *hr_arena_new(void);

// Frees the arena and all that was allocated in it; NULL is fine.
void hr_arena_free(struct hr_arena *arena);
HR_DEFINE_AUTO(hr_arena, hr_arena_free)

// Returns `size` zeroed bytes aligned for any object; never NULL (out of memory aborts).
void *hr_arena_alloc(struct hr_arena *arena, size_t size) G_GNUC_MALLOC G_GNUC_ALLOC_SIZE(2);

// Returns count * size zeroed bytes; aborts on overflow.
void *hr_arena_alloc_array(struct hr_arena *arena, size_t count, size_t size);

// Copies `length` bytes and adds a final NUL.
char *hr_arena_strndup(struct hr_arena *arena, const char *text, size_t length);
char *hr_arena_strdup(struct hr_arena *arena, const char *text);
char *hr_arena_printf(struct hr_arena *arena, const char *format, ...) G_GNUC_PRINTF(2, 3);

// Copies `count` elements of `size` bytes.
void *hr_arena_copy(struct hr_arena *arena, const void *source, size_t count, size_t size);

// Bytes handed out so far.
size_t hr_arena_used_bytes(const struct hr_arena *arena);

#define HR_ARENA_NEW(arena, type) ((type *)hr_arena_alloc((arena), sizeof(type)))
#define HR_ARENA_ARRAY(arena, type, count)                                                         \
    ((type *)hr_arena_alloc_array((arena), (count), sizeof(type)))
