// SPDX-License-Identifier: MIT
#include "ingest/source.h"

#include "ingest/archive.h"
#include "ingest/name.h"

#include <dirent.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct hr_source {
    char *path;
    const struct hr_limits *limits;
    struct hr_archive *archive; // NULL: a directory
    char *folder;               // of the archive, with '/' behind it; "" for its top
};

void hr_source_free(struct hr_source *source)
{
    if (source) {
        hr_archive_free(source->archive);
        g_free(source->folder);
        g_free(source->path);
        g_free(source);
    }
}

const struct hr_limits *hr_source_limits(const struct hr_source *source)
{
    return source->limits;
}

const char *hr_source_path(const struct hr_source *source)
{
    return source->path;
}

static char *folder_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? g_strndup(path, (gsize)(slash - path) + 1) : g_strdup("");
}

// The folder with the most dumps; without any, the one that the first file is in.
static char *choose_folder(const GArray *members)
{
    g_autoptr(GHashTable) counts = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    char *best = NULL;
    guint best_count = 0;
    for (guint i = 0; i < members->len; i++) {
        const char *path = g_array_index(members, struct hr_member, i).path;
        char *folder = folder_of(path);
        const guint count = GPOINTER_TO_UINT(g_hash_table_lookup(counts, folder)) +
                            (hr_dump_name_looks_like(path) ? 1 : 0);
        if (!best || count > best_count) {
            g_free(best);
            best = g_strdup(folder);
            best_count = count;
        }
        g_hash_table_replace(counts, folder, GUINT_TO_POINTER(count));
    }
    return best ? best : g_strdup("");
}

int hr_source_open_spool(const char *path)
{
    struct stat status;
    const bool may_be = stat(path, &status) == 0 && S_ISREG(status.st_mode);
    return may_be ? hr_archive_open_spool() : -1;
}

static void close_spool(int spool)
{
    if (spool >= 0) {
        close(spool);
    }
}

struct hr_source *hr_source_new(const char *path, struct hr_diagnostics *diagnostics,
                                GError **error)
{
    return hr_source_new_limited(path, -1, NULL, diagnostics, error);
}

struct hr_source *hr_source_new_limited(const char *path, int spool, const struct hr_limits *limits,
                                        struct hr_diagnostics *diagnostics, GError **error)
{
    struct stat status;
    if (stat(path, &status) != 0) {
        close_spool(spool);
        g_set_error(error, HR_ERROR, HR_ERROR_INPUT, "%s: %s", path, g_strerror(errno));
        return NULL;
    }
    HR_AUTO(hr_source) source = g_new0(struct hr_source, 1);
    source->path = g_strdup(path);
    source->limits = limits ? limits : hr_limits_default();
    if (S_ISREG(status.st_mode)) {
        source->archive = hr_archive_new(path, spool, source->limits, diagnostics, error);
        if (!source->archive) {
            return NULL;
        }
        source->folder = choose_folder(hr_archive_members(source->archive));
        return HR_STEAL(source);
    }
    close_spool(spool);
    if (!S_ISDIR(status.st_mode)) {
        g_set_error(error, HR_ERROR, HR_ERROR_INPUT, "%s: neither a directory nor an archive",
                    path);
        return NULL;
    }
    return HR_STEAL(source);
}

// The name of a member in the folder; the whole path of what lies elsewhere.
static const char *name_of(const struct hr_source *source, const struct hr_member *member)
{
    const size_t length = strlen(source->folder);
    const bool below = strncmp(member->path, source->folder, length) == 0;
    return below && !strchr(member->path + length, '/') ? member->path + length : member->path;
}

static void list_archive(const struct hr_source *source, const struct hr_source_visitor *visitor)
{
    const GArray *members = hr_archive_members(source->archive);
    for (guint i = 0; i < members->len; i++) {
        const struct hr_member *member = &g_array_index(members, struct hr_member, i);
        const char *name = name_of(source, member);
        const bool here = !strchr(name, '/');
        if ((here || visitor->everywhere) && visitor->wants(name, visitor->context)) {
            const struct hr_entry entry = {.name = name,
                                           .modified_at_s = member->modified_at_s,
                                           .whole_second = member->whole_second,
                                           .is_regular = true,
                                           .size_bytes = member->size_bytes};
            visitor->visit(&entry, visitor->context);
        }
    }
}

