// SPDX-License-Identifier: MIT
#include "ingest/listing.h"

#include "ingest/foreign.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>

static bool looks_like_dump(const char *name)
{
    return g_str_has_suffix(name, ".heap");
}

static void add_foreign(struct hr_listing *listing, const struct hr_listed *listed,
                        enum hr_dump_note note, const char *detail)
{
    const struct hr_dump dump = {.file = listed->file,
                                 .taken_at_s = NAN,
                                 .size_bytes = listed->size_bytes,
                                 .note = note,
                                 .note_detail = detail,
                                 .live_bytes = NAN,
                                 .kept_ratio = NAN};
    g_array_append_val(listing->foreign, dump);
}

// A name that jemalloc did not make: the content decides whether it is a dump at all.
static void add_own_name(struct hr_listing *listing, const char *path, struct hr_listed *listed)
{
    char head[HR_CONTENT_HEAD_BYTES];
    const size_t size = hr_content_read_head(path, head);
    if (hr_content_is_jemalloc(head, size)) {
        hr_dump_name_read_own(listed->file, &listed->name);
        g_array_append_val(listing->dumps, *listed);
    } else if (size > 0) {
        add_foreign(listing, listed, HR_DUMP_NOTE_FOREIGN, hr_content_foreign_kind(head, size));
    } else {
        add_foreign(listing, listed,
                    listed->size_bytes == 0 && listed->is_regular ? HR_DUMP_NOTE_EMPTY
                                                                  : HR_DUMP_NOTE_UNREADABLE,
                    NULL);
    }
}

static void add_file(struct hr_listing *listing, struct hr_arena *arena, const char *directory,
                     const char *name, bool by_content)
{
    g_autofree char *path = g_build_filename(directory, name, NULL);
    struct stat status;
    if (stat(path, &status) != 0 || S_ISDIR(status.st_mode)) {
        return;
    }
    struct hr_listed listed = {.file = name,
                               .modified_at_s = (double)status.st_mtim.tv_sec +
                                                (double)status.st_mtim.tv_nsec * 1e-9,
                               .whole_second = status.st_mtim.tv_nsec == 0,
                               .is_regular = S_ISREG(status.st_mode),
                               .size_bytes = (uint64_t)status.st_size};
    if (by_content) {
        char head[HR_CONTENT_HEAD_BYTES];
        if (!hr_content_is_jemalloc(head, hr_content_read_head(path, head))) {
            return;
        }
    }
    listed.file = hr_arena_strdup(arena, name);
    if (hr_dump_name_read(name, &listed.name)) {
        g_array_append_val(listing->dumps, listed);
    } else {
        add_own_name(listing, path, &listed);
    }
}

// One pass over the directory: over its .heap files, or over the others.
static bool list(struct hr_listing *listing, struct hr_arena *arena, const char *directory,
                 bool by_content, GError **error)
{
    DIR *stream = opendir(directory);
    if (!stream) {
        g_set_error(error, HR_ERROR, HR_ERROR_INPUT, "%s: %s", directory, g_strerror(errno));
        return false;
    }
    const struct dirent *entry;
    while ((errno = 0, entry = readdir(stream))) {
        if (looks_like_dump(entry->d_name) != by_content && strcmp(entry->d_name, ".") != 0 &&
            strcmp(entry->d_name, "..") != 0) {
            add_file(listing, arena, directory, entry->d_name, by_content);
        }
    }
    const int failure = errno;
    closedir(stream);
    if (failure != 0) {
        g_set_error(error, HR_ERROR, HR_ERROR_INPUT, "%s: %s", directory, g_strerror(failure));
        return false;
    }
    return true;
}

bool hr_listing_read(struct hr_listing *listing, struct hr_arena *arena, const char *directory,
                     GError **error)
{
    *listing = (struct hr_listing){.dumps = g_array_new(FALSE, FALSE, sizeof(struct hr_listed)),
                                   .foreign = g_array_new(FALSE, FALSE, sizeof(struct hr_dump))};
    if (!list(listing, arena, directory, false, error) ||
        (listing->dumps->len == 0 && !list(listing, arena, directory, true, error))) {
        hr_listing_clear(listing);
        return false;
    }
    return true;
}

void hr_listing_clear(struct hr_listing *listing)
{
    g_array_unref(listing->dumps);
    g_array_unref(listing->foreign);
}
