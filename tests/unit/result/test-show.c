// SPDX-License-Identifier: MIT
#include "sample.h"

#include "result/show.h"

#include <string.h>

static void test_overview(void)
{
    HR_AUTO(hr_sample) sample = hr_sample_new(&HR_NAMED_SAMPLES[0].options);
    json_t *result = hr_sample_compose(sample);
    g_autoptr(GString) out = g_string_new(NULL);
    hr_show_overview(result, sample->text, out);
    const char *sentence =
        json_string_value(json_object_get(json_object_get(result, "verdict"), "sentence"));
    g_assert_true(g_str_has_prefix(out->str, sentence));
    g_assert_nonnull(strstr(out->str, "\nS1  +81 MiB ("));
    g_assert_nonnull(strstr(out->str, "\nS3  ≈+2.3 MiB ("));
    json_decref(result);
}

static void test_no_suspects(void)
{
    HR_AUTO(hr_sample) sample = hr_sample_new(&HR_NAMED_SAMPLES[1].options);
    json_t *result = hr_sample_compose(sample);
    g_autoptr(GString) out = g_string_new(NULL);
    hr_show_overview(result, sample->text, out);
    g_assert_true(g_str_has_suffix(out->str, "No suspect was found.\n"));
    json_decref(result);
}

// By id and by fingerprint; every frame is there, the responsible one is marked.
static void test_suspect(void)
{
    HR_AUTO(hr_sample) sample = hr_sample_new(&HR_NAMED_SAMPLES[0].options);
    json_t *result = hr_sample_compose(sample);
    g_autoptr(GString) by_id = g_string_new(NULL);
    g_autoptr(GString) by_fingerprint = g_string_new(NULL);
    const json_t *suspect = json_array_get(json_object_get(result, "suspects"), 0);
    const char *fingerprint = json_string_value(json_object_get(suspect, "fingerprint"));
    g_autofree char *start = g_strndup(fingerprint, 6);
    g_assert_true(hr_show_suspect(result, sample->text, "s1", by_id, NULL));
    g_assert_true(hr_show_suspect(result, sample->text, start, by_fingerprint, NULL));
    g_assert_cmpstr(by_id->str, ==, by_fingerprint->str);
    g_assert_true(g_str_has_prefix(
        by_id->str, "S1 filedrive::cache::MetadataCache::insert\nsrc/cache.rs:88  ["));
    g_assert_nonnull(
        strstr(by_id->str, "\n  > filedrive::cache::MetadataCache::insert  src/cache.rs:88\n"));
    g_assert_nonnull(
        strstr(by_id->str, "\n    alloc::alloc::alloc [inlined]  library/alloc/src/alloc.rs:98\n"));
    g_assert_nonnull(strstr(by_id->str, "\n3 smaller stacks, together +"));
    json_decref(result);
}

static void test_unknown_suspect(void)
{
    static const char *const NAMES[] = {"S9", "", "1a", "zzzz"};
    HR_AUTO(hr_sample) sample = hr_sample_new(&HR_NAMED_SAMPLES[0].options);
    json_t *result = hr_sample_compose(sample);
    for (size_t i = 0; i < G_N_ELEMENTS(NAMES); i++) {
        g_autoptr(GError) error = NULL;
        g_autoptr(GString) out = g_string_new(NULL);
        g_assert_false(hr_show_suspect(result, sample->text, NAMES[i], out, &error));
        g_assert_error(error, HR_ERROR, HR_ERROR_USAGE);
        g_assert_cmpuint(out->len, ==, 0);
    }
    json_decref(result);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/show/overview", test_overview);
    g_test_add_func("/show/no-suspects", test_no_suspects);
    g_test_add_func("/show/suspect", test_suspect);
    g_test_add_func("/show/unknown-suspect", test_unknown_suspect);
    return g_test_run();
}
