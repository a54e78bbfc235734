// SPDX-License-Identifier: MIT
// One line of a process's memory map, as a dump's MAPPED_LIBRARIES section or a profile tells it.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hr_mapping {
    uint64_t start; // [start, end)
    uint64_t end;
    uint64_t offset;  // of `start` in the file
    const char *path; // interned; "" when anonymous; as written, " (deleted)" included
    bool executable;
    const char *build_id; // interned, hex in small letters; NULL: not said, as by every dump
};
