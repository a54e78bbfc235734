// SPDX-License-Identifier: MIT
#include "ingest/archive.h"

#include "base/files.h"
#include "ingest/unpack.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define READ_BYTES ((size_t)256 * 1024)

struct hr_archive {
    GArray *members; // of struct hr_member
    int fd;          // the content of all, one after another
    uint64_t filled_bytes;
    const struct hr_limits *limits;
};

// What became of one member, or of the whole archive behind it.
enum outcome {
    OUTCOME_TAKEN,
    OUTCOME_SKIPPED, // this member is of no use, the next may be
    OUTCOME_DAMAGED, // the archive cannot be read any further
    OUTCOME_LIMIT,
    OUTCOME_NO_ROOM, // errno tells why
};

static void member_clear(void *member)
{
    g_free(((struct hr_member *)member)->path);
}

void hr_archive_free(struct hr_archive *archive)
{
    if (archive) {
        g_array_unref(archive->members);
        if (archive->fd >= 0) {
            close(archive->fd);
        }
        g_free(archive);
    }
}

const GArray *hr_archive_members(const struct hr_archive *archive)
{
    return archive->members;
}

int hr_archive_fd(const struct hr_archive *archive)
{
    return archive->fd;
}

// A file without a name in TMPDIR; where none can be made there (a read-only system), memory.
int hr_archive_open_spool(void)
{
    const int fd = open(g_get_tmp_dir(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (fd >= 0) {
        return fd;
    }
    g_autofree char *path = g_build_filename(g_get_tmp_dir(), "heapreport-XXXXXX", NULL);
    const int named = g_mkstemp_full(path, O_RDWR | O_CLOEXEC, 0600);
    if (named >= 0) {
        unlink(path);
        return named;
    }
    return memfd_create("heapreport", MFD_CLOEXEC);
}

// Joins the parts of a path; NULL when it is absolute or has a ".." in it.
static char *clean_path(const char *path)
{
    if (!path || path[0] == '/') {
        return NULL;
    }
    g_auto(GStrv) parts = g_strsplit(path, "/", -1);
    GString *clean = g_string_new(NULL);
    for (size_t i = 0; parts[i]; i++) {
        if (strcmp(parts[i], "..") == 0) {
            g_string_free(clean, TRUE);
            return NULL;
        }
        if (parts[i][0] != '\0' && strcmp(parts[i], ".") != 0) {
            g_string_append(clean, clean->len > 0 ? "/" : "");
            g_string_append(clean, parts[i]);
        }
    }
    return g_string_free(clean, clean->len == 0);
}

// Names in UTF-8 come out right in every locale; others are bytes.
static char *path_of(struct archive_entry *entry)
{
    const char *path = archive_entry_pathname_utf8(entry);
    return clean_path(path ? path : archive_entry_pathname(entry));
}

static bool is_too_much(const struct hr_archive *archive, uint64_t unpacked, uint64_t packed)
{
    const uint64_t *limits = archive->limits->value;
    return unpacked > limits[HR_LIMIT_archive_bytes] ||
           (unpacked > HR_UNPACKED_FREE_BYTES &&
            unpacked / limits[HR_LIMIT_unpacked_times] > packed);
}

// Headers, and members of no use, cost time as well: what is kept and what is not are held to the
// limits, each by itself.
static bool is_beyond_limit(const struct hr_archive *archive, struct archive *reader)
{
    const uint64_t packed = (uint64_t)MAX(archive_filter_bytes(reader, -1), 1);
    const uint64_t passed = (uint64_t)MAX(archive_filter_bytes(reader, 0), 0);
    const uint64_t kept = archive->filled_bytes;
    return is_too_much(archive, kept, packed) ||
           (passed > kept && is_too_much(archive, passed - kept, packed));
}

// Reads the content of the current member to its end, and appends it where it is kept; what came
// before damage is.
static enum outcome read_content(struct hr_archive *archive, struct archive *reader, char *buffer,
                                 bool keep)
{
    for (;;) {
        const la_ssize_t got = archive_read_data(reader, buffer, READ_BYTES);
        if (got <= 0) {
            return got == 0               ? OUTCOME_TAKEN
                   : got == ARCHIVE_FATAL ? OUTCOME_DAMAGED
                                          : OUTCOME_SKIPPED;
        }
        if (keep && !hr_file_write_all(archive->fd, buffer, (size_t)got)) {
            return OUTCOME_NO_ROOM;
        }
        archive->filled_bytes += keep ? (uint64_t)got : 0;
        if (is_beyond_limit(archive, reader)) {
            return OUTCOME_LIMIT;
        }
    }
}

// Left to libarchive, the way to the next header would know no limit.
static enum outcome skip_content(struct hr_archive *archive, struct archive *reader, char *buffer)
{
    const enum outcome outcome = read_content(archive, reader, buffer, false);
    return outcome == OUTCOME_TAKEN ? OUTCOME_SKIPPED : outcome;
}

static enum outcome take_member(struct hr_archive *archive, struct archive *reader,
                                struct archive_entry *entry, char *buffer)
{
    if (archive_entry_filetype(entry) == AE_IFDIR) {
        return OUTCOME_TAKEN;
    }
    if (archive_entry_filetype(entry) != AE_IFREG || archive_entry_hardlink(entry)) {
        return skip_content(archive, reader, buffer);
    }
    g_autofree char *path = path_of(entry);
    if (!path) {
        return skip_content(archive, reader, buffer);
    }
    struct hr_member member = {.offset = archive->filled_bytes,
                               .modified_at_s = NAN,
                               .whole_second = archive_entry_mtime_nsec(entry) == 0};
    if (archive_entry_mtime_is_set(entry)) {
        member.modified_at_s =
            (double)archive_entry_mtime(entry) + (double)archive_entry_mtime_nsec(entry) * 1e-9;
    }
    const enum outcome outcome = read_content(archive, reader, buffer, true);
    member.size_bytes = archive->filled_bytes - member.offset;
    if (outcome == OUTCOME_TAKEN || outcome == OUTCOME_DAMAGED) {
        member.path = g_steal_pointer(&path);
        g_array_append_val(archive->members, member);
    }
    return outcome;
}

static int compare_members(const void *left, const void *right)
{
    const struct hr_member *a = left;
    const struct hr_member *b = right;
    const int by_path = strcmp(a->path, b->path);
    return by_path != 0 ? by_path : (a->offset > b->offset) - (a->offset < b->offset);
}

// An archive that was appended to holds a file's older states too: the last one counts.
static void keep_last_of_each(GArray *members)
{
    g_array_sort(members, compare_members);
    for (guint i = members->len; i-- > 1;) {
        if (strcmp(g_array_index(members, struct hr_member, i).path,
                   g_array_index(members, struct hr_member, i - 1).path) == 0) {
            g_array_remove_index(members, i - 1);
        }
    }
}

static enum outcome take_members(struct hr_archive *archive, struct archive *reader,
                                 const char *path, struct hr_diagnostics *diagnostics)
{
    g_autofree char *buffer = g_malloc(READ_BYTES);
    struct archive_entry *entry;
    int status;
    while ((status = archive_read_next_header(reader, &entry)) >= ARCHIVE_WARN &&
           status != ARCHIVE_EOF) {
        if (archive->members->len >= archive->limits->value[HR_LIMIT_archive_members_count] ||
            is_beyond_limit(archive, reader)) {
            return OUTCOME_LIMIT;
        }
        const enum outcome outcome = take_member(archive, reader, entry, buffer);
        if (outcome == OUTCOME_SKIPPED) {
            hr_diagnostics_add(diagnostics, HR_DIAG_ARCHIVE_MEMBER_SKIPPED, path, NULL);
        } else if (outcome != OUTCOME_TAKEN) {
            return outcome;
        }
    }
    return status == ARCHIVE_EOF ? OUTCOME_TAKEN : OUTCOME_DAMAGED;
}

static void report_limit(const struct hr_archive *archive, const char *path,
                         struct hr_diagnostics *diagnostics)
{
    const uint64_t *limits = archive->limits->value;
    g_autofree char *bytes = g_strdup_printf("%" PRIu64, limits[HR_LIMIT_archive_bytes]);
    g_autofree char *times = g_strdup_printf("%" PRIu64, limits[HR_LIMIT_unpacked_times]);
    g_autofree char *members = g_strdup_printf("%" PRIu64, limits[HR_LIMIT_archive_members_count]);
    hr_diagnostics_add(diagnostics, HR_DIAG_ARCHIVE_LIMIT, path, "archive_bytes", bytes, "times",
                       times, "members_count", members, NULL);
}

static bool judge(const struct hr_archive *archive, enum outcome outcome, struct archive *reader,
                  const char *path, struct hr_diagnostics *diagnostics, GError **error)
{
    const char *message = archive_error_string(reader);
    switch (outcome) {
    case OUTCOME_TAKEN:
    case OUTCOME_SKIPPED:
        return true;
    case OUTCOME_DAMAGED:
        if (archive->members->len == 0) {
            g_set_error(error, HR_ERROR, HR_ERROR_INPUT, "%s: no directory, tar or zip archive: %s",
                        path, message ? message : "nothing in it is whole");
            return false;
        }
        hr_diagnostics_add(diagnostics, HR_DIAG_ARCHIVE_DAMAGED, path, NULL);
        return true;
    case OUTCOME_LIMIT:
        report_limit(archive, path, diagnostics);
        return true;
    case OUTCOME_NO_ROOM:
        g_set_error(error, HR_ERROR, HR_ERROR_INPUT, "%s: unpacking into %s: %s", path,
                    g_get_tmp_dir(), g_strerror(errno));
        return false;
    }
    g_assert_not_reached();
}

// A zip without Unix times holds those of a wall clock, which libarchive reads in the zone of this
// process; a report may not depend on that. Whole-process state, but no thread runs yet.
static char *enter_utc(void)
{
    char *zone = g_strdup(g_getenv("TZ"));
    g_setenv("TZ", "UTC0", TRUE);
    return zone;
}

static void leave_utc(char *zone)
{
    const int reason = errno;
    if (zone) {
        g_setenv("TZ", zone, TRUE);
    } else {
        g_unsetenv("TZ");
    }
    g_free(zone);
    tzset();
    errno = reason;
}

static bool read_archive(struct hr_archive *archive, int fd, const char *path,
                         struct hr_diagnostics *diagnostics, GError **error)
{
    struct archive *reader = archive_read_new();
    g_assert(reader);
    archive_read_support_format_tar(reader);
    archive_read_support_format_zip(reader);
    hr_unpack_allow_filters(reader);
    char *zone = enter_utc();
    const enum outcome outcome = archive_read_open_fd(reader, fd, READ_BYTES) == ARCHIVE_OK
                                     ? take_members(archive, reader, path, diagnostics)
                                     : OUTCOME_DAMAGED;
    leave_utc(zone);
    const bool fine = judge(archive, outcome, reader, path, diagnostics, error);
    archive_read_free(reader);
    return fine;
}

struct hr_archive *hr_archive_new(const char *path, int spool, const struct hr_limits *limits,
                                  struct hr_diagnostics *diagnostics, GError **error)
{
    HR_AUTO(hr_archive) archive = g_new0(struct hr_archive, 1);
    archive->members = g_array_new(FALSE, FALSE, sizeof(struct hr_member));
    g_array_set_clear_func(archive->members, member_clear);
    archive->fd = spool;
    archive->limits = limits;
    int fd;
    struct stat status;
    if (!hr_file_open(path, &fd, &status, error)) {
        g_prefix_error(error, "%s: ", path);
        return NULL;
    }
    if (spool < 0) {
        archive->fd = hr_archive_open_spool();
    }
    bool fine = archive->fd >= 0;
    if (fine) {
        fine = read_archive(archive, fd, path, diagnostics, error);
    } else {
        g_set_error(error, HR_ERROR, HR_ERROR_INPUT, "%s: no place to unpack it: %s", path,
                    g_strerror(errno));
    }
    close(fd);
    if (!fine) {
        return NULL;
    }
    keep_last_of_each(archive->members);
    return HR_STEAL(archive);
}
