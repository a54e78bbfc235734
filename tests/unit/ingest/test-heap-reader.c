// SPDX-License-Identifier: MIT
#include "fixture.h"
#include "ingest/feed.h"
#include "ingest/heap_reader.h"

#include <string.h>

#define MAP "\nMAPPED_LIBRARIES:\n400000-401000 r-xp 00000000 fe:00 7   /srv/app\n"

struct expected {
    const char *title;
    const char *content;
    enum hr_dump_note note;
    const char *detail;
    uint64_t interval;
    size_t rows;
    uint64_t objects; // sums over rows
    uint64_t bytes;
    unsigned skipped;
    unsigned leading;
};

static const struct expected CASES[] = {
    {"whole",
     "heap_v2/524288\n  t*: 3: 30 [9: 90]\n  t0: 3: 30 [9: 90]\n@ 0x1 0x2\n  t*: 3: 30 [9: 90]\n  "
     "t0: 3: 30 [9: 90]\n" MAP,
     HR_DUMP_NOTE_NONE, NULL, 524288, 1, 3, 30, 0, 0},
    {"no map", "heap_v2/1\n  t*: 3: 30 [0: 0]\n@ 0x1\n  t*: 3: 30 [0: 0]\n", HR_DUMP_NOTE_NONE,
     NULL, 1, 1, 3, 30, 0, 0},
    {"no stack recorded", "heap_v2/1\n  t*: 3: 30 [0: 0]\n@\n  t*: 3: 30 [0: 0]\n" MAP,
     HR_DUMP_NOTE_NONE, NULL, 1, 1, 3, 30, 0, 0},
    {"equal lines add up",
     "heap_v2/1\n  t*: 3: 30 [0: 0]\n@ 0x1\n  t*: 1: 10 [0: 0]\n@ 0x2\n  t*: 5: 5 [0: 0]\n@ 0x1\n  "
     "t*: 2: 20 [0: 0]\n" MAP,
     HR_DUMP_NOTE_NONE, NULL, 1, 2, 8, 35, 0, 0},
    {"spellings of one stack",
     "heap_v2/1\n  t*: 3: 30 [0: 0]\n@ 0xab 0x2\n  t*: 1: 1 [0: 0]\n@ 0XAB 0x2 \n  t*: 1: 1 [0: "
     "0]\n@  0x00ab\t0x2\r\n  t*: 1: 1 [0: 0]\n@ ab 2\n  t*: 1: 1 [0: 0]\n" MAP,
     HR_DUMP_NOTE_NONE, NULL, 1, 1, 4, 4, 0, 0},
    {"blanks at line ends",
     "heap_v2/8 \r\n  t*: 3: 30 [0: 0] \n@ 0x1  \n\tt*:  3 : 30  [ 0:0 ]\r\n" MAP,
     HR_DUMP_NOTE_NONE, NULL, 8, 1, 3, 30, 0, 0},
    {"threads and forks' lines never add",
     "heap_v2/1\n  t*: 3: 30 [0: 0]\n  t100000: 9: 9 [0: 0] a t*: 1: 1 [0: 0]\n@ 0x1\n  t*: 3: 30 "
     "[0: 0]\n  f: 7: 7\n  t7: 9: 9 [0: 0]\n  x*: 1: 1 [0: 0]\n" MAP,
     HR_DUMP_NOTE_NONE, NULL, 1, 1, 3, 30, 0, 0},
    {"samples and bins of ClickHouse's fork",
     "heap_v2/1\n  t*: 3: 30 [0: 0]\n  t7: 3: 30 [0: 0]\n@ 0x1\n  t*: 3: 30 [0: 0]\n"
     "  t7: 3: 30 [0: 0]\n  f: 52000000 10 16 1 4 7\n  f: 0 10 16 1 4 7\n"
     "frag_util: 4 1 16 4096 256 1 9 80 3\nfrag_util: 4 2 32 4096 128 1 2 40 1\n" MAP,
     HR_DUMP_NOTE_NONE, NULL, 1, 1, 3, 30, 0, 0},
    {"nothing sampled", "heap_v2/524288\n  t*: 0: 0 [0: 0]\n" MAP, HR_DUMP_NOTE_NONE, NULL, 524288,
     0, 0, 0, 0, 0},
    {"largest rate",
     "heap_v2/9223372036854775808\n  t*: 1: 1 [0: 0]\n@ 0xffffffffffffffff\n  t*: 1: 1 [0: "
     "0]\n" MAP,
     HR_DUMP_NOTE_NONE, NULL, 9223372036854775808U, 1, 1, 1, 0, 0},
    {"rate 0", "heap_v2/0\n  t*: 1: 1 [0: 0]\n@ 0x1\n  t*: 1: 1 [0: 0]\n" MAP, HR_DUMP_NOTE_NONE,
     NULL, 0, 1, 1, 1, 0, 0},
    {"rate is no number", "heap_v2/abc\n  t*: 1: 1 [0: 0]\n@ 0x1\n  t*: 1: 1 [0: 0]\n",
     HR_DUMP_NOTE_MALFORMED, "heap_v2/", 0, 0, 0, 0, 0, 0},
    {"rate too large", "heap_v2/18446744073709551616\n", HR_DUMP_NOTE_MALFORMED, "heap_v2/", 0, 0,
     0, 0, 0, 0},
    {"rate missing", "heap_v2/\n", HR_DUMP_NOTE_MALFORMED, "heap_v2/", 0, 0, 0, 0, 0, 0},
    {"leading lines",
     "<jemalloc>: a\n\n<jemalloc>: b\nheap_v2/1\n  t*: 1: 1 [0: 0]\n@ 0x1\n  t*: 1: 1 [0: 0]\n" MAP,
     HR_DUMP_NOTE_NONE, NULL, 1, 1, 1, 1, 0, 3},
    {"cut in an address", "heap_v2/1\n  t*: 3: 30 [0: 0]\n@ 0x1\n  t*: 1: 10 [0: 0]\n@ 0x2 0x",
     HR_DUMP_NOTE_CUT, NULL, 1, 1, 1, 10, 0, 0},
    {"cut in a count",
     "heap_v2/1\n  t*: 3: 30 [0: 0]\n@ 0x1\n  t*: 1: 10 [0: 0]\n@ 0x2\n  t*: 1: 2",
     HR_DUMP_NOTE_CUT, NULL, 1, 1, 1, 10, 0, 0},
    {"cut behind a stack line", "heap_v2/1\n  t*: 3: 30 [0: 0]\n@ 0x1\n  t*: 1: 10 [0: 0]\n@ 0x2\n",
     HR_DUMP_NOTE_CUT, NULL, 1, 1, 1, 10, 0, 0},
    {"cut in a thread line", "heap_v2/1\n  t*: 3: 30 [0: 0]\n@ 0x1\n  t*: 1: 10 [0: 0]\n  t0: 1",
     HR_DUMP_NOTE_CUT, NULL, 1, 1, 1, 10, 0, 0},
    {"cut in the header", "heap_v2/52", HR_DUMP_NOTE_CUT, NULL, 0, 0, 0, 0, 0, 0},
    {"cut behind the header", "heap_v2/52\n", HR_DUMP_NOTE_CUT, NULL, 52, 0, 0, 0, 0, 0},
    {"cut in the map",
     "heap_v2/1\n  t*: 3: 30 [0: 0]\n@ 0x1\n  t*: 1: 10 [0: 0]\n\nMAPPED_LIBRARIES:\n4000",
     HR_DUMP_NOTE_NONE, NULL, 1, 1, 1, 10, 0, 0},
    {"empty", "", HR_DUMP_NOTE_EMPTY, NULL, 0, 0, 0, 0, 0, 0},
    {"text", "hello\n", HR_DUMP_NOTE_FOREIGN, NULL, 0, 0, 0, 0, 0, 0},
    {"growth", "heap profile: 1: 8 [ 1: 8] @ growthz\n", HR_DUMP_NOTE_FOREIGN,
     "gperftools growth profile", 0, 0, 0, 0, 0, 0},
    {"Go", "heap profile: 1: 8 [ 1: 8] @ heap/1048576\n", HR_DUMP_NOTE_FOREIGN, "Go heap profile",
     0, 0, 0, 0, 0, 0},
    {"gperftools",
     "heap profile:    144:  8498176 [   144:  8498176] @ heapprofile\n     1: 2 [1: 2] @ 0x1\n"
     "   143: 8498174 [143: 8498174] @ 0x1 0x2\n\n" MAP,
     HR_DUMP_NOTE_NONE, NULL, 1, 2, 144, 8498176, 0, 0},
    {"tcmalloc", "heap profile: 1: 8 [ 1: 8] @ heapz_v2/524288\n1: 8 [1: 8] @ 0x1 0x2\n" MAP,
     HR_DUMP_NOTE_NONE, NULL, 524288, 1, 1, 8, 0, 0},
    {"one line, every allocation",
     "heap profile: 1: 8 [ 1: 8] @ heap_v2/1\n1: 8 [1: 8] @ 0x1\n" MAP, HR_DUMP_NOTE_NONE, NULL, 1,
     1, 1, 8, 0, 0},
    {"one line, cut", "heap profile: 2: 8 [ 2: 8] @ heapprofile\n1: 4 [1: 4] @ 0x1\n1: 4 [1: 4] @",
     HR_DUMP_NOTE_CUT, NULL, 1, 1, 1, 4, 0, 0},
    {"one line, odd lines",
     "heap profile: 2: 8 [ 2: 8] @ heapprofile\n1: 4 [1: 4]\n1: 4 [1: 4] @ 0x1\n-1: 4 [1: 4] @ "
     "0x1\n"
     "1: 4 [1: 4] @ x\n" MAP,
     HR_DUMP_NOTE_NONE, NULL, 1, 1, 1, 4, 3, 0},
    {"one line, no interval", "heap profile: 2: 8 [ 2: 8] @ heapz_v2/\n", HR_DUMP_NOTE_FOREIGN,
     "one-line heap profile", 0, 0, 0, 0, 0, 0},
    {"symbolized", "--- symbol\nbinary=/srv/app\n", HR_DUMP_NOTE_FOREIGN, "symbolized profile", 0,
     0, 0, 0, 0, 0},
    {"java", "JAVA PROFILE 1.0.2", HR_DUMP_NOTE_FOREIGN, "Java heap dump", 0, 0, 0, 0, 0, 0},
    {"count that overflows",
     "heap_v2/1\n  t*: 3: 30 [0: 0]\n@ 0x1\n  t*: 99999999999999999999: 10 [0: 0]\n@ 0x2\n  t*: 1: "
     "1 [0: 0]\n" MAP,
     HR_DUMP_NOTE_NONE, NULL, 1, 1, 1, 1, 2, 0},
    {"live bytes that wrapped below zero",
     "heap_v2/1\n  t*: 3: 30 [0: 0]\n@ 0x1\n  t*: 1: 18446744073709551615 [0: 0]\n@ 0x1\n  t*: 1: "
     "10 [0: 0]\n" MAP,
     HR_DUMP_NOTE_NONE, NULL, 1, 1, 1, 10, 2, 0},
    {"live objects that wrapped below zero",
     "heap_v2/1\n  t*: 18446744073709551615: 30 [0: 0]\n@ 0x1\n  t*: 144115188075855873: 8 [0: "
     "0]\n@ 0x2\n  t*: 1: 144115188075855872 [0: 18446744073709551615]\n" MAP,
     HR_DUMP_NOTE_NONE, NULL, 1, 1, 1, 144115188075855872U, 3, 0},
    {"no address",
     "heap_v2/1\n  t*: 3: 30 [0: 0]\n@ 0x1 main\n  t*: 1: 1 [0: 0]\n@ 0x2\n  t*: 1: 1 [0: 0]\n" MAP,
     HR_DUMP_NOTE_NONE, NULL, 1, 1, 1, 1, 1, 0},
    {"address above 64 bits",
     "heap_v2/1\n  t*: 3: 30 [0: 0]\n@ 0x10000000000000000\n  t*: 1: 1 [0: 0]\n" MAP,
     HR_DUMP_NOTE_NONE, NULL, 1, 0, 0, 0, 1, 0},
    {"other lines",
     "heap_v2/1\n  t*: 3: 30 [0: 0]\nwhat\n@ 0x1\n  t*: 1: 1 [0: 0]\nheap_v2/7\n" MAP,
     HR_DUMP_NOTE_NONE, NULL, 1, 1, 1, 1, 2, 0},
};

