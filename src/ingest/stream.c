// SPDX-License-Identifier: MIT
#include "ingest/stream.h"

#include "base/files.h"
#include "ingest/unpack.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

bool hr_stream_open_file(struct hr_stream *stream, const char *path, GError **error)
{
    int fd;
    struct stat status;
    if (!hr_file_open(path, &fd, &status, error)) {
        return false;
    }
    posix_fadvise(fd, 0, 0, POSIX_FADV_SEQUENTIAL);
    // Of a file that is written to faster than it is read there would be no end. What has no size
    // (below /proc) is read to its end.
    const uint64_t size = (uint64_t)status.st_size;
    *stream = (struct hr_stream){.fd = fd,
                                 .owns_fd = true,
                                 .end = size > 0 ? size : UINT64_MAX,
                                 .stored_bytes = size,
                                 .limits = hr_limits_default()};
    return true;
}

void hr_stream_open_slice(struct hr_stream *stream, int fd, uint64_t start, uint64_t size)
{
    *stream = (struct hr_stream){.fd = fd,
                                 .start = start,
                                 .at = start,
                                 .end = start + size,
                                 .stored_bytes = size,
                                 .limits = hr_limits_default()};
}

void hr_stream_close(struct hr_stream *stream)
{
    hr_unpacking_free(stream->unpacking);
    if (stream->owns_fd) {
        close(stream->fd);
    }
    *stream = (struct hr_stream){.fd = -1};
}

static ssize_t fail(struct hr_stream *stream, enum hr_stream_failure failure)
{
    stream->failure = failure;
    return -1;
}

static ssize_t read_stored(struct hr_stream *stream, void *bytes, size_t size)
{
    const uint64_t left = stream->end - stream->at;
    ssize_t got;
    do {
        got = pread(stream->fd, bytes, size < left ? size : (size_t)left, (off_t)stream->at);
    } while (got < 0 && errno == EINTR);
    if (got < 0) {
        return fail(stream, HR_STREAM_UNREADABLE);
    }
    stream->at += (uint64_t)got;
    return got;
}

static ssize_t read_unpacked(struct hr_stream *stream, void *bytes, size_t size)
{
    return hr_unpacking_read(stream->unpacking, bytes, size, &stream->failure);
}

ssize_t hr_stream_read(struct hr_stream *stream, void *bytes, size_t size)
{
    if (stream->failure != HR_STREAM_FINE) {
        return -1;
    }
    const bool first = stream->at == stream->start && !stream->unpacking;
    ssize_t got =
        stream->unpacking ? read_unpacked(stream, bytes, size) : read_stored(stream, bytes, size);
    if (first && got > 0 && hr_packed_recognise(bytes, (size_t)got)) {
        stream->unpacking = hr_unpacking_new(stream->fd, stream->start, stream->end,
                                             stream->limits->value[HR_LIMIT_unpacked_times]);
        got = read_unpacked(stream, bytes, size);
    }
    stream->content_bytes += got > 0 ? (uint64_t)got : 0;
    return got;
}

size_t hr_stream_read_fully(struct hr_stream *stream, void *bytes, size_t size)
{
    size_t filled = 0;
    ssize_t got = 1;
    while (filled < size && got > 0) {
        got = hr_stream_read(stream, (char *)bytes + filled, size - filled);
        filled += got > 0 ? (size_t)got : 0;
    }
    return filled;
}

// Where the end of a packed file lies, nothing tells but the way there.
static size_t read_packed_tail(struct hr_stream *stream, char *tail, size_t filled, size_t size)
{
    g_autofree char *next = g_malloc(size);
    size_t got = filled;
    while (got > 0) {
        got = hr_stream_read_fully(stream, next, size);
        const size_t kept = MIN(filled, size - got);
        memmove(tail, tail + filled - kept, kept);
        memcpy(tail + kept, next, got);
        filled = kept + got;
    }
    return filled;
}

size_t hr_stream_read_tail(struct hr_stream *stream, char *tail, size_t size)
{
    size_t filled = hr_stream_read_fully(stream, tail, size);
    if (hr_stream_is_packed(stream)) {
        return read_packed_tail(stream, tail, filled, size);
    }
    if (stream->stored_bytes > size) {
        stream->at = stream->start + stream->stored_bytes - size;
        filled = hr_stream_read_fully(stream, tail, size);
    }
    return filled;
}

bool hr_stream_is_packed(const struct hr_stream *stream)
{
    return stream->unpacking != NULL;
}

bool hr_stream_has_changed(const struct hr_stream *stream)
{
    struct stat status;
    return stream->owns_fd && fstat(stream->fd, &status) == 0 &&
           (uint64_t)status.st_size != stream->stored_bytes;
}
