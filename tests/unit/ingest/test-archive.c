// SPDX-License-Identifier: MIT
// Archives as libarchive writes them, whole and damaged: which members come out, with what bytes
// and times, and what is said about the others.
#include "fixture.h"
#include "ingest/archive.h"
#include "ingest/stream.h"

#include <archive.h>
#include <archive_entry.h>
#include <math.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define TIME_S 1796158800
#define MEMORY_BYTES ((size_t)8 * 1024 * 1024)
#define CUTS 16

struct packed {
    char *bytes;
    size_t size;
    struct archive *writer;
};

typedef int (*set_up)(struct archive *);

static void packed_init(struct packed *packed, set_up format, set_up filter)
{
    *packed = (struct packed){.bytes = g_malloc(MEMORY_BYTES), .writer = archive_write_new()};
    g_assert_cmpint(format(packed->writer), ==, ARCHIVE_OK);
    g_assert_cmpint(filter(packed->writer), ==, ARCHIVE_OK);
    archive_write_set_bytes_in_last_block(packed->writer, 1);
    g_assert_cmpint(
        archive_write_open_memory(packed->writer, packed->bytes, MEMORY_BYTES, &packed->size), ==,
        ARCHIVE_OK);
}

// A member of one kind; `link` is where a symbolic or hard link leads.
static void add(struct packed *packed, const char *path, unsigned kind, const char *link,
                const char *content)
{
    struct archive_entry *entry = archive_entry_new();
    archive_entry_set_pathname(entry, path);
    archive_entry_set_filetype(entry, kind);
    archive_entry_set_perm(entry, 0600);
    archive_entry_set_mtime(entry, TIME_S, 250000000);
    archive_entry_set_size(entry, (la_int64_t)strlen(content));
    if (link && kind == AE_IFLNK) {
        archive_entry_set_symlink(entry, link);
    } else if (link) {
        archive_entry_set_hardlink(entry, link);
        archive_entry_unset_size(entry);
    }
    g_assert_cmpint(archive_write_header(packed->writer, entry), ==, ARCHIVE_OK);
    if (*content) {
        g_assert_cmpint(archive_write_data(packed->writer, content, strlen(content)), ==,
                        (la_ssize_t)strlen(content));
    }
    archive_entry_free(entry);
}

static void add_file(struct packed *packed, const char *path, const char *content)
{
    add(packed, path, AE_IFREG, NULL, content);
}

static void packed_close(struct packed *packed)
{
    g_assert_cmpint(archive_write_free(packed->writer), ==, ARCHIVE_OK);
    packed->writer = NULL;
}

// What hr_archive_new() makes of the first `size` bytes.
struct opened {
    struct hr_fixture fixture;
    struct hr_archive *archive;
    GError *error;
};

static void open_bytes(struct opened *opened, const char *bytes, size_t size)
{
    *opened = (struct opened){.archive = NULL};
    hr_fixture_init(&opened->fixture);
    hr_fixture_add_bytes(&opened->fixture, "archive", bytes, size, 0);
    g_autofree char *path = g_build_filename(opened->fixture.directory, "archive", NULL);
    opened->archive =
        hr_archive_new(path, -1, hr_limits_default(), opened->fixture.diagnostics, &opened->error);
    g_assert_true((opened->archive != NULL) == (opened->error == NULL));
}

static void open_packed(struct opened *opened, struct packed *packed)
{
    packed_close(packed);
    open_bytes(opened, packed->bytes, packed->size);
    g_free(packed->bytes);
}

static void opened_clear(struct opened *opened)
{
    hr_archive_free(opened->archive);
    g_clear_error(&opened->error);
    hr_fixture_clear(&opened->fixture);
}

static char *content_of(const struct hr_archive *archive, const struct hr_member *member)
{
    char *content = g_malloc0(member->size_bytes + 1);
    g_assert_cmpint(
        pread(hr_archive_fd(archive), content, member->size_bytes, (off_t)member->offset), ==,
        (ssize_t)member->size_bytes);
    return content;
}

