// SPDX-License-Identifier: MIT
#include "sample.h"

#include "result/slots.h"

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

static const struct hr_sample_options USUAL = {
    .dumps_count = 48, .suspects_count = 3, .stacks_count = 2, .depth = 12, .evidence = true};

static const char *const KEYS[] = {
    "schema",        "schema_version", "tool",         "generated_time", "title",
    "labels",        "text_language",  "run",          "dumps",          "dumps_rest",
    "binary",        "verdict",        "totals",       "forecast",       "balance",
    "suspects",      "suspects_rest",  "shrunk",       "functions",      "functions_rest",
    "flame",         "threads",        "threads_rest", "size_histogram", "fragmentation",
    "series",        "symbols",        "gates",        "history",        "gone",
    "drift",         "allow",          "filters",      "metric",         "redaction",
    "data_quality",  "thresholds",     "inputs",       "inputs_rest",    "presentation",
    "configuration", "reproduce"};

static json_t *compose(const struct hr_sample_options *options)
{
    HR_AUTO(hr_sample) sample = hr_sample_new(options);
    return hr_sample_compose(sample);
}

static json_int_t integer_at(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    g_assert_true(json_is_integer(value));
    return json_integer_value(value);
}

static void check_keys(const json_t *result)
{
    size_t i = 0;
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)(uintptr_t)result, key, value)
    {
        g_assert_cmpuint(i, <, G_N_ELEMENTS(KEYS));
        g_assert_cmpstr(key, ==, KEYS[i++]);
    }
    g_assert_cmpuint(i, ==, G_N_ELEMENTS(KEYS));
}

static void test_keys_and_order(void)
{
    for (size_t i = 0; i < HR_NAMED_SAMPLES_COUNT; i++) {
        json_t *result = compose(&HR_NAMED_SAMPLES[i].options);
        check_keys(result);
        json_decref(result);
    }
}

static json_int_t sum_of(const json_t *list, const char *key)
{
    json_int_t sum = 0;
    size_t i;
    json_t *entry;
    json_array_foreach(list, i, entry)
    {
        sum += integer_at(entry, key);
    }
    return sum;
}

// All that is promised to add up does so in whole bytes.
static void check_sums(const json_t *result)
{
    const json_t *totals = json_object_get(result, "totals");
    const json_int_t growth = integer_at(totals, "growth_bytes");
    g_assert_cmpint(growth, ==,
                    integer_at(totals, "final_bytes") - integer_at(totals, "base_bytes"));
    g_assert_cmpint(growth, ==,
                    integer_at(totals, "grown_bytes") - integer_at(totals, "shrunk_bytes"));
    const json_t *suspects = json_object_get(result, "suspects");
    g_assert_cmpint(growth, ==,
                    sum_of(suspects, "growth_bytes") +
                        integer_at(json_object_get(result, "suspects_rest"), "growth_bytes"));
    size_t i;
    json_t *suspect;
    json_array_foreach(suspects, i, suspect)
    {
        g_assert_cmpint(integer_at(suspect, "growth_bytes"), ==,
                        integer_at(suspect, "final_bytes") - integer_at(suspect, "base_bytes"));
        g_assert_cmpint(integer_at(suspect, "growth_bytes"), ==,
                        sum_of(json_object_get(suspect, "stacks"), "growth_bytes") +
                            integer_at(json_object_get(suspect, "stacks_rest"), "growth_bytes"));
        g_assert_cmpint(integer_at(suspect, "growth_bytes_low"), <=,
                        integer_at(suspect, "growth_bytes"));
    }
    const json_t *functions = json_object_get(result, "functions");
    g_assert_cmpint(integer_at(totals, "final_bytes"), ==,
                    sum_of(functions, "final_flat_bytes") +
                        integer_at(json_object_get(result, "functions_rest"), "final_flat_bytes"));
}

static void test_sums_hold(void)
{
    for (unsigned suspects = 1; suspects <= 40; suspects += 13) {
        struct hr_sample_options options = USUAL;
        options.suspects_count = suspects;
        json_t *result = compose(&options);
        check_sums(result);
        g_assert_cmpuint(json_array_size(json_object_get(result, "suspects")), ==,
                         MIN(suspects, 30));
        json_decref(result);
    }
}

