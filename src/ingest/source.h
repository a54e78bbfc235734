// SPDX-License-Identifier: MIT
// Where the inputs of a run lie: a directory, or an archive in its place. Names, file times and
// streams of bytes come from here, so that nothing behind it knows which of the two it is.
#pragma once

#include "base/cleanup.h"
#include "base/diagnostics.h"
#include "ingest/stream.h"

struct hr_source;

struct hr_entry {
    const char *name;
    double modified_at_s;
    bool whole_second; // the time has no fraction
    bool is_regular;
    uint64_t size_bytes; // as stored
};

struct hr_source_visitor {
    bool (*wants)(const char *name, void *context);
    void (*visit)(const struct hr_entry *entry, void *context); // valid during the call
    void *context;
    bool everywhere; // in an archive: what lies in other folders too, under its whole path
};

// Opens a directory, or unpacks a tar or zip archive (packed or not) into a nameless temporary
// file, under the default limits. Fails when `path` is neither; what cannot be used of an archive
// is a diagnostic.
struct hr_source *hr_source_new(const char *path, struct hr_diagnostics *diagnostics,
                                GError **error);

// The same under other limits (NULL: the defaults), which live as long as the source, and for a
// process that may make no files by then: `spool` was opened by hr_source_open_spool() and is
// taken; -1: none is needed, or it is opened now.
struct hr_source *hr_source_new_limited(const char *path, int spool, const struct hr_limits *limits,
                                        struct hr_diagnostics *diagnostics, GError **error);
void hr_source_free(struct hr_source *source);
HR_DEFINE_AUTO(hr_source, hr_source_free)

// Opens the temporary file where `path` may be an archive; -1 where it is none or none can be made.
int hr_source_open_spool(const char *path);

// The limits that it was made with.
const struct hr_limits *hr_source_limits(const struct hr_source *source);

// The path as it was given.
const char *hr_source_path(const struct hr_source *source);

// Visits what lies there and is no directory, in no order, but not what lies below. In an archive
// "there" is the folder that holds the most dumps.
bool hr_source_list(const struct hr_source *source, const struct hr_source_visitor *visitor,
                    GError **error);

// What a file of that name in a directory is; false when there is none.
bool hr_source_find_file(const struct hr_source *source, const char *name, struct hr_entry *entry);

// Opens the content of that name. Close it with hr_stream_close() before the source is freed.
bool hr_source_open(const struct hr_source *source, const char *name, struct hr_stream *stream,
                    GError **error);

// Lower-case hex SHA-256 of the content (unpacked) of that name; NULL when it cannot be read.
// g_free() it.
char *hr_source_hash(const struct hr_source *source, const char *name);