static void check_case(const struct expected *expected, const struct hr_heap_dump *dump)
{
    uint64_t objects = 0;
    uint64_t bytes = 0;
    g_test_message("%s", expected->title);
    g_assert_cmpint(dump->note, ==, expected->note);
    g_assert_cmpstr(dump->note_detail, ==, expected->detail);
    g_assert_cmpuint(dump->sample_interval_bytes, ==, expected->interval);
    g_assert_cmpuint(dump->rows_count, ==, expected->rows);
    for (size_t i = 0; i < dump->rows_count; i++) {
        objects += dump->rows[i].objects;
        bytes += dump->rows[i].bytes;
    }
    g_assert_cmpuint(objects, ==, expected->objects);
    g_assert_cmpuint(bytes, ==, expected->bytes);
    g_assert_cmpuint(dump->skipped_lines, ==, expected->skipped);
    g_assert_cmpuint(dump->leading_lines, ==, expected->leading);
    g_assert_cmpuint(dump->size_bytes, ==, strlen(expected->content));
}

static void read_file(struct hr_heap_reader *reader, const char *path, bool with_map,
                      struct hr_row_buffer *rows, struct hr_heap_dump *dump)
{
    struct hr_stream stream;
    const bool opened = hr_stream_open_file(&stream, path, NULL);
    g_assert_true(opened);
    hr_heap_reader_read(reader, &stream, with_map, rows, dump);
    hr_stream_close(&stream);
}

