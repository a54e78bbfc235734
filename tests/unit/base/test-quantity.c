// SPDX-License-Identifier: MIT
#include "base/quantity.h"

struct sample {
    const char *text;
    double value; // negative: refused
};

typedef bool (*read_function)(const char *text, double *value, GError **error);

static void check(const struct sample *samples, read_function read)
{
    for (const struct sample *sample = samples; sample->text; sample++) {
        g_autoptr(GError) error = NULL;
        double value = -1;
        const bool accepted = read(sample->text, &value, &error);
        g_test_message("%s", sample->text);
        g_assert_cmpint(accepted, ==, sample->value >= 0);
        g_assert_cmpfloat(value, ==, sample->value);
        if (!accepted) {
            g_assert_error(error, HR_ERROR, HR_ERROR_USAGE);
            g_assert_nonnull(strstr(error->message, sample->text));
        }
    }
}

static void test_sizes(void)
{
    static const struct sample samples[] = {
        {"0", 0},          {"4096", 4096},   {"8MiB", 8388608},
        {"8M", 8388608},   {"8MB", 8000000}, {"1.5 GiB", 0x1.8p30},
        {"1KiB", 1024},    {"2T", 0x1p41},   {"10 B", 10},
        {"0.3", 0},        {"", -1},         {"MiB", -1},
        {"-1", -1},        {"+1", -1},       {"8mib", -1},
        {"8 MiBs", -1},    {"1e6", -1},      {"0x10", -1},
        {"inf", -1},       {"nan", -1},      {"8,5MiB", -1},
        {"1.", -1},        {".5", -1},       {"99999999T", -1},
        {"8MiB 4KiB", -1}, {" 8MiB", -1},    {NULL, 0},
    };
    check(samples, hr_quantity_read_size);
}

static void test_durations(void)
{
    static const struct sample samples[] = {
        {"30", 30},      {"90s", 90},    {"5m", 300},     {"12h", 43200}, {"1h30m", 5400},
        {"250ms", 0.25}, {"2d", 172800}, {"1.5 h", 5400}, {"5min", 300},  {"0s", 0},
        {"", -1},        {"h", -1},      {"5x", -1},      {"-5m", -1},    {"1h30", -1},
        {"5m!", -1},     {"inf", -1},    {"1 2", -1},     {NULL, 0},
    };
    check(samples, hr_quantity_read_duration);
}

static void test_times(void)
{
    static const struct sample samples[] = {
        {"2026-12-01T21:06:05Z", 1796159165},
        {"2026-12-01T22:06:05+01:00", 1796159165},
        {"2026-12-01T21:06:05.250Z", 1796159165.25},
        {"@1796159165.5", 1796159165.5},
        {"@0", 0},
        {"2026-12-01T21:06:05", -1}, // whose clock?
        {"2026-12-01", -1},
        {"2026-13-01T21:06:05Z", -1},
        {"@-1", -1},
        {"@", -1},
        {"yesterday", -1},
        {"", -1},
        {NULL, 0},
    };
    check(samples, hr_quantity_read_time);
}

static void test_counts(void)
{
    uint64_t count = 7;
    g_assert_true(hr_quantity_read_count("1", 1, 10, &count, NULL));
    g_assert_cmpuint(count, ==, 1);
    static const char *const refused[] = {
        "0", "11", "-1", "+1", " 1", "1 ", "", "0x1", "1.0", "ten", "18446744073709551616"};
    for (size_t i = 0; i < G_N_ELEMENTS(refused); i++) {
        g_autoptr(GError) error = NULL;
        g_assert_false(hr_quantity_read_count(refused[i], 1, 10, &count, &error));
        g_assert_error(error, HR_ERROR, HR_ERROR_USAGE);
    }
    g_assert_cmpuint(count, ==, 1);
}

static void test_numbers(void)
{
    static const struct sample samples[] = {
        {"0.25", 0.25}, {"3", 3}, {"3,5", -1}, {"-0.5", -1}, {"1e3", -1}, {"", -1}, {NULL, 0},
    };
    check(samples, hr_quantity_read_number);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/quantity/sizes", test_sizes);
    g_test_add_func("/quantity/durations", test_durations);
    g_test_add_func("/quantity/times", test_times);
    g_test_add_func("/quantity/counts", test_counts);
    g_test_add_func("/quantity/numbers", test_numbers);
    return g_test_run();
}
