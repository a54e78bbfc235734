// SPDX-License-Identifier: MIT
// An archive, and the same bytes as one packed file. What must hold whatever comes: members lie
// inside what was unpacked, and none has a name that leads out of it.
#include "fuzz.h"

#include "ingest/archive.h"
#include "ingest/source.h"

#include <string.h>
#include <sys/stat.h>

#define READ_MAX_BYTES ((uint64_t)4 * 1024 * 1024)

static void check_members(const char *path)
{
    HR_AUTO(hr_diagnostics) diagnostics = hr_diagnostics_new();
    HR_AUTO(hr_archive) archive = hr_archive_new(path, -1, hr_limits_default(), diagnostics, NULL);
    if (!archive) {
        return;
    }
    struct stat spool;
    g_assert_true(fstat(hr_archive_fd(archive), &spool) == 0);
    const GArray *members = hr_archive_members(archive);
    for (guint i = 0; i < members->len; i++) {
        const struct hr_member *member = &g_array_index(members, struct hr_member, i);
        g_assert_true(member->offset + member->size_bytes <= (uint64_t)spool.st_size);
        g_assert_true(member->path[0] != '/' && !g_str_has_prefix(member->path, "../") &&
                      !strstr(member->path, "/../"));
        g_assert_true(i == 0 || strcmp(g_array_index(members, struct hr_member, i - 1).path,
                                       member->path) < 0);
    }
}

static bool wants_all(const char *name, void *context)
{
    (void)context;
    return *name != '\0';
}

static void read_entry(const struct hr_entry *entry, void *context)
{
    g_autofree char *hash = hr_source_hash(context, entry->name);
    g_assert_true(!hash || strlen(hash) == 64);
}

static void read_source(const char *path)
{
    HR_AUTO(hr_diagnostics) diagnostics = hr_diagnostics_new();
    HR_AUTO(hr_source) source = hr_source_new(path, diagnostics, NULL);
    if (source) {
        const struct hr_source_visitor visitor = {
            .wants = wants_all, .visit = read_entry, .context = source, .everywhere = true};
        g_assert_true(hr_source_list(source, &visitor, NULL));
    }
}

static void read_packed(const char *path)
{
    struct hr_stream stream;
    if (!hr_stream_open_file(&stream, path, NULL)) {
        return;
    }
    char chunk[4096];
    uint64_t sum = 0;
    for (ssize_t got;
         sum < READ_MAX_BYTES && (got = hr_stream_read(&stream, chunk, sizeof chunk)) > 0;) {
        sum += (uint64_t)got;
    }
    g_assert_true(stream.content_bytes == sum);
    hr_stream_close(&stream);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct fuzz_file file;
    fuzz_file_init(&file, bytes, size);
    check_members(file.path);
    read_source(file.path);
    read_packed(file.path);
    fuzz_file_clear(&file);
    return 0;
}
