// SPDX-License-Identifier: MIT
#include "base/format.h"

#include <locale.h>
#include <math.h>

#define KIB 1024.0
#define MIB (1024.0 * 1024.0)
#define GIB (1024.0 * 1024.0 * 1024.0)

static const struct {
    const char *key;
    double value;
    const char *text;
} PLAIN[] = {
    {"live_bytes", 96.4 * MIB, "96.4 MiB"},
    {"growth_bytes", 96.4 * MIB, "+96.4 MiB"},
    {"growth_bytes", -96.4 * MIB, "\u221296.4 MiB"},
    {"growth_flat_bytes", 2.5 * KIB, "+2.50 KiB"},
    {"thirds_growth_bytes", 0, "0 B"},
    {"bytes", 8 * MIB, "8 MiB"},
    {"floor_bytes", MIB, "1 MiB"},
    {"from_bytes", 20 * KIB, "20 KiB"},
    {"live_bytes", 8 * MIB + 5000, "8.00 MiB"},
    {"live_bytes", 0, "0 B"},
    {"live_bytes", 0.4, "0 B"},
    {"live_bytes", 999, "999 B"},
    {"live_bytes", 1000, "0.977 KiB"},
    {"live_bytes", 999.4 * KIB, "999 KiB"},
    {"live_bytes", 999.6 * KIB, "0.976 MiB"},
    {"live_bytes", 9.996 * MIB, "10.0 MiB"},
    {"live_bytes", 99.96 * MIB, "100 MiB"},
    {"live_bytes", 3.7 * GIB, "3.70 GiB"},
    {"live_bytes", 1234.0 * 1024 * GIB, "1\u202f234 TiB"},
    {"live_bytes", NAN, "\u2014"},
    {"live_bytes", INFINITY, "\u2014"},
    {"growth_bytes_low", -2.0 * MIB - 9000, "\u22122.01 MiB"},
    {"rate_bytes_per_hour", 7.14 * MIB, "+7.14 MiB/h"},
    {"rate_bytes_per_hour", -512, "\u2212512 B/h"},
    {"limit_bytes_per_hour", 7.14 * MIB, "7.14 MiB/h"},
    {"live_objects", 12480, "12\u202f500"},
    {"live_count", 12480, "12\u202f480"},
    {"live_count", 1234567, "1\u202f234\u202f567"},
    {"live_objects", 1234567, "1\u202f230\u202f000"},
    {"count", 7, "7"},
    {"dumps_count", 999, "999"},
    {"growth_objects", 12, "+12"},
    {"growth_objects", 0, "0"},
    {"share_ratio", 0.81, "81 %"},
    {"share_ratio", 1.024, "102 %"},
    {"share_ratio", 0.07, "7 %"},
    {"share_ratio", 0.042, "4.2 %"},
    {"share_ratio", 0, "0 %"},
    {"share_ratio", 1, "100 %"},
    {"share_ratio", 0.0001, "<0.1 %"},
    {"share_ratio", 0.9999, ">99 %"},
    {"growth_ratio", 0.14, "+14 %"},
    {"no_growth_floor_bytes", 8 * MIB, "8 MiB"},
    {"duration_s", 13 * 3600 + 40 * 60, "13 h 40 min"},
    {"duration_s", 13 * 3600 + 39 * 60 + 50, "13 h 40 min"},
    {"duration_s", 3599.7, "1 h"},
    {"duration_s", 59.7, "1 min"},
    {"duration_s", 0, "0 s"},
    {"duration_s", 0.25, "0.250 s"},
    {"duration_s", 4.24, "4.2 s"},
    {"duration_s", 42, "42 s"},
    {"duration_s", 750, "12 min 30 s"},
    {"duration_s", 24 * 3600, "24 h"},
    {"duration_s", 76 * 3600, "3 d 4 h"},
    {"duration_s", -750, "\u221212 min 30 s"},
    {"taken_time", 1796159160, "2026-12-01 21:06:00 UTC"},
    {"generated_time", 0, "1970-01-01 00:00:00 UTC"},
    {"taken_time", 1e300, "\u2014"},
    {"plain", 3.3, "3.30"},
    {"plain", 14, "14"},
};

static const struct {
    const char *text;
    bool is_gap; // at its first blank
} GAPS[] = {
    {"105 % of it", true}, {"96.4 MiB", true},   {"21:06:05 UTC", true}, {"26 seconds", false},
    {"3 dumps", false},    {"takes 5 s", false}, {" s", false},          {"x 5", false},
    {"13 h 40 min", true}, {"427 to 487", true}, {"2 MiBs", false},      {"30 s.", true},
};

static void test_unit_gaps(void)
{
    for (size_t i = 0; i < G_N_ELEMENTS(GAPS); i++) {
        g_assert_true(hr_format_is_unit_gap(GAPS[i].text, strchr(GAPS[i].text, ' ')) ==
                      GAPS[i].is_gap);
    }
}

static void test_plain(void)
{
    for (size_t i = 0; i < G_N_ELEMENTS(PLAIN); i++) {
        g_autoptr(GString) out = g_string_new(NULL);
        hr_format_append(out, PLAIN[i].key, PLAIN[i].value);
        g_assert_cmpstr(out->str, ==, PLAIN[i].text);
    }
}

