// SPDX-License-Identifier: MIT
// Small ELF files made by tests: 64-bit, little-endian, with the segments and sections asked for.
#pragma once

#include <glib.h>
#include <stdint.h>

struct hr_test_segment {
    uint64_t offset;
    uint64_t vaddr;
    uint64_t file_size;
    uint64_t memory_size;
    uint64_t align;
    uint32_t flags; // PF_...
};

struct hr_test_section {
    const char *name;
    uint32_t type; // 0: SHT_PROGBITS
    const void *bytes;
    size_t size;
    uint64_t entry_size;
    uint32_t link; // index of another section given here, from 1
};

struct hr_test_elf {
    uint16_t type;    // 0: ET_DYN
    uint16_t machine; // 0: EM_X86_64
    const struct hr_test_segment *segments;
    size_t segments_count;
    const struct hr_test_section *sections;
    size_t sections_count;
    // Written at this place of the file.
    const void *code;
    size_t code_size;
    uint64_t code_offset;
};

// Writes the file below a directory of its own; returns its path, to be freed. The directory goes
// with hr_test_remove().
char *hr_test_elf_write(const struct hr_test_elf *elf);

// A new directory below the system's one for temporary files.
char *hr_test_make_directory(void);

// Removes a file, or a directory with all that is in it (links are not followed); frees the path.
void hr_test_remove(char *path);
