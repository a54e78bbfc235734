// SPDX-License-Identifier: MIT
// Names for a run's locations, with how far each can be trusted, and what is known of the binary.
// Made by symbolize/, const for all that comes after.
#pragma once

#include "base/phrase.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum hr_trust {
    HR_TRUST_NONE, // no name; function is "module+0xoffset", or the address outside every mapping
    HR_TRUST_GUESSED, // named by inference (text remapped to anonymous pages, mapping borrowed)
    HR_TRUST_SYMBOL,  // from a symbol table, within the symbol's size
    HR_TRUST_EXACT,   // from debug data
};

// One function at one location; several where calls were inlined. All strings are interned.
struct hr_frame {
    const char *function; // demangled for people, hash suffixes dropped; never NULL
    const char *key_name; // whole name for keys: generics kept, no symbol hash
    const char *file;     // source path, NULL when unknown
    unsigned line;        // 0 when unknown
    bool inlined;         // this function was inlined into the next frame
    enum hr_trust trust;
};

// The frames of one location, innermost first: frames[first .. first + count).
struct hr_location {
    uint32_t first_frame;
    uint32_t frame_count; // at least 1
    uint32_t module;      // index in modules, HR_MODULE_NONE outside every mapping
    uint64_t offset;      // vaddr inside the module (address itself without a module)
};

#define HR_MODULE_NONE UINT32_MAX

struct hr_module {
    const char *path;       // as in the map
    const char *build_id;   // hex, NULL when unknown
    const char *debug_file; // which file answered, NULL when none
    bool is_binary;         // matched to --binary
    bool inferred;          // some addresses were assigned by inference
    uint32_t addresses_count;
    uint32_t named_count;
    uint32_t given_count; // of these, by the dumps themselves
    struct hr_phrase problem; // id NULL when there is none
};

enum hr_binary_match { HR_BINARY_UNKNOWN, HR_BINARY_CONFIRMED, HR_BINARY_MISMATCH };

struct hr_symbols {
    const struct hr_frame *frames;
    uint32_t frames_count;
    const struct hr_location *locations; // as many as the run's stacks have
    uint32_t locations_count;
    const struct hr_module *modules;
    uint32_t modules_count;

    // --binary; path NULL when none was given.
    const char *binary_path;
    const char *binary_build_id;
    const char *binary_debug_file;
    enum hr_binary_match binary_match;
    double binary_match_ratio; // share of the module's addresses right behind a call; NAN when not
                               // tried
    struct hr_phrase binary_match_reason;
};
