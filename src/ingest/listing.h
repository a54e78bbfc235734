// SPDX-License-Identifier: MIT
// What lies in --dir by name and file status: candidates for dumps, as one flat array. Contents are
// looked at only where a name says nothing.
#pragma once

#include "base/arena.h"
#include "base/error.h"
#include "ingest/name.h"
#include "ingest/source.h"
#include "model/dump.h"

#include <glib.h>

struct hr_listed {
    const char *file; // in the arena
    struct hr_dump_name name;
    double modified_at_s;
    bool whole_second; // the file time has no fraction
    bool is_regular;
    bool time_inside; // name.time_s stands in the content
    bool is_base;     // the earlier dump of a profile that holds two
    uint64_t size_bytes;
};

struct hr_listing {
    GArray *dumps;   // of struct hr_listed
    GArray *foreign; // of struct hr_dump
};

// Lists `source` (not what is below it). Names ending in .heap are candidates, and so are, when
// there is no such name, files that begin as a jemalloc dump or a pprof profile does. A profile
// that holds two dumps is listed twice. The order is the directory's.
bool hr_listing_read(struct hr_listing *listing, struct hr_arena *arena,
                     const struct hr_source *source, GError **error);
void hr_listing_clear(struct hr_listing *listing);