// "path=content path=content", by path.
static char *describe(const struct opened *opened)
{
    GString *out = g_string_new(NULL);
    const GArray *members = hr_archive_members(opened->archive);
    for (guint i = 0; i < members->len; i++) {
        const struct hr_member *member = &g_array_index(members, struct hr_member, i);
        g_autofree char *content = content_of(opened->archive, member);
        g_string_append_printf(out, "%s%s=%s", i > 0 ? " " : "", member->path, content);
    }
    return g_string_free(out, FALSE);
}

static void expect_members(const struct opened *opened, const char *wanted)
{
    g_assert_no_error(opened->error);
    g_autofree char *got = describe(opened);
    g_assert_cmpstr(got, ==, wanted);
}

static void expect_reports(const struct opened *opened, unsigned skipped, unsigned damaged,
                           unsigned limit)
{
    const struct hr_fixture *fixture = &opened->fixture;
    g_assert_cmpuint(hr_fixture_reports(fixture, HR_DIAG_ARCHIVE_MEMBER_SKIPPED), ==, skipped);
    g_assert_cmpuint(hr_fixture_reports(fixture, HR_DIAG_ARCHIVE_DAMAGED), ==, damaged);
    g_assert_cmpuint(hr_fixture_reports(fixture, HR_DIAG_ARCHIVE_LIMIT), ==, limit);
}

static const struct {
    const char *title;
    set_up format;
    set_up filter;
    bool whole_second;
} KINDS[] = {
    {"ustar", archive_write_set_format_ustar, archive_write_add_filter_none, true},
    {"pax", archive_write_set_format_pax, archive_write_add_filter_none, false},
    {"gnu", archive_write_set_format_gnutar, archive_write_add_filter_none, true},
    {"zip", archive_write_set_format_zip, archive_write_add_filter_none, true},
    {"tar.gz", archive_write_set_format_pax, archive_write_add_filter_gzip, false},
    {"tar.xz", archive_write_set_format_pax, archive_write_add_filter_xz, false},
    {"tar.zst", archive_write_set_format_pax, archive_write_add_filter_zstd, false},
};

static void test_kind(const void *user)
{
    const size_t kind = GPOINTER_TO_SIZE(user);
    struct packed packed;
    struct opened opened;
    packed_init(&packed, KINDS[kind].format, KINDS[kind].filter);
    add(&packed, "dumps/", AE_IFDIR, NULL, "");
    add_file(&packed, "dumps/b.heap", "second");
    add_file(&packed, "dumps/a.heap", "first");
    add_file(&packed, "dumps/empty", "");
    open_packed(&opened, &packed);
    expect_members(&opened, "dumps/a.heap=first dumps/b.heap=second dumps/empty=");
    expect_reports(&opened, 0, 0, 0);
    const struct hr_member *member =
        &g_array_index(hr_archive_members(opened.archive), struct hr_member, 0);
    g_assert_cmpfloat(member->modified_at_s, ==, TIME_S + (KINDS[kind].whole_second ? 0 : 0.25));
    g_assert_true(member->whole_second == KINDS[kind].whole_second);
    opened_clear(&opened);
}

static void test_hostile_names(void)
{
    struct packed packed;
    struct opened opened;
    packed_init(&packed, archive_write_set_format_pax, archive_write_add_filter_none);
    add_file(&packed, "/etc/passwd", "a");
    add_file(&packed, "../up", "b");
    add_file(&packed, "in/../../up", "c");
    add_file(&packed, "in/..", "d");
    add_file(&packed, "./in//./kept", "e");
    add_file(&packed, "..hidden/...", "f");
    open_packed(&opened, &packed);
    expect_members(&opened, "..hidden/...=f in/kept=e");
    expect_reports(&opened, 4, 0, 0);
    opened_clear(&opened);
}

static void test_links_and_devices(void)
{
    static const unsigned kinds[] = {AE_IFIFO, AE_IFCHR, AE_IFBLK};
    struct packed packed;
    struct opened opened;
    packed_init(&packed, archive_write_set_format_pax, archive_write_add_filter_none);
    add_file(&packed, "kept", "kept");
    add(&packed, "symbolic", AE_IFLNK, "/etc/passwd", "");
    add(&packed, "hard", AE_IFREG, "kept", "");
    for (size_t i = 0; i < G_N_ELEMENTS(kinds); i++) {
        add(&packed, "special", kinds[i], NULL, "");
    }
    // A link's name is free for the file that comes later, and none is followed for it.
    add_file(&packed, "symbolic/below", "below");
    open_packed(&opened, &packed);
    expect_members(&opened, "kept=kept symbolic/below=below");
    expect_reports(&opened, 5, 0, 0);
    opened_clear(&opened);
}

