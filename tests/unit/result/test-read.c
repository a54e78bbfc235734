// SPDX-License-Identifier: MIT
#include "sample.h"

#include <string.h>

static GByteArray *written(const json_t *result)
{
    GByteArray *bytes = g_byte_array_new();
    hr_result_write(result, bytes);
    return bytes;
}

static json_t *composed(size_t sample)
{
    HR_AUTO(hr_sample) built = hr_sample_new(&HR_NAMED_SAMPLES[sample].options);
    return hr_sample_compose(built);
}

static void test_round_trip(void)
{
    for (size_t i = 0; i < HR_NAMED_SAMPLES_COUNT; i++) {
        g_autoptr(GError) error = NULL;
        json_t *result = composed(i);
        g_autoptr(GByteArray) first = written(result);
        json_t *read = hr_result_read((const char *)first->data, first->len, &error);
        g_assert_no_error(error);
        // The tree that a run renders and the one that is read are the same.
        g_assert_true(json_equal(result, read));
        g_autoptr(GByteArray) second = written(read);
        g_assert_cmpmem(first->data, first->len, second->data, second->len);
        json_decref(result);
        json_decref(read);
    }
}

static const char *read_error(const char *bytes, size_t size, char kept[256])
{
    g_autoptr(GError) error = NULL;
    json_t *result = hr_result_read(bytes, size, &error);
    g_assert_null(result);
    g_assert_nonnull(error);
    g_strlcpy(kept, error->message, 256);
    return kept;
}

static const struct {
    const char *bytes;
    const char *message;
} TEXTS[] = {
    {"", "line 1, column 0: "},
    {"{\"schema\": \"heapreport-result\",\n \"schema\": 1}", "line 2, column "},
    {"[]", "is JSON, but no heapreport result"},
    {"{\"schema\": \"other\"}", "is JSON, but no heapreport result"},
    {"{\"schema\": \"heapreport-result\", \"schema_version\": \"2.0\"}",
     "is a result of version 2.0; this heapreport reads version 1"},
    {"{\"schema\": \"heapreport-result\"}", "is a result of version ?"},
    {"{\"schema\": \"heapreport-result\", \"schema_version\": \"1.0\"}", "/: has no \"tool\""},
    {"{\"a\": \"\\u0000\"}", "line 1, column "},
    {"{\"a\": 99999999999999999999}", "line 1, column "},
};

static void test_no_results(void)
{
    char kept[256];
    for (size_t i = 0; i < G_N_ELEMENTS(TEXTS); i++) {
        const char *message = read_error(TEXTS[i].bytes, strlen(TEXTS[i].bytes), kept);
        g_test_message("%s", message);
        g_assert_true(g_str_has_prefix(message, TEXTS[i].message));
    }
}

static void test_deep_and_large(void)
{
    char kept[256];
    g_autofree char *deep = g_strnfill(1000000, '[');
    g_assert_nonnull(strstr(read_error(deep, 1000000, kept), "maximum parsing depth"));
    const size_t size = 9 * 1024 * 1024;
    g_autofree char *large = g_strnfill(size, ' ');
    g_assert_true(g_str_has_prefix(read_error(large, size, kept), "is larger than "));
}

// Replaces, adds (or with NULL removes) what lies at a path of keys and indices.
static void plant(json_t *result, const char *path, const char *json)
{
    g_auto(GStrv) steps = g_strsplit(path, "/", 0);
    const guint last = g_strv_length(steps) - 1;
    json_t *at = result;
    for (guint i = 0; i < last; i++) {
        at = json_is_array(at) ? json_array_get(at, (size_t)g_ascii_strtoull(steps[i], NULL, 10))
                               : json_object_get(at, steps[i]);
        g_assert_nonnull(at);
    }
    if (!json) {
        g_assert_false(json_object_del(at, steps[last]));
        return;
    }
    json_t *value = json_loads(json, JSON_DECODE_ANY, NULL);
    g_assert_nonnull(value);
    g_assert_false(json_object_set_new(at, steps[last], value));
}

static const struct {
    const char *path;
    const char *json;
    const char *message; // NULL: it is fine
} PLANTED[] = {
    {"suspects/0/growth_bytes", "\"much\"",
     "/suspects/0/growth_bytes: is not of type integer or null"},
    {"suspects/0/growth_bytes", "1.5", "/suspects/0/growth_bytes: is not of type integer or null"},
    {"suspects/0/growth_bytes", "null", NULL},
    {"suspects/0/growth_bytes", NULL, "/suspects/0: has no \"growth_bytes\""},
    {"suspects/0/fingerprint", "\"xyz\"", "/suspects/0/fingerprint: is not written as it must be"},
    {"suspects/0/thirds_growth_bytes", "[1, 2]",
     "/suspects/0/thirds_growth_bytes: has too few entries"},
    {"suspects/0/stacks/0/frames/0/kind", "\"friend\"",
     "/suspects/0/stacks/0/frames/0/kind: is none of the words"},
    {"suspects/0/function", "\"a\\u001b[31mb\"", "/suspects/0/function: holds a control character"},
    {"suspects/0/function", "\"turns\\u202eback\"",
     "/suspects/0/function: holds a control character"},
    {"verdict/class", "\"leak\"", "/verdict/class: is none of the words"},
    {"verdict/next_steps", "[1, 2, 3, 4]", "/verdict/next_steps: has too many entries"},
    {"run", "[]", "/run: is not of type object"},
    {"run/base", "null", NULL},
    {"labels/extra", "\"x\"", NULL},
    {"labels/extra", "7", "/labels/extra: is not of type string"},
    {"labels/a\x01", "\"x\"", "/labels: has a key with a control character"},
    {"added_in_1_7", "{\"anything\": [1]}", NULL},
    {"schema_version", "\"1.7\"", NULL},
    {"flame/1/parent_index", "1", "/flame/1/parent_index: does not come before its child"},
    {"flame/0/parent_index", "-2", "/flame/0/parent_index: is too small"},
    {"series/live_bytes_low", "[1]", "/series/live_bytes_low: has another length"},
    {"series/suspects/0/live_bytes", "[1]", "/series/suspects/0/live_bytes: has another length"},
    {"series/evidence/0/value_bytes", "[1]", "/series/evidence/0/value_bytes: has another length"},
    {"totals/coverage_ratio", "1", NULL},
    {"totals/coverage_ratio", "1e300", "/totals/coverage_ratio: is too large"},
};

static void test_shape(void)
{
    for (size_t i = 0; i < G_N_ELEMENTS(PLANTED); i++) {
        json_t *result = composed(0);
        plant(result, PLANTED[i].path, PLANTED[i].json);
        g_autoptr(GByteArray) bytes = written(result);
        json_decref(result);
        g_autoptr(GError) error = NULL;
        json_t *read = hr_result_read((const char *)bytes->data, bytes->len, &error);
        g_test_message("%s: %s", PLANTED[i].path, error ? error->message : "fine");
        if (PLANTED[i].message) {
            g_assert_null(read);
            g_assert_true(g_str_has_prefix(error->message, PLANTED[i].message));
        } else {
            g_assert_no_error(error);
        }
        json_decref(read);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/read/round-trip", test_round_trip);
    g_test_add_func("/read/no-results", test_no_results);
    g_test_add_func("/read/deep-and-large", test_deep_and_large);
    g_test_add_func("/read/shape", test_shape);
    return g_test_run();
}
