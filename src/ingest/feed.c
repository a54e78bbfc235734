// SPDX-License-Identifier: MIT
#include "ingest/feed.h"

#include <glib.h>
#include <string.h>

void hr_feed_init(struct hr_feed *feed)
{
    *feed =
        (struct hr_feed){.buffer = g_malloc(HR_FEED_CHUNK_BYTES), .capacity = HR_FEED_CHUNK_BYTES};
}

void hr_feed_clear(struct hr_feed *feed)
{
    g_free(feed->buffer);
}

void hr_feed_open(struct hr_feed *feed, struct hr_stream *stream)
{
    feed->stream = stream;
    feed->start = 0;
    feed->filled = 0;
    feed->read_bytes = 0;
    feed->ended = false;
    feed->end = HR_FEED_WHOLE;
}

// Moves the begun line to the front and makes room behind it.
static void make_room(struct hr_feed *feed)
{
    feed->filled -= feed->start;
    memmove(feed->buffer, feed->buffer + feed->start, feed->filled);
    feed->start = 0;
    if (feed->filled == feed->capacity) {
        feed->capacity *= 2;
        feed->buffer = g_realloc(feed->buffer, feed->capacity);
    }
}

static bool finish(struct hr_feed *feed, enum hr_feed_end end)
{
    feed->ended = true;
    feed->end = end;
    return false;
}

static enum hr_feed_end end_of(enum hr_stream_failure failure)
{
    switch (failure) {
    case HR_STREAM_DAMAGED:
        return HR_FEED_TORN;
    case HR_STREAM_LIMIT:
        return HR_FEED_LIMIT;
    case HR_STREAM_FINE:
    case HR_STREAM_UNREADABLE:
        break;
    }
    return HR_FEED_FAILED;
}

bool hr_feed_next(struct hr_feed *feed, const char **at, const char **stop)
{
    while (!feed->ended) {
        if (feed->filled - feed->start > HR_FEED_LINE_MAX_BYTES) {
            return finish(feed, HR_FEED_LONG_LINE);
        }
        make_room(feed);
        char *fresh = feed->buffer + feed->filled;
        const ssize_t got = hr_stream_read(feed->stream, fresh, feed->capacity - feed->filled);
        if (got <= 0) {
            return finish(feed, got < 0             ? end_of(feed->stream->failure)
                                : feed->filled == 0 ? HR_FEED_WHOLE
                                                    : HR_FEED_TORN);
        }
        feed->read_bytes += (uint64_t)got;
        feed->filled += (size_t)got;
        const char *newline = memrchr(fresh, '\n', (size_t)got);
        if (newline) {
            *at = feed->buffer;
            *stop = newline + 1;
            feed->start = (size_t)(*stop - feed->buffer);
            return true;
        }
    }
    return false;
}