static void test_last_of_one_path(void)
{
    struct packed packed;
    struct opened opened;
    packed_init(&packed, archive_write_set_format_pax, archive_write_add_filter_none);
    add_file(&packed, "same", "oldest, and longest");
    add_file(&packed, "other", "other");
    add_file(&packed, "./same", "older");
    add_file(&packed, "same", "last");
    open_packed(&opened, &packed);
    expect_members(&opened, "other=other same=last");
    expect_reports(&opened, 0, 0, 0);
    opened_clear(&opened);
}

// A sparse member of `size` bytes of which the last four are there.
static void add_sparse(struct packed *packed, la_int64_t size)
{
    struct archive_entry *entry = archive_entry_new();
    archive_entry_set_pathname(entry, "sparse");
    archive_entry_set_filetype(entry, AE_IFREG);
    archive_entry_set_perm(entry, 0600);
    archive_entry_set_size(entry, size);
    archive_entry_sparse_add_entry(entry, size - 4, 4);
    g_assert_cmpint(archive_write_header(packed->writer, entry), ==, ARCHIVE_OK);
    g_autofree char *zeros = g_malloc0(1 << 20);
    for (la_int64_t left = size - 4; left > 0;) {
        const la_ssize_t wrote =
            archive_write_data(packed->writer, zeros, (size_t)MIN(left, 1 << 20));
        g_assert_cmpint(wrote, >, 0);
        left -= wrote;
    }
    g_assert_cmpint(archive_write_data(packed->writer, "last", 4), ==, 4);
    archive_entry_free(entry);
}

static void test_sparse(void)
{
    const la_int64_t size = 1000000;
    struct packed packed;
    struct opened opened;
    packed_init(&packed, archive_write_set_format_pax, archive_write_add_filter_none);
    add_sparse(&packed, size);
    add_file(&packed, "then", "then");
    open_packed(&opened, &packed);
    g_assert_no_error(opened.error);
    g_assert_cmpuint(hr_archive_members(opened.archive)->len, ==, 2);
    const struct hr_member *member =
        &g_array_index(hr_archive_members(opened.archive), struct hr_member, 0);
    g_assert_cmpuint(member->size_bytes, ==, (uint64_t)size);
    g_autofree char *content = content_of(opened.archive, member);
    g_assert_cmpint(content[0], ==, 0);
    g_assert_true(memcmp(content, content + 1, (size_t)size - 5) == 0);
    g_assert_cmpstr(content + size - 4, ==, "last");
    expect_reports(&opened, 0, 0, 0);
    opened_clear(&opened);
}

// Holes cost nothing in the archive, and as little as packed zeros do they pass for content.
static void test_sparse_bomb(void)
{
    struct packed packed;
    struct opened opened;
    packed_init(&packed, archive_write_set_format_pax, archive_write_add_filter_none);
    add_file(&packed, "before", "before");
    add_sparse(&packed, (la_int64_t)HR_UNPACKED_FREE_BYTES + (16 << 20));
    add_file(&packed, "then", "then");
    open_packed(&opened, &packed);
    expect_members(&opened, "before=before");
    expect_reports(&opened, 0, 0, 1);
    opened_clear(&opened);
}

static void add_zeros(struct packed *packed, uint64_t size)
{
    struct archive_entry *entry = archive_entry_new();
    g_autofree char *zeros = g_malloc0(1 << 20);
    archive_entry_set_pathname(entry, "zeros");
    archive_entry_set_filetype(entry, AE_IFREG);
    archive_entry_set_size(entry, (la_int64_t)size);
    g_assert_cmpint(archive_write_header(packed->writer, entry), ==, ARCHIVE_OK);
    for (uint64_t left = size; left > 0;) {
        const la_ssize_t wrote =
            archive_write_data(packed->writer, zeros, (size_t)MIN(left, 1 << 20));
        g_assert_cmpint(wrote, >, 0);
        left -= (uint64_t)wrote;
    }
    archive_entry_free(entry);
}

