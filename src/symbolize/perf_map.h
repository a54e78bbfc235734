// SPDX-License-Identifier: MIT
// The names that a runtime with a just-in-time compiler writes down for the code it generates:
// perf-PID.map, as Linux perf defined it. Only the addresses asked for are kept.
#pragma once

#include "base/cleanup.h"
#include "base/strings.h"
#include "symbolize/tree.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hr_perf_name {
    const char *name; // interned, NULL: the map has none
    bool replaced;    // several entries held the address: code was generated there more than once
};

struct hr_perf_map {
    char *path;
    char *text;
    size_t size;
};

// Opens the map of process `pid` beside its dumps in `directory`, else where the process itself
// wrote it in the `tree` of a --root (without one not looked for there, the host's /tmp is another
// one's). NULL when there is none.
struct hr_perf_map *hr_perf_map_new(const char *directory, const struct hr_tree *tree, int64_t pid);
void hr_perf_map_free(struct hr_perf_map *map);
HR_DEFINE_AUTO(hr_perf_map, hr_perf_map_free)

// Sets names[i] for each of `addresses`, which rise strictly. Of entries that overlap the last one
// written wins. Lines of another form are passed over.
void hr_perf_map_read(const struct hr_perf_map *map, struct hr_strings *strings,
                      const uint64_t *addresses, size_t count, struct hr_perf_name *names);