// Twice with one reader: what it has learned must not change what it reads.
static void test_cases(void)
{
    struct hr_fixture fixture;
    hr_fixture_init(&fixture);
    HR_AUTO(hr_heap_reader) reader = hr_heap_reader_new();
    struct hr_row_buffer rows = {0};
    g_autofree char *path = g_build_filename(fixture.directory, "a.heap", NULL);
    for (size_t i = 0; i < 2 * G_N_ELEMENTS(CASES); i++) {
        const struct expected *expected = &CASES[i / 2];
        struct hr_heap_dump dump;
        hr_fixture_add(&fixture, "a.heap", expected->content, 0);
        read_file(reader, path, i % 2, &rows, &dump);
        check_case(expected, &dump);
    }
    g_free(rows.rows);
    hr_fixture_clear(&fixture);
}

// Cut at every byte, a dump gives the rows whose counts are complete, and never more.
static void test_every_cut(void)
{
    static const char whole[] =
        "heap_v2/1\n  t*: 6: 6 [0: 0]\n@ 0x1 0x2\n  t*: 1: 1 [0: 0]\n  t0: 1: 1 [0: 0]\n"
        "@ 0x3\n  t*: 2: 2 [0: 0]\n@ 0x1\n  t*: 3: 3 [0: 0]\n" MAP;
    struct hr_fixture fixture;
    hr_fixture_init(&fixture);
    HR_AUTO(hr_heap_reader) reader = hr_heap_reader_new();
    struct hr_row_buffer rows = {0};
    g_autofree char *path = g_build_filename(fixture.directory, "a.heap", NULL);
    size_t rows_before = 0;
    for (size_t length = 1; length < sizeof whole; length++) {
        struct hr_heap_dump dump;
        hr_fixture_add_bytes(&fixture, "a.heap", whole, length, 0);
        read_file(reader, path, true, &rows, &dump);
        g_assert_cmpuint(dump.rows_count, >=, rows_before);
        g_assert_cmpuint(dump.rows_count, <=, 3);
        g_assert_cmpuint(dump.skipped_lines, ==, 0);
        rows_before = dump.rows_count;
        for (size_t i = 0; i < dump.rows_count; i++) {
            g_assert_cmpuint(dump.rows[i].objects, ==, i + 1);
        }
    }
    g_assert_cmpuint(rows_before, ==, 3);
    g_free(rows.rows);
    hr_fixture_clear(&fixture);
}

