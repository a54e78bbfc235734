// SPDX-License-Identifier: MIT
// Profiles that are damaged or made to hurt, the wire format, and samples found again.
#include "fixture.h"
#include "ingest/pprof.h"
#include "ingest/unscale.h"
#include "model/sample.h"

#include <math.h>
#include <string.h>

static void test_wire_limits(void)
{
    static const struct {
        const char *bytes;
        size_t size;
        unsigned fields;
        bool broken;
    } cases[] = {
        {"", 0, 0, false},
        {"\x08\x01", 2, 1, false},
        {"\x08", 1, 0, true},                                              // no value
        {"\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 12, 0, true}, // a varint of 11 bytes
        {"\x0a\x05zz", 4, 0, true},                                    // longer than the message
        {"\x0a\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 11, 0, true}, // 2^64 - 1 bytes
        {"\x00\x01", 2, 0, true},                                      // field 0
        {"\x0b\x08\x01\x0c\x10\x01", 6, 1, false},                     // a group, then a field
        {"\x0b\x0b\x0b", 3, 0, true},                                  // groups without end
        {"\x0c", 1, 0, true},                                          // an end without group
        {"\x0e", 1, 0, true},                                          // type 6
        {"\x09\x01\x02", 3, 0, true},                                  // 8 bytes, cut
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        const uint8_t *bytes = (const uint8_t *)cases[i].bytes;
        struct hr_wire wire = {bytes, bytes + cases[i].size, false};
        struct hr_wire_field field;
        unsigned fields = 0;
        while (hr_wire_next(&wire, &field)) {
            fields++;
        }
        g_assert_cmpuint(fields, ==, cases[i].fields);
        g_assert_cmpint(wire.broken, ==, cases[i].broken);
    }
}

// Whatever was sampled is found again from what it was scaled to.
static void test_unscale(void)
{
    const uint64_t intervals[] = {32768, 524288, 8388608};
    const uint64_t sizes[] = {1, 16, 100, 4096, 40000, 524288, 3000000, 50000000};
    for (size_t r = 0; r < G_N_ELEMENTS(intervals); r++) {
        for (size_t s = 0; s < G_N_ELEMENTS(sizes); s++) {
            for (uint64_t objects = 1; objects < 2000; objects = objects * 3 + 1) {
                const struct hr_scaled scaled =
                    hr_sample_scale(objects, objects * sizes[s], intervals[r]);
                uint64_t found_objects;
                uint64_t found_bytes;
                g_assert_true(hr_unscale(round(scaled.objects), round(scaled.bytes), intervals[r],
                                         &found_objects, &found_bytes));
                g_assert_cmpuint(found_objects, ==, objects);
                const struct hr_scaled again =
                    hr_sample_scale(found_objects, found_bytes, intervals[r]);
                g_assert_cmpfloat_with_epsilon(again.bytes, scaled.bytes, 1.5);
            }
        }
    }
}

static void test_unscale_refuses(void)
{
    uint64_t objects;
    uint64_t bytes;
    // One object of 10 bytes at an interval of 512 KiB stands for some 512 KiB, never for 10 bytes.
    g_assert_false(hr_unscale(1, 10, 524288, &objects, &bytes));
    g_assert_true(hr_unscale(0, 0, 524288, &objects, &bytes));
    g_assert_cmpuint(bytes, ==, 0);
}

static void read_profile(const char *bytes, size_t size, bool *used, const char **detail)
{
    struct hr_fixture fixture;
    hr_fixture_init(&fixture);
    hr_fixture_add_bytes(&fixture, "a.heap", bytes, size, 0);
    hr_fixture_read(&fixture, true);
    *used = fixture.run->dumps_count > 0 && fixture.run->dumps[0].used;
    *detail = fixture.run->dumps_count > 0     ? fixture.run->dumps[0].note_detail
              : fixture.run->foreign_count > 0 ? fixture.run->foreign[0].note_detail
                                               : NULL;
    hr_fixture_clear(&fixture);
}

// Every cut, and every byte changed, of a good profile: an answer, and no crash.
static void test_damaged(void)
{
    g_autofree char *path = g_build_filename(HR_TESTDATA, "formats", "profile.pb", NULL);
    g_autofree char *good = NULL;
    gsize size;
    bool used;
    const char *detail;
    g_assert_true(g_file_get_contents(path, &good, &size, NULL));
    read_profile(good, size, &used, &detail);
    g_assert_true(used);
    unsigned refused = 0;
    for (gsize cut = 0; cut < size; cut++) {
        read_profile(good, cut, &used, &detail);
        refused += !used;
    }
    g_assert_cmpuint(refused, >, size / 2);
    for (gsize at = 0; at < size; at++) {
        g_autofree char *bad = g_memdup2(good, size);
        bad[at] = (char)(bad[at] ^ 0xff);
        read_profile(bad, size, &used, &detail);
    }
}

static void test_refused(void)
{
    bool used;
    const char *detail;
    // Seconds of a processor are no heap: sample type (1, 2) = ("cpu", "nanoseconds").
    static const char cpu[] = "\x0a\x04\x08\x01\x10\x02\x32\x00\x32\x03"
                              "cpu\x32\x0bnanoseconds";
    read_profile(cpu, sizeof cpu - 1, &used, &detail);
    g_assert_false(used);
    g_assert_cmpstr(detail, ==, "pprof profile of no heap");
    // ("space", "bytes") with a value of -1: a difference.
    static const char difference[] = "\x0a\x04\x08\x01\x10\x02\x32\x00\x32\x05space\x32\x05"
                                     "bytes\x22\x02\x08\x01\x12\x0d\x08\x01"
                                     "\x10\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01";
    read_profile(difference, sizeof difference - 1, &used, &detail);
    g_assert_false(used);
    g_assert_cmpstr(detail, ==, "pprof profile that is a difference of two");
}

// Bytes alone, without a count of objects: no samples can be found again, and this is told. With a
// count and an interval they are, and with values that were never scaled so they are not.
static void test_scaled_blindly(void)
{
    // ("space", "bytes"), one sample of 5 bytes in a stack of one location.
    static const char alone[] = "\x0a\x04\x08\x01\x10\x02\x12\x06\x0a\x01\x01\x12\x01\x05"
                                "\x22\x05\x08\x01\x18\x90\x20\x32\x00\x32\x05space\x32\x05"
                                "bytes";
    // ("objects", "count") too, a period of 512 KiB, one object of 10 bytes: it stood for more.
    static const char odd[] = "\x0a\x04\x08\x01\x10\x02\x0a\x04\x08\x03\x10\x04\x12\x07\x0a\x01"
                              "\x01\x12\x02\x0a\x01\x22\x05\x08\x01\x18\x90\x20\x32\x00\x32\x05"
                              "space\x32\x05"
                              "bytes\x32\x07objects\x32\x05"
                              "count\x5a\x04\x08\x01\x10\x02\x60\x80\x80\x20";
    const struct {
        const char *bytes;
        size_t size;
        double live_bytes;
    } cases[] = {{alone, sizeof alone - 1, 5}, {odd, sizeof odd - 1, 10}};
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        struct hr_fixture fixture;
        hr_fixture_init(&fixture);
        hr_fixture_add_bytes(&fixture, "a.heap", cases[i].bytes, cases[i].size, 0);
        hr_fixture_read(&fixture, true);
        g_assert_cmpuint(fixture.run->dumps_count, ==, 1);
        g_assert_cmpfloat(fixture.run->dumps[0].live_bytes, ==, cases[i].live_bytes);
        g_assert_cmpuint(fixture.run->dumps[0].sample_interval_bytes, ==, 1);
        g_assert_cmpuint(hr_fixture_reports(&fixture, HR_DIAG_PROFILE_SCALED_BLINDLY), ==, 1);
        g_assert_cmpuint(hr_fixture_reports(&fixture, HR_DIAG_PROFILE_SCALED), ==, 0);
        hr_fixture_clear(&fixture);
    }
}

static void test_recognise(void)
{
    g_assert_true(hr_pprof_recognise("\x0a\x04\x08\x01\x10\x02\x32\x00", 8));
    g_assert_false(hr_pprof_recognise("", 0));
    g_assert_false(hr_pprof_recognise("heap_v2/524288\n  t*: 1: 2 [0: 0]\n", 33));
    g_assert_false(hr_pprof_recognise("\n\n\n\n\n\n\n\n\n\n\n\n\n\n", 14));
    g_assert_false(hr_pprof_recognise("\n{\"a\": 1}\n", 10));
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/ingest/pprof/wire-limits", test_wire_limits);
    g_test_add_func("/ingest/pprof/unscale", test_unscale);
    g_test_add_func("/ingest/pprof/unscale-refuses", test_unscale_refuses);
    g_test_add_func("/ingest/pprof/damaged", test_damaged);
    g_test_add_func("/ingest/pprof/refused", test_refused);
    g_test_add_func("/ingest/pprof/scaled-blindly", test_scaled_blindly);
    g_test_add_func("/ingest/pprof/recognise", test_recognise);
    return g_test_run();
}
