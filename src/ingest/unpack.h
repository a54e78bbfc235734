// SPDX-License-Identifier: MIT
// Unpacks one packed stream of bytes as it is read, with libarchive's filters. Several on top of
// each other are no difficulty. Knows nothing of archives with members.
#pragma once

#include "ingest/stream.h"

struct archive;

// True when the first `size` bytes are those of a packed file.
bool hr_packed_recognise(const void *bytes, size_t size);

// The length of a suffix that packing adds to a name (".gz" in a.heap.gz); 0 without one.
size_t hr_packed_suffix_length(const char *name, size_t length);

// Lets `archive` unpack by those methods that libarchive knows itself, never by a program.
void hr_unpack_allow_filters(struct archive *archive);

// Unpacks what lies in a file between `start` and `end`, to at most `max_times` its size (beyond
// HR_UNPACKED_FREE_BYTES).
struct hr_unpacking *hr_unpacking_new(int fd, uint64_t start, uint64_t end, uint64_t max_times);
void hr_unpacking_free(struct hr_unpacking *unpacking);

// As hr_stream_read(); on -1 *failure tells why.
ssize_t hr_unpacking_read(struct hr_unpacking *unpacking, void *bytes, size_t size,
                          enum hr_stream_failure *failure);