// Lines that cross the edges of chunks, in files of several chunks.
static void test_chunks(void)
{
    struct hr_fixture fixture;
    hr_fixture_init(&fixture);
    HR_AUTO(hr_heap_reader) reader = hr_heap_reader_new();
    struct hr_row_buffer rows = {0};
    g_autofree char *path = g_build_filename(fixture.directory, "a.heap", NULL);
    g_autoptr(GString) content = g_string_new("heap_v2/1\n  t*: 1: 1 [0: 0]\n");
    const unsigned stacks = 30000;
    for (unsigned i = 0; i < stacks; i++) {
        g_string_append_printf(content, "@ 0x7f%08x 0x55%06x\n  t*: %u: %u [0: 0]\n", i * 7, i,
                               i + 1, i * 3);
    }
    g_string_append(content, MAP);
    g_assert_cmpuint(content->len, >, 4 * HR_FEED_CHUNK_BYTES);
    hr_fixture_add(&fixture, "a.heap", content->str, 0);
    for (int pass = 0; pass < 2; pass++) {
        struct hr_heap_dump dump;
        read_file(reader, path, true, &rows, &dump);
        g_assert_cmpuint(dump.rows_count, ==, stacks);
        for (unsigned i = 0; i < stacks; i++) {
            g_assert_cmpuint(dump.rows[i].stack, ==, i);
            g_assert_cmpuint(dump.rows[i].objects, ==, i + 1);
            g_assert_cmpuint(dump.rows[i].bytes, ==, i * 3);
        }
        g_assert_nonnull(strstr(dump.map_text, "/srv/app\n"));
    }
    g_free(rows.rows);
    hr_fixture_clear(&fixture);
}

