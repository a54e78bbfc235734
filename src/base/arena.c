// SPDX-License-Identifier: MIT
#include "base/arena.h"

#include <stdalign.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

// Blocks grow with the arena up to this size; larger requests get a block of their own.
#define FIRST_BLOCK_BYTES ((size_t)16 * 1024)
#define LARGEST_BLOCK_BYTES ((size_t)4 * 1024 * 1024)

// From this size on a block is a mapping of its own, in huge pages where the kernel has them: rows
// of hundreds of dumps are written once, and small pages cost more to get than to fill.
#define MAPPED_BLOCK_BYTES ((size_t)2 * 1024 * 1024)
#define HUGE_PAGE_BYTES ((size_t)2 * 1024 * 1024)

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

// In whole small pages, as the kernel counts them.
static size_t mapped(size_t size)
{
    return (size + 4095) & ~(size_t)4095;
}

// A mapping of `size` bytes that begins where a huge page can: of a longer one the ends go back.
static void *map_aligned(size_t size)
{
    const size_t reserved = size + HUGE_PAGE_BYTES;
    char *start = mmap(NULL, reserved, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (start == MAP_FAILED) {
        g_error("out of memory: %zu bytes", size);
    }
    const size_t before = -(uintptr_t)start & (HUGE_PAGE_BYTES - 1);
    if (before > 0) {
        munmap(start, before);
    }
    munmap(start + before + size, reserved - before - size);
    madvise(start + before, size, MADV_HUGEPAGE);
    return start + before;
}

// Zeroed by the kernel or the allocator, which need not write to pages that come fresh.
static struct block *block_new(size_t size)
{
    const size_t total = sizeof(struct block) + size;
    struct block *block =
        total < MAPPED_BLOCK_BYTES ? g_malloc0(total) : map_aligned(mapped(total));
    block->size = size;
    return block;
}

static void block_free(struct block *block)
{
    const size_t total = sizeof *block + block->size;
    if (total < MAPPED_BLOCK_BYTES) {
        g_free(block);
    } else {
        munmap(block, mapped(total));
    }
}

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
        block_free(block);
        block = next;
    }
    g_free(arena);
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
    return block->bytes;
}

void *hr_arena_alloc(struct hr_arena *arena, size_t size)
{
    const size_t align = alignof(max_align_t);
    g_assert(size <= G_MAXSIZE / 2);
    size = MAX((size + align - 1) & ~(align - 1), align);
    arena->used_bytes += size;
    struct block *block = arena->current;
    if (!block || block->size - block->used < size) {
        if (size > LARGEST_BLOCK_BYTES / 4) {
            return alloc_oversized(arena, size);
        }
        while (size > arena->next_block_bytes / 4) {
            arena->next_block_bytes *= 2;
        }
        block = block_new(arena->next_block_bytes - sizeof *block);
        block->next = arena->current;
        arena->current = block;
        arena->next_block_bytes = MIN(arena->next_block_bytes * 2, LARGEST_BLOCK_BYTES);
    }
    void *memory = block->bytes + block->used;
    block->used += size;
    return memory;
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
