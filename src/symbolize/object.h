// SPDX-License-Identifier: MIT
// One ELF file, opened read-only: its load segments, build-id and bytes. First step of symbolize/:
// a mapped path becomes an object, or is refused. Knows no maps and no names.
#pragma once

#include "base/cleanup.h"
#include "base/error.h"
#include "symbolize/tree.h"

#include <libelf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// A PT_LOAD with bytes in the file.
struct hr_segment {
    uint64_t offset;
    uint64_t file_size;
    uint64_t vaddr;
    uint64_t memory_size;
    uint64_t align; // a power of two, at least 1
    bool executable;
};

struct hr_object {
    char *path;          // as it was asked for
    struct hr_tree tree; // in which it was opened
    int fd;
    Elf *elf;
    uint16_t machine;   // EM_...
    bool fixed_address; // ET_EXEC: mapped where its vaddrs say
    struct hr_segment *segments;
    size_t segments_count;
    char *build_id;             // lower-case hex, NULL when it has none
    const unsigned char *bytes; // the whole file
    size_t size;
    void *memory; // owned bytes behind an object made from memory, else NULL
};

// Opens `path` in the tree (NULL: the host's own), which lives as long. Fails (HR_ERROR_BINARY) on
// what is no regular file, no ELF file, or one of neither kind: executable or shared object.
struct hr_object *hr_object_new(const struct hr_tree *tree, const char *path, GError **error);

// The same of a file that is never mapped: a package of split debug data.
struct hr_object *hr_object_new_package(const struct hr_tree *tree, const char *path,
                                        GError **error);

// Makes an object of bytes in memory (an unpacked .gnu_debugdata); takes the bytes, g_free()s them.
struct hr_object *hr_object_new_from_bytes(const char *path, void *bytes, size_t size,
                                           GError **error);
void hr_object_free(struct hr_object *object);
HR_DEFINE_AUTO(hr_object, hr_object_free)

// True when the file ends before its segments or its table of sections do: names may be lost.
bool hr_object_is_cut(const struct hr_object *object);

// The section of that name, or NULL.
Elf_Scn *hr_object_find_section(const struct hr_object *object, const char *name);

// The bytes of that section as they lie in the file, or NULL when it has none.
const unsigned char *hr_object_find_bytes(const struct hr_object *object, const char *name,
                                          size_t *size);

// The file bytes before `vaddr`, up to `wanted` of them: sets *bytes to the byte at `vaddr` and
// returns how many bytes of the same executable segment lie before it.
size_t hr_object_find_code_before(const struct hr_object *object, uint64_t vaddr, size_t wanted,
                                  const unsigned char **bytes);

// Bytes as lower-case hex; the caller's.
char *hr_object_format_hex(const unsigned char *bytes, size_t count);
