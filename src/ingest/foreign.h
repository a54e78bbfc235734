// SPDX-License-Identifier: MIT
// Tells by its first bytes what a file is that might be a heap profile: a dump that is read as
// jemalloc's are, another profile, or nothing known.
#pragma once

#include "ingest/source.h"

// So many bytes from the start are enough to tell.
#define HR_CONTENT_HEAD_BYTES 4096

// True when `head` holds a line that begins with heap_v2/ (other lines may stand before it), begins
// a profile of the older form (one_line.h), or names that may stand before a dump.
bool hr_content_is_dump(const char *head, size_t size);

// True when `head` begins a pprof profile.
bool hr_content_is_profile(const char *head, size_t size);

// Names the kind of a heap profile that is no jemalloc dump; NULL when it is none that is known.
const char *hr_content_foreign_kind(const char *head, size_t size);

// Reads the head of what is stored under that name, unpacked; 0 when that is not possible.
size_t hr_content_read_head(const struct hr_source *source, const char *name,
                            char head[static HR_CONTENT_HEAD_BYTES]);