// At the stated limit exactly an archive is read whole; with one byte more it is a bomb.
static void test_bomb(void)
{
    for (uint64_t beyond = 0; beyond <= 1; beyond++) {
        struct packed packed;
        struct opened opened;
        packed_init(&packed, archive_write_set_format_pax, archive_write_add_filter_zstd);
        add_file(&packed, "before", "before");
        add_zeros(&packed, HR_UNPACKED_FREE_BYTES - strlen("before") + beyond);
        packed_close(&packed);
        g_assert_cmpuint(packed.size, <,
                         HR_UNPACKED_FREE_BYTES /
                             hr_limits_default()->value[HR_LIMIT_unpacked_times]);
        open_bytes(&opened, packed.bytes, packed.size);
        g_assert_no_error(opened.error);
        g_assert_cmpuint(hr_archive_members(opened.archive)->len, ==, 2 - beyond);
        expect_reports(&opened, 0, 0, (unsigned)beyond);
        opened_clear(&opened);
        g_free(packed.bytes);
    }
}

// Cut at any place: what is whole before it stays as it was, the rest is told or is the error.
static void test_cut(const void *user)
{
    const size_t kind = GPOINTER_TO_SIZE(user);
    struct packed packed;
    packed_init(&packed, KINDS[kind].format, KINDS[kind].filter);
    g_autoptr(GString) content = g_string_new(NULL);
    g_autoptr(GRand) random = g_rand_new_with_seed(7);
    while (content->len < 40000) {
        g_string_append_c(content, (char)g_rand_int_range(random, 33, 126));
    }
    add_file(&packed, "a", content->str);
    add_file(&packed, "b", content->str);
    packed_close(&packed);
    for (size_t i = 1; i < CUTS; i++) {
        struct opened opened;
        const size_t size = packed.size * i / CUTS;
        open_bytes(&opened, packed.bytes, size);
        if (opened.error) {
            g_assert_error(opened.error, HR_ERROR, HR_ERROR_INPUT);
        } else {
            g_autofree char *got = describe(&opened);
            const GArray *members = hr_archive_members(opened.archive);
            g_assert_cmpuint(members->len, <=, 2);
            for (guint m = 0; m < members->len; m++) {
                const struct hr_member *member = &g_array_index(members, struct hr_member, m);
                g_autofree char *part = content_of(opened.archive, member);
                g_assert_true(g_str_has_prefix(content->str, part));
            }
            const bool whole = members->len == 2 && strlen(got) == 2 * content->len + 5;
            g_assert_true(whole ||
                          hr_fixture_reports(&opened.fixture, HR_DIAG_ARCHIVE_DAMAGED) == 1);
        }
        opened_clear(&opened);
    }
    g_free(packed.bytes);
}

static void test_no_archive(void)
{
    static const char *const texts[] = {"heap_v2/1\n  t*: 1: 1 [0: 0]\n", "\x1f\x8b", "PK\x03\x04"};
    for (size_t i = 0; i < G_N_ELEMENTS(texts); i++) {
        struct opened opened;
        open_bytes(&opened, texts[i], strlen(texts[i]));
        g_assert_error(opened.error, HR_ERROR, HR_ERROR_INPUT);
        g_assert_nonnull(strstr(opened.error->message, "no directory, tar or zip archive"));
        opened_clear(&opened);
    }
}

static void test_missing(void)
{
    struct opened opened;
    HR_AUTO(hr_diagnostics) diagnostics = hr_diagnostics_new();
    GError *error = NULL;
    g_assert_null(
        hr_archive_new("/nonexistent/archive", -1, hr_limits_default(), diagnostics, &error));
    g_assert_error(error, HR_ERROR, HR_ERROR_INPUT);
    g_clear_error(&error);
    open_bytes(&opened, "", 0);
    g_assert_true(opened.error || hr_archive_members(opened.archive)->len == 0);
    opened_clear(&opened);
}

