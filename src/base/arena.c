// SPDX-License-Identifier: MIT
#include "base/arena.h"

#include <stdalign.h>
#include <stdarg.h>
#include <string.h>

// Blocks grow with the arena up to this size; larger requests get a block of their own.
#define FIRST_BLOCK_BYTES ((size_t)16 * 1024)
#define LARGEST_BLOCK_BYTES ((size_t)1024 * 1024)

struct block {
    struct block *next;
    size_t size;
    size_t used;
    alignas(max_align_t) char bytes[];
};

struct hr_arena {
    struct block *current; // the block that is filled; older and oversized ones hang behind it
    size_t next_block_bytes;
    size_t used_bytes;
};

struct hr_arena *hr_arena_new(void)
{
    struct hr_arena *arena = g_new0(struct hr_arena, 1);
    arena->next_block_bytes = FIRST_BLOCK_BYTES;
    return arena;
}

void hr_arena_free(struct hr_arena *arena)
{
    if (!arena) {
        return;
    }
    for (struct block *block = arena->current; block;) {
        struct block *next = block->next;
        g_free(block);
        block = next;
    }
    g_free(arena);
}

static struct block *block_new(size_t size)
{
    struct block *block = g_malloc(sizeof *block + size);
    *block = (struct block){.size = size};
    return block;
}

// A request too large for a normal block goes behind the current one, which stays in use.
static void *alloc_oversized(struct hr_arena *arena, size_t size)
{
    struct block *block = block_new(size);
    block->used = size;
    if (arena->current) {
        block->next = arena->current->next;
        arena->current->next = block;
    } else {
        arena->current = block;
    }
    return memset(block->bytes, 0, size);
}

void *hr_arena_alloc(struct hr_arena *arena, size_t size)
{
    const size_t align = alignof(max_align_t);
    g_assert(size <= G_MAXSIZE / 2);
    size = MAX((size + align - 1) & ~(align - 1), align);
    arena->used_bytes += size;
    struct block *block = arena->current;
    if (!block || block->size - block->used < size) {
        if (size > arena->next_block_bytes / 4) {
            return alloc_oversized(arena, size);
        }
        block = block_new(arena->next_block_bytes);
        block->next = arena->current;
        arena->current = block;
        arena->next_block_bytes = MIN(arena->next_block_bytes * 2, LARGEST_BLOCK_BYTES);
    }
    void *memory = block->bytes + block->used;
    block->used += size;
    return memset(memory, 0, size);
}

void *hr_arena_alloc_array(struct hr_arena *arena, size_t count, size_t size)
{
    size_t bytes;
    g_assert(g_size_checked_mul(&bytes, count, size));
    return hr_arena_alloc(arena, bytes);
}

char *hr_arena_strndup(struct hr_arena *arena, const char *text, size_t length)
{
    char *copy = hr_arena_alloc(arena, length + 1);
    memcpy(copy, text, length);
    return copy;
}

char *hr_arena_strdup(struct hr_arena *arena, const char *text)
{
    return hr_arena_strndup(arena, text, strlen(text));
}

char *hr_arena_printf(struct hr_arena *arena, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *text = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    return hr_arena_strdup(arena, text);
}

void *hr_arena_copy(struct hr_arena *arena, const void *source, size_t count, size_t size)
{
    void *copy = hr_arena_alloc_array(arena, count, size);
    if (count > 0) {
        memcpy(copy, source, count * size);
    }
    return copy;
}

size_t hr_arena_used_bytes(const struct hr_arena *arena)
{
    return arena->used_bytes;
}
