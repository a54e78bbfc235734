// SPDX-License-Identifier: MIT
// An archive, and the same bytes as one packed file and as a pprof profile. What must hold whatever
// comes: members lie inside what was unpacked, and none has a name that leads out of it; a stack of
// a profile stands in one row, and reading it twice gives the same rows.
#include "fuzz.h"

#include "ingest/archive.h"
#include "ingest/profile_reader.h"
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

static void read_dump(struct hr_profile_reader *reader, const char *path, bool is_base,
                      struct hr_row_buffer *rows, struct hr_heap_dump *dump)
{
    struct hr_stream stream;
    const bool opened = hr_stream_open_file(&stream, path, NULL);
    hr_profile_reader_read(reader, opened ? &stream : NULL, is_base, rows, dump);
    if (opened) {
        hr_stream_close(&stream);
    }
}

static void check_rows(const struct hr_stacks *stacks, const struct hr_heap_dump *dump)
{
    g_autofree bool *seen = g_new0(bool, hr_stacks_count(stacks) + 1);
    uint64_t bytes = 0;
    for (size_t i = 0; i < dump->rows_count; i++) {
        const struct hr_row *row = &dump->rows[i];
        g_assert_true(row->stack < hr_stacks_count(stacks) && !seen[row->stack]);
        seen[row->stack] = true;
        bytes += row->bytes;
    }
    g_assert_true(bytes == dump->header_bytes);
}

static void check_names(const struct hr_heap_dump *dump)
{
    for (uint32_t i = 0; i < dump->names.names_count; i++) {
        const struct hr_given_name *name = &dump->names.names[i];
        g_assert_true(name->frames_count > 0);
        for (uint32_t k = 0; k < name->frames_count; k++) {
            g_assert_nonnull(dump->names.frames[name->first_frame + k].symbol);
        }
    }
}

static void read_profile(const char *path)
{
    HR_AUTO(hr_stacks) stacks = hr_stacks_new();
    HR_AUTO(hr_profile_reader) reader = hr_profile_reader_new(stacks);
    struct hr_row_buffer rows[2] = {0};
    for (int is_base = 0; is_base < 2; is_base++) {
        struct hr_heap_dump first;
        struct hr_heap_dump second;
        read_dump(reader, path, is_base, &rows[0], &first);
        check_rows(stacks, &first);
        check_names(&first);
        read_dump(reader, path, is_base, &rows[1], &second);
        g_assert_true(first.note == second.note && first.rows_count == second.rows_count);
        g_assert_true(first.rows_count == 0 ||
                      memcmp(rows[0].rows, rows[1].rows, first.rows_count * sizeof *first.rows) ==
                          0);
    }
    g_free(rows[0].rows);
    g_free(rows[1].rows);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct fuzz_file file;
    fuzz_file_init(&file, bytes, size);
    check_members(file.path);
    read_source(file.path);
    read_packed(file.path);
    read_profile(file.path);
    fuzz_file_clear(&file);
    return 0;
}
