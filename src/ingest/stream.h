// SPDX-License-Identifier: MIT
// The one door that an input's bytes come through: a file, or a part of one, read in order. What
// is packed (gzip, zstd, xz, bzip2, lz4, told by its first bytes) is unpacked on the way, so that a
// reader sees the content and never asks how it is stored. Plain bytes take no detour.
#pragma once

#include "base/error.h"
#include "model/limits.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// What a packed file may grow to without question; beyond that only to `unpacked_times` its own
// size. Dumps shrink to a tenth or a twentieth, a series of like ones to a hundredth; only what was
// made to grow without end grows to a thousand times.
#define HR_UNPACKED_FREE_BYTES ((uint64_t)256 * 1024 * 1024)

enum hr_stream_failure {
    HR_STREAM_FINE,
    HR_STREAM_UNREADABLE, // a read error
    HR_STREAM_DAMAGED,    // packed bytes that end early or make no sense
    HR_STREAM_LIMIT,      // more than the limits above
};

struct hr_unpacking;

struct hr_stream {
    int fd;
    bool owns_fd;
    uint64_t start;         // where the bytes begin in the file
    uint64_t at;            // next to be read
    uint64_t end;           // what is appended later is left out; UINT64_MAX: unknown
    uint64_t stored_bytes;  // as opened
    uint64_t content_bytes; // handed out so far
    enum hr_stream_failure failure;
    const struct hr_limits *limits; // the defaults, unless set before the first byte is read
    struct hr_unpacking *unpacking; // NULL: plain, or not looked at yet
};

// Opens a regular file; fails as hr_file_open() does.
bool hr_stream_open_file(struct hr_stream *stream, const char *path, GError **error);

// Opens the bytes [start, start + size) of a file that stays the caller's.
void hr_stream_open_slice(struct hr_stream *stream, int fd, uint64_t start, uint64_t size);

void hr_stream_close(struct hr_stream *stream);

// Reads up to `size` bytes of content. 0 at the end, -1 after a failure, which stream->failure
// tells.
ssize_t hr_stream_read(struct hr_stream *stream, void *bytes, size_t size);

// Reads until `size` bytes are there or the content ends; returns how many came.
size_t hr_stream_read_fully(struct hr_stream *stream, void *bytes, size_t size);

// Reads the last bytes of the content, at most `size`; returns how many. Of a fresh stream.
size_t hr_stream_read_tail(struct hr_stream *stream, char *tail, size_t size);

// True once bytes were read that had to be unpacked.
bool hr_stream_is_packed(const struct hr_stream *stream);

// True when the file's size is no longer that which it was opened with.
bool hr_stream_has_changed(const struct hr_stream *stream);