bool hr_source_find_file(const struct hr_source *source, const char *name, struct hr_entry *entry)
{
    g_autofree char *path = g_build_filename(source->path, name, NULL);
    struct stat status;
    if (stat(path, &status) != 0 || S_ISDIR(status.st_mode)) {
        return false;
    }
    *entry = (struct hr_entry){.name = name,
                               .modified_at_s = (double)status.st_mtim.tv_sec +
                                                (double)status.st_mtim.tv_nsec * 1e-9,
                               .whole_second = status.st_mtim.tv_nsec == 0,
                               .is_regular = S_ISREG(status.st_mode),
                               .size_bytes = (uint64_t)status.st_size};
    return true;
}

static bool list_directory(const struct hr_source *source, const struct hr_source_visitor *visitor,
                           GError **error)
{
    DIR *stream = opendir(source->path);
    if (!stream) {
        g_set_error(error, HR_ERROR, HR_ERROR_INPUT, "%s: %s", source->path, g_strerror(errno));
        return false;
    }
    const struct dirent *there;
    struct hr_entry entry;
    while ((errno = 0, there = readdir(stream))) {
        if (strcmp(there->d_name, ".") != 0 && strcmp(there->d_name, "..") != 0 &&
            visitor->wants(there->d_name, visitor->context) &&
            hr_source_find_file(source, there->d_name, &entry)) {
            visitor->visit(&entry, visitor->context);
        }
    }
    const int failure = errno;
    closedir(stream);
    if (failure != 0) {
        g_set_error(error, HR_ERROR, HR_ERROR_INPUT, "%s: %s", source->path, g_strerror(failure));
        return false;
    }
    return true;
}

bool hr_source_list(const struct hr_source *source, const struct hr_source_visitor *visitor,
                    GError **error)
{
    if (source->archive) {
        list_archive(source, visitor);
        return true;
    }
    return list_directory(source, visitor, error);
}

static const struct hr_member *find_path(const struct hr_source *source, const char *path)
{
    const GArray *members = hr_archive_members(source->archive);
    guint low = 0;
    guint high = members->len;
    while (low < high) {
        const guint middle = low + (high - low) / 2;
        const struct hr_member *member = &g_array_index(members, struct hr_member, middle);
        const int order = strcmp(member->path, path);
        if (order == 0) {
            return member;
        }
        low = order < 0 ? middle + 1 : low;
        high = order < 0 ? high : middle;
    }
    return NULL;
}

static const struct hr_member *find_member(const struct hr_source *source, const char *name)
{
    g_autofree char *path = g_strconcat(source->folder, name, NULL);
    const struct hr_member *member = find_path(source, path);
    return member ? member : find_path(source, name);
}

bool hr_source_open(const struct hr_source *source, const char *name, struct hr_stream *stream,
                    GError **error)
{
    if (!source->archive) {
        g_autofree char *path = g_build_filename(source->path, name, NULL);
        const bool opened = hr_stream_open_file(stream, path, error);
        stream->limits = opened ? source->limits : NULL;
        return opened;
    }
    const struct hr_member *member = find_member(source, name);
    if (!member) {
        g_set_error(error, HR_ERROR, HR_ERROR_INPUT, "not in the archive");
        return false;
    }
    hr_stream_open_slice(stream, hr_archive_fd(source->archive), member->offset,
                         member->size_bytes);
    stream->limits = source->limits;
    return true;
}

char *hr_source_hash(const struct hr_source *source, const char *name)
{
    struct hr_stream stream;
    if (!hr_source_open(source, name, &stream, NULL)) {
        return NULL;
    }
    GChecksum *checksum = g_checksum_new(G_CHECKSUM_SHA256);
    guint8 chunk[64 * 1024];
    ssize_t got;
    while ((got = hr_stream_read(&stream, chunk, sizeof chunk)) > 0) {
        g_checksum_update(checksum, chunk, got);
    }
    hr_stream_close(&stream);
    char *hash = got == 0 ? g_strdup(g_checksum_get_string(checksum)) : NULL;
    g_checksum_free(checksum);
    return hash;
}
