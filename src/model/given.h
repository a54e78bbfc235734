// SPDX-License-Identifier: MIT
// Names that dumps brought along for their addresses (symbolized dumps, pprof profiles). Made by
// ingest/; symbolize/ takes them as they are and asks no file where there is one.
#pragma once

#include <stdbool.h>
#include <stdint.h>

// One function, as the dump says it. All strings are interned.
struct hr_given_frame {
    const char *symbol; // mangled or plain; never NULL
    const char *file;   // NULL when unknown
    unsigned line;      // 0 when unknown
};

// The frames of one address, innermost first: frames[first_frame .. first_frame + frames_count).
struct hr_given_name {
    uint64_t address;
    uint32_t first_frame;
    uint32_t frames_count; // at least 1
};

struct hr_given_names {
    const struct hr_given_name *names; // by rising address
    uint32_t names_count;
    const struct hr_given_frame *frames;
};

// What stands for the address of a place that a profile knows by name alone: non-canonical, so the
// address of no process. Which one says nothing, and is never shown.
#define HR_GIVEN_NO_ADDRESS (UINT64_C(0x80) << 56)

// True of an address that stands for none.
bool hr_given_is_no_address(uint64_t address);

// The name given to a return address, or to the byte before it, which is what tools ask for who
// look up calls (jeprof); NULL when there is none.
const struct hr_given_name *hr_given_names_find(const struct hr_given_names *names,
                                                uint64_t address);
