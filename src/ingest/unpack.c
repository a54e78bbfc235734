// SPDX-License-Identifier: MIT
//
//   gzip 1f 8b    bzip2 42 5a 68 ("BZh")    xz fd 37 7a 58 5a 00    zstd 28 b5 2f fd    lz4 04 22
//   4d 18
//
#include "ingest/unpack.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <glib.h>
#include <string.h>
#include <unistd.h>

#define CHUNK_BYTES ((size_t)64 * 1024)

struct hr_unpacking {
    struct archive *archive;
    int fd;
    uint64_t at;
    uint64_t end;
    uint64_t unpacked_bytes;
    uint64_t max_times;
    bool opened;
    bool unreadable;
    char chunk[CHUNK_BYTES];
};

static const struct {
    const char *magic;
    size_t length;
    const char *suffix;
} METHODS[] = {
    {"\x1f\x8b", 2, ".gz"},
    {"BZh", 3, ".bz2"},
    {"\xfd"
     "7zXZ",
     6, ".xz"},
    {"\x28\xb5\x2f\xfd", 4, ".zst"},
    {"\x04\x22\x4d\x18", 4, ".lz4"},
};

bool hr_packed_recognise(const void *bytes, size_t size)
{
    for (size_t i = 0; i < G_N_ELEMENTS(METHODS); i++) {
        if (size >= METHODS[i].length && memcmp(bytes, METHODS[i].magic, METHODS[i].length) == 0) {
            return true;
        }
    }
    return false;
}

size_t hr_packed_suffix_length(const char *name, size_t length)
{
    for (size_t i = 0; i < G_N_ELEMENTS(METHODS); i++) {
        const size_t suffix = strlen(METHODS[i].suffix);
        if (length > suffix && memcmp(name + length - suffix, METHODS[i].suffix, suffix) == 0) {
            return suffix;
        }
    }
    return 0;
}

void hr_unpack_allow_filters(struct archive *archive)
{
    static int (*const filters[])(struct archive *) = {
        archive_read_support_filter_gzip, archive_read_support_filter_bzip2,
        archive_read_support_filter_xz,   archive_read_support_filter_zstd,
        archive_read_support_filter_lz4,
    };
    for (size_t i = 0; i < G_N_ELEMENTS(filters); i++) {
        (void)filters[i](archive);
    }
}

static la_ssize_t give_bytes(struct archive *archive, void *context, const void **bytes)
{
    struct hr_unpacking *unpacking = context;
    const uint64_t left = unpacking->end - unpacking->at;
    ssize_t got;
    do {
        got = pread(unpacking->fd, unpacking->chunk,
                    left < CHUNK_BYTES ? (size_t)left : CHUNK_BYTES, (off_t)unpacking->at);
    } while (got < 0 && errno == EINTR);
    if (got < 0) {
        unpacking->unreadable = true;
        archive_set_error(archive, errno, "read error");
        return -1;
    }
    unpacking->at += (uint64_t)got;
    *bytes = unpacking->chunk;
    return got;
}

struct hr_unpacking *hr_unpacking_new(int fd, uint64_t start, uint64_t end, uint64_t max_times)
{
    struct hr_unpacking *unpacking = g_new0(struct hr_unpacking, 1);
    unpacking->fd = fd;
    unpacking->at = start;
    unpacking->end = end;
    unpacking->max_times = max_times;
    unpacking->archive = archive_read_new();
    g_assert(unpacking->archive);
    archive_read_support_format_raw(unpacking->archive);
    archive_read_support_format_empty(unpacking->archive);
    hr_unpack_allow_filters(unpacking->archive);
    return unpacking;
}

void hr_unpacking_free(struct hr_unpacking *unpacking)
{
    if (unpacking) {
        archive_read_free(unpacking->archive);
        g_free(unpacking);
    }
}

// Returns 1 when content follows, 0 when there is none, -1 on failure.
static int open_content(struct hr_unpacking *unpacking)
{
    struct archive_entry *entry;
    unpacking->opened = true;
    if (archive_read_open(unpacking->archive, unpacking, NULL, give_bytes, NULL) != ARCHIVE_OK) {
        return -1;
    }
    const int status = archive_read_next_header(unpacking->archive, &entry);
    return status == ARCHIVE_EOF ? 0 : status >= ARCHIVE_WARN ? 1 : -1;
}

static bool is_beyond_limit(const struct hr_unpacking *unpacking)
{
    const la_int64_t packed = archive_filter_bytes(unpacking->archive, -1);
    return unpacking->unpacked_bytes > HR_UNPACKED_FREE_BYTES &&
           unpacking->unpacked_bytes / unpacking->max_times > (uint64_t)MAX(packed, 1);
}

ssize_t hr_unpacking_read(struct hr_unpacking *unpacking, void *bytes, size_t size,
                          enum hr_stream_failure *failure)
{
    la_ssize_t got = unpacking->opened ? 1 : open_content(unpacking);
    if (got > 0) {
        got = archive_read_data(unpacking->archive, bytes, size);
    }
    if (got < 0) {
        *failure = unpacking->unreadable ? HR_STREAM_UNREADABLE : HR_STREAM_DAMAGED;
        return -1;
    }
    unpacking->unpacked_bytes += (uint64_t)got;
    if (is_beyond_limit(unpacking)) {
        *failure = HR_STREAM_LIMIT;
        return -1;
    }
    return got;
}