static const struct {
    const char *key;
    struct hr_estimate estimate;
    bool significant;
    const char *text;
} ESTIMATES[] = {
    {"growth_bytes", {96.4 * MIB, 85.2 * MIB, 107 * MIB}, true, "+96 MiB (85 to 107)"},
    {"growth_bytes", {1.2 * MIB, -0.4 * MIB, 2.8 * MIB}, false, "≈+1.2 MiB (\u22120.4 to 2.8)"},
    {"growth_bytes", {0, -11 * MIB, 11 * MIB}, false, "≈0 MiB (\u221211 to 11)"},
    {"live_bytes", {964 * MIB, 963.8 * MIB, 964.2 * MIB}, true, "964 MiB"},
    {"live_bytes", {900 * MIB, 700 * MIB, 1100 * MIB}, true, "900 MiB (700 to 1\u202f100)"},
    {"live_bytes", {300, 250.5, 350.5}, true, "300 B (251 to 351)"},
    {"rate_bytes_per_hour", {7.1 * MIB, 6.3 * MIB, 7.9 * MIB}, true, "+7.10 MiB/h (6.30 to 7.90)"},
    {"live_objects", {12480, 11000, 14000}, true, "12\u202f500 (11\u202f000 to 14\u202f000)"},
    {"growth_bytes", {5 * MIB, 5 * MIB, 5 * MIB}, true, "+5 MiB"},
    {"growth_bytes", {5 * MIB, NAN, NAN}, false, "≈+5 MiB"},
    {"growth_bytes", {NAN, NAN, NAN}, false, "\u2014"},
    {"duration_s", {60, 50, 70}, true, "1 min"},
};

static void test_estimates(void)
{
    for (size_t i = 0; i < G_N_ELEMENTS(ESTIMATES); i++) {
        g_autoptr(GString) out = g_string_new(NULL);
        hr_format_append_estimate(out, ESTIMATES[i].key, ESTIMATES[i].estimate,
                                  ESTIMATES[i].significant);
        g_assert_cmpstr(out->str, ==, ESTIMATES[i].text);
    }
}

static void test_signed_keys(void)
{
    static const char *const SIGNED[] = {"growth_bytes",   "rate_bytes_per_hour",
                                         "growth_objects", "thirds_growth_bytes",
                                         "growth",         "rate"};
    static const char *const UNSIGNED[] = {"generated_time", "duration_s", "live_bytes",
                                           "share_ratio", "regrowths_count"};
    for (size_t i = 0; i < G_N_ELEMENTS(SIGNED); i++) {
        g_assert_true(hr_format_key_is_signed(SIGNED[i]));
    }
    for (size_t i = 0; i < G_N_ELEMENTS(UNSIGNED); i++) {
        g_assert_false(hr_format_key_is_signed(UNSIGNED[i]));
    }
}

static const struct {
    const char *key;
    enum hr_unit unit;
} KEY_UNITS[] = {
    {"growth_bytes", HR_UNIT_BYTES},
    {"bytes_low", HR_UNIT_BYTES},
    {"live_bytes_high", HR_UNIT_BYTES},
    {"rate_bytes_per_hour", HR_UNIT_BYTES_PER_HOUR},
    {"rate_bytes_per_hour_low", HR_UNIT_BYTES_PER_HOUR},
    {"count", HR_UNIT_INTEGER},
    {"live_objects", HR_UNIT_OBJECTS},
    {"named_ratio", HR_UNIT_RATIO},
    {"wait_s", HR_UNIT_SECONDS},
    {"taken_time", HR_UNIT_TIME},
    {"file", HR_UNIT_NONE},
    {"trend_z", HR_UNIT_NONE},
    {"class", HR_UNIT_NONE},
    {"megabytes", HR_UNIT_NONE},
    {"low", HR_UNIT_NONE},
};

static void test_key_units(void)
{
    for (size_t i = 0; i < G_N_ELEMENTS(KEY_UNITS); i++) {
        g_assert_cmpint(hr_format_key_unit(KEY_UNITS[i].key), ==, KEY_UNITS[i].unit);
    }
}

static void test_rfc3339(void)
{
    g_autoptr(GString) out = g_string_new(NULL);
    hr_format_append_rfc3339(out, 1796159165.9);
    g_assert_cmpstr(out->str, ==, "2026-12-01T21:06:05Z");
}

// Most locales are not installed where tests run; de_DE is tried because its comma would show.
static void test_locale_is_ignored(void)
{
    if (!setlocale(LC_ALL, "de_DE.UTF-8")) {
        g_test_skip("locale de_DE.UTF-8 is not installed");
        return;
    }
    test_plain();
    setlocale(LC_ALL, "C");
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/format/unit-gaps", test_unit_gaps);
    g_test_add_func("/format/plain", test_plain);
    g_test_add_func("/format/estimates", test_estimates);
    g_test_add_func("/format/signed-keys", test_signed_keys);
    g_test_add_func("/format/key-units", test_key_units);
    g_test_add_func("/format/rfc3339", test_rfc3339);
    g_test_add_func("/format/locale-is-ignored", test_locale_is_ignored);
    return g_test_run();
}