static void test_line_limit(void)
{
    struct hr_fixture fixture;
    hr_fixture_init(&fixture);
    HR_AUTO(hr_heap_reader) reader = hr_heap_reader_new();
    struct hr_row_buffer rows = {0};
    g_autofree char *path = g_build_filename(fixture.directory, "a.heap", NULL);
    g_autoptr(GString) content =
        g_string_new("heap_v2/1\n  t*: 2: 2 [0: 0]\n@ 0x1\n  t*: 1: 1 [0: 0]\n@");
    while (content->len < 4 * HR_FEED_LINE_MAX_BYTES) {
        g_string_append(content, " 0x55f6c2b12ff6");
    }
    g_string_append(content, "\n  t*: 1: 1 [0: 0]\n" MAP);
    hr_fixture_add(&fixture, "a.heap", content->str, 0);
    struct hr_heap_dump dump;
    read_file(reader, path, true, &rows, &dump);
    g_assert_cmpint(dump.note, ==, HR_DUMP_NOTE_CUT);
    g_assert_cmpuint(dump.rows_count, ==, 1);
    g_free(rows.rows);
    hr_fixture_clear(&fixture);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/heap-reader/cases", test_cases);
    g_test_add_func("/heap-reader/every-cut", test_every_cut);
    g_test_add_func("/heap-reader/chunks", test_chunks);
    g_test_add_func("/heap-reader/line-limit", test_line_limit);
    return g_test_run();
}