// What only grew shrank by nothing: a byte that rounding leaves over is no shrinking.
static void test_nothing_shrank(void)
{
    HR_AUTO(hr_sample) sample = hr_sample_new(&USUAL);
    struct hr_totals *totals = &sample->findings.totals;
    totals->base.value = 83827056.6;
    totals->final.value = 250831240.8;
    totals->growth.value = totals->final.value - totals->base.value;
    totals->grown_bytes = totals->growth.value;
    totals->shrunk_bytes = 0;
    json_t *result = hr_sample_compose(sample);
    const json_t *written = json_object_get(result, "totals");
    g_assert_cmpint(integer_at(written, "growth_bytes"), ==, 250831241 - 83827057);
    g_assert_cmpint(integer_at(written, "shrunk_bytes"), ==, 0);
    g_assert_cmpint(integer_at(written, "grown_bytes"), ==, 250831241 - 83827057);
    json_decref(result);
}

// Every string beneath `value` has its slots filled.
static void check_filled(const json_t *value)
{
    size_t i;
    json_t *entry;
    const char *key;
    struct hr_slot_reference left;
    json_array_foreach(value, i, entry)
    {
        check_filled(entry);
    }
    json_object_foreach((json_t *)(uintptr_t)value, key, entry)
    {
        check_filled(entry);
    }
    if (json_is_string(value) && hr_slots_find(json_string_value(value), &left)) {
        g_error("slot not filled: %s", json_string_value(value));
    }
}

static void test_no_slot_is_left(void)
{
    static const char *const SPOKEN[] = {"title",  "verdict", "run",          "dumps",
                                         "binary", "balance", "data_quality", "thresholds"};
    for (size_t i = 0; i < HR_NAMED_SAMPLES_COUNT; i++) {
        json_t *result = compose(&HR_NAMED_SAMPLES[i].options);
        for (size_t k = 0; k < G_N_ELEMENTS(SPOKEN); k++) {
            check_filled(json_object_get(result, SPOKEN[k]));
        }
        json_decref(result);
    }
}

static void test_one_responsible_frame(void)
{
    json_t *result = compose(&USUAL);
    size_t i;
    json_t *suspect;
    json_array_foreach(json_object_get(result, "suspects"), i, suspect)
    {
        const json_t *stack = json_array_get(json_object_get(suspect, "stacks"), 0);
        unsigned found = 0;
        size_t f;
        json_t *frame;
        json_array_foreach(json_object_get(stack, "frames"), f, frame)
        {
            if (json_is_true(json_object_get(frame, "responsible"))) {
                found++;
                g_assert_cmpstr(json_string_value(json_object_get(frame, "function")), ==,
                                json_string_value(json_object_get(suspect, "function")));
            }
        }
        g_assert_cmpuint(found, ==, 1);
        g_assert_cmpuint(json_array_size(json_object_get(stack, "frames")), ==, USUAL.depth);
    }
    json_decref(result);
}

static void test_unknown_is_null(void)
{
    struct hr_sample_options options = {.evidence = true};
    json_t *result = compose(&options);
    static const char *const NULL_TOTALS[] = {
        "base_bytes",  "final_bytes",  "growth_bytes",        "growth_bytes_low",
        "grown_bytes", "shrunk_bytes", "rate_bytes_per_hour", "coverage_ratio"};
    for (size_t i = 0; i < G_N_ELEMENTS(NULL_TOTALS); i++) {
        const json_t *totals = json_object_get(result, "totals");
        g_assert_true(json_is_null(json_object_get(totals, NULL_TOTALS[i])));
    }
    const json_t *run = json_object_get(result, "run");
    g_assert_true(json_is_null(json_object_get(run, "base")));
    g_assert_true(json_is_null(json_object_get(run, "sampling")));
    g_assert_cmpint(integer_at(run, "dumps_used_count"), ==, 0);
    g_assert_true(json_is_null(json_object_get(result, "binary")));
    g_assert_true(json_is_null(json_object_get(result, "functions_rest")));
    g_assert_cmpuint(json_array_size(json_object_get(result, "balance")), >, 5);
    json_decref(result);
}

static void test_same_bytes_twice(void)
{
    g_autoptr(GByteArray) first = g_byte_array_new();
    g_autoptr(GByteArray) second = g_byte_array_new();
    json_t *one = compose(&USUAL);
    json_t *two = compose(&USUAL);
    hr_result_write(one, first);
    hr_result_write(two, second);
    g_assert_cmpmem(first->data, first->len, second->data, second->len);
    g_assert_cmpuint(first->len, ==, hr_result_size(one));
    json_decref(one);
    json_decref(two);
}