static void put(GByteArray *out, uint32_t value, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++) {
        const guint8 byte = (guint8)(value >> (8 * i));
        g_byte_array_append(out, &byte, 1);
    }
}

// A zip with one stored member "a" that holds "x", and a DOS time.
static GByteArray *make_zip(uint16_t dos_time, uint16_t dos_date)
{
    GByteArray *zip = g_byte_array_new();
    const uint32_t crc = 0x8cdc1683; // of "x"
    for (unsigned directory = 0; directory <= 1; directory++) {
        put(zip, directory ? 0x02014b50 : 0x04034b50, 4);
        if (directory) {
            put(zip, 20, 2);
        }
        put(zip, 10, 2);
        put(zip, 0, 2);
        put(zip, 0, 2);
        put(zip, dos_time, 2);
        put(zip, dos_date, 2);
        put(zip, crc, 4);
        put(zip, 1, 4);
        put(zip, 1, 4);
        put(zip, 1, 2);
        put(zip, 0, 2);
        for (unsigned i = 0; directory && i < 14; i++) {
            put(zip, 0, 1);
        }
        g_byte_array_append(zip, (const guint8 *)"ax", directory ? 1 : 2);
    }
    put(zip, 0x06054b50, 4);
    put(zip, 0, 4);
    put(zip, 1, 2);
    put(zip, 1, 2);
    put(zip, 47, 4);
    put(zip, 32, 4);
    put(zip, 0, 2);
    return zip;
}

static double zip_time(uint16_t dos_time, uint16_t dos_date)
{
    struct opened opened;
    g_autoptr(GByteArray) zip = make_zip(dos_time, dos_date);
    open_bytes(&opened, (const char *)zip->data, zip->len);
    expect_members(&opened, "a=x");
    const double time =
        g_array_index(hr_archive_members(opened.archive), struct hr_member, 0).modified_at_s;
    opened_clear(&opened);
    return time;
}

// A zip without Unix times has those of a wall clock somewhere: the same ones wherever it is read.
static void test_zip_times(void)
{
    const uint16_t date = (2026 - 1980) << 9 | 12 << 5 | 1;
    const uint16_t time = 21 << 11;
    g_autofree char *zone = g_strdup(g_getenv("TZ"));
    static const char *const zones[] = {"UTC", "EST5EDT", "Pacific/Auckland", ":no such zone"};
    for (size_t i = 0; i < G_N_ELEMENTS(zones); i++) {
        g_setenv("TZ", zones[i], TRUE);
        tzset();
        g_assert_cmpfloat(zip_time(time, date), ==, TIME_S);
        g_assert_cmpstr(g_getenv("TZ"), ==, zones[i]);
    }
    // No day of any calendar: whatever comes out is a time or unknown, and the member is there.
    g_assert_false(isinf(zip_time(0xffff, 0xffff)));
    g_assert_false(isinf(zip_time(0, 0)));
    if (zone) {
        g_setenv("TZ", zone, TRUE);
    } else {
        g_unsetenv("TZ");
    }
    tzset();
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    for (size_t i = 0; i < G_N_ELEMENTS(KINDS); i++) {
        g_autofree char *whole = g_strconcat("/ingest/archive/whole/", KINDS[i].title, NULL);
        g_autofree char *cut = g_strconcat("/ingest/archive/cut/", KINDS[i].title, NULL);
        g_test_add_data_func(whole, GSIZE_TO_POINTER(i), test_kind);
        g_test_add_data_func(cut, GSIZE_TO_POINTER(i), test_cut);
    }
    g_test_add_func("/ingest/archive/hostile-names", test_hostile_names);
    g_test_add_func("/ingest/archive/links-and-devices", test_links_and_devices);
    g_test_add_func("/ingest/archive/last-of-one-path", test_last_of_one_path);
    g_test_add_func("/ingest/archive/sparse", test_sparse);
    g_test_add_func("/ingest/archive/sparse-bomb", test_sparse_bomb);
    g_test_add_func("/ingest/archive/bomb", test_bomb);
    g_test_add_func("/ingest/archive/no-archive", test_no_archive);
    g_test_add_func("/ingest/archive/missing", test_missing);
    g_test_add_func("/ingest/archive/zip-times", test_zip_times);
    return g_test_run();
}
