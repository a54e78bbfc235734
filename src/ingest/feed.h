// SPDX-License-Identifier: MIT
// Whole lines of a file, a large chunk at a time: the file is read in order, never mapped and never
// held whole. What a chunk cuts in two is carried over to the next one.
#pragma once

#include "ingest/stream.h"

#define HR_FEED_CHUNK_BYTES ((size_t)256 * 1024)

// A longer line ends the reading.
#define HR_FEED_LINE_MAX_BYTES ((size_t)1024 * 1024)

enum hr_feed_end {
    HR_FEED_WHOLE,     // the last line has its newline
    HR_FEED_TORN,      // it has none, and was not handed out; or what was packed is damaged
    HR_FEED_LONG_LINE, // a line is longer than the limit
    HR_FEED_FAILED,    // a read error
    HR_FEED_LIMIT,     // unpacked, it is larger than the limit
};

struct hr_feed {
    char *buffer;
    size_t capacity;
    size_t start; // of what was not handed out yet
    size_t filled;
    struct hr_stream *stream;
    uint64_t read_bytes;
    bool ended;
    enum hr_feed_end end;
};

void hr_feed_init(struct hr_feed *feed);
void hr_feed_clear(struct hr_feed *feed);

// Begins with a new stream, which stays the caller's.
void hr_feed_open(struct hr_feed *feed, struct hr_stream *stream);

// Sets [*at, *stop) to the next whole lines (at least one, with its newline). False at the end;
// feed->end then tells how it came.
bool hr_feed_next(struct hr_feed *feed, const char **at, const char **stop);