static const char *generated_time(const struct hr_sample *sample, char kept[32])
{
    json_t *result = hr_sample_compose(sample);
    g_strlcpy(kept, json_string_value(json_object_get(result, "generated_time")), 32);
    json_decref(result);
    return kept;
}

static void test_generated_time(void)
{
    char time[32];
    HR_AUTO(hr_sample) sample = hr_sample_new(&USUAL);
    g_setenv("SOURCE_DATE_EPOCH", "86400", TRUE);
    g_assert_cmpstr(generated_time(sample, time), ==, "2025-12-01T10:35:00Z");
    sample->context.generated_time_s = NAN;
    g_assert_cmpstr(generated_time(sample, time), ==, "1970-01-02T00:00:00Z");
    g_setenv("SOURCE_DATE_EPOCH", "soon", TRUE);
    g_assert_cmpstr(generated_time(sample, time), ==, "2025-12-01T10:35:00Z");
    g_unsetenv("SOURCE_DATE_EPOCH");
}

static void test_inputs_are_hashed(void)
{
    static const char hash[] = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
    HR_AUTO(hr_sample) sample = hr_sample_new(&USUAL);
    for (size_t dump = 0; dump < sample->run->dumps_count; dump++) {
        if (strcmp(sample->run->dumps[dump].file, "filedrive.10630.0.i0.heap") == 0) {
            sample->run->dumps[dump].sha256 = hash;
        }
    }
    json_t *result = hr_sample_compose(sample);
    unsigned hashed = 0;
    size_t i;
    json_t *input;
    json_array_foreach(json_object_get(result, "inputs"), i, input)
    {
        const char *sha256 = json_string_value(json_object_get(input, "sha256"));
        if (sha256) {
            hashed++;
            g_assert_cmpstr(sha256, ==, hash);
            g_assert_cmpstr(json_string_value(json_object_get(input, "path")), ==,
                            "filedrive.10630.0.i0.heap");
        }
    }
    g_assert_cmpuint(hashed, ==, 1);
    json_decref(result);
}

// A page shows the first few: what the difference stands on is among them however many dumps there are.
static void test_base_and_final_come_first(void)
{
    HR_AUTO(hr_sample) sample = hr_sample_new(&USUAL);
    json_t *result = hr_sample_compose(sample);
    const json_t *run = json_object_get(result, "run");
    static const char *const first[] = {"base", "final"};
    const json_t *inputs = json_object_get(result, "inputs");
    for (size_t i = 0; i < G_N_ELEMENTS(first); i++) {
        g_assert_cmpstr(
            json_string_value(json_object_get(json_array_get(inputs, i), "path")), ==,
            json_string_value(json_object_get(json_object_get(run, first[i]), "file")));
    }
    size_t last_of[4] = {0};
    static const char *const roles[] = {"binary", "debug", "evidence", "dump"};
    size_t i;
    json_t *input;
    json_array_foreach(inputs, i, input)
    {
        for (size_t role = 0; role < G_N_ELEMENTS(roles); role++) {
            if (strcmp(json_string_value(json_object_get(input, "role")), roles[role]) == 0) {
                last_of[role] = i;
            }
        }
    }
    g_assert_cmpuint(last_of[0], >=, 2);
    g_assert_cmpuint(last_of[2], >, last_of[0]);
    g_assert_cmpuint(last_of[3], ==, json_array_size(inputs) - 1);
    json_decref(result);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_unsetenv("SOURCE_DATE_EPOCH");
    g_test_add_func("/compose/keys-and-order", test_keys_and_order);
    g_test_add_func("/compose/sums-hold", test_sums_hold);
    g_test_add_func("/compose/nothing-shrank", test_nothing_shrank);
    g_test_add_func("/compose/no-slot-is-left", test_no_slot_is_left);
    g_test_add_func("/compose/one-responsible-frame", test_one_responsible_frame);
    g_test_add_func("/compose/unknown-is-null", test_unknown_is_null);
    g_test_add_func("/compose/same-bytes-twice", test_same_bytes_twice);
    g_test_add_func("/compose/generated-time", test_generated_time);
    g_test_add_func("/compose/inputs-are-hashed", test_inputs_are_hashed);
    g_test_add_func("/compose/base-and-final-come-first", test_base_and_final_come_first);
    return g_test_run();
}
