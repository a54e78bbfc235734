// SPDX-License-Identifier: MIT
#include "sample.h"

#include "result/redaction.h"

#include <string.h>

static json_t *redacted(unsigned what)
{
    HR_AUTO(hr_sample) sample = hr_sample_new(&HR_NAMED_SAMPLES[0].options);
    sample->context.reproduce = "heapreport --dir '/srv/soak of/night' --binary filedrive --top 5";
    hr_diagnostics_add(sample->diagnostics, HR_DIAG_BINARY_MISMATCH, "/srv/secret/a.heap", "module",
                       "/opt/filedrive/bin/filedrive", NULL);
    json_t *result = hr_sample_compose(sample);
    hr_result_redact(result, what);
    return result;
}

// Equal frames are one object in a result as it is composed: each is replaced once.
static void test_shared_frames(void)
{
    json_t *frame = json_pack("{s:s, s:s}", "function", "cache::insert", "file", "/srv/cache.rs");
    json_t *result = json_pack("{s:{}, s:[{s:O}, {s:O}, {s:s}]}", "run", "stacks", "frame", frame,
                               "frame", frame, "function", "cache::insert");
    json_t *unshared = json_deep_copy(result);
    hr_result_redact(result, HR_REDACT_PATHS | HR_REDACT_SYMBOLS);
    hr_result_redact(unshared, HR_REDACT_PATHS | HR_REDACT_SYMBOLS);
    g_assert_true(json_equal(result, unshared));
    json_decref(frame);
    json_decref(result);
    json_decref(unshared);
}

static char *written(const json_t *result)
{
    g_autoptr(GByteArray) bytes = g_byte_array_new();
    hr_result_write(result, bytes);
    return g_strndup((const char *)bytes->data, bytes->len);
}

// Words that must not be left, by what is redacted.
static const struct {
    unsigned what;
    const char *word;
    bool left;
} LEFT[] = {
    {HR_REDACT_SYMBOLS, "MetadataCache", false},
    {HR_REDACT_SYMBOLS, "collect_chunks", false},
    {HR_REDACT_SYMBOLS, "_rjem_malloc", false},
    {HR_REDACT_SYMBOLS, "raw_vec.rs", true},
    {HR_REDACT_SYMBOLS, "/opt/filedrive/bin", true},
    {HR_REDACT_PATHS, "MetadataCache", true},
    {HR_REDACT_PATHS, "raw_vec.rs", false},
    {HR_REDACT_PATHS, "src/cache.rs", false},
    {HR_REDACT_PATHS, "/opt/filedrive", false},
    {HR_REDACT_PATHS, "/srv/secret", false},
    {HR_REDACT_PATHS, "soak of", false},
    {HR_REDACT_PATHS, "filedrive.10630", false},
    {HR_REDACT_PATHS, ".10630.5.i5.heap", true},
    {HR_REDACT_PATHS, "Memory of filedrive", false},
    {HR_REDACT_PATHS, "\"(all)\"", true},
    {HR_REDACT_PATHS | HR_REDACT_SYMBOLS, "MetadataCache", false},
    {HR_REDACT_PATHS | HR_REDACT_SYMBOLS, "tokio", false},
    {HR_REDACT_PATHS | HR_REDACT_SYMBOLS, "/filedrive", false},
    {0, "MetadataCache", true},
};

static void test_nothing_is_left(void)
{
    for (size_t i = 0; i < G_N_ELEMENTS(LEFT); i++) {
        json_t *result = redacted(LEFT[i].what);
        g_autofree char *text = written(result);
        if ((strstr(text, LEFT[i].word) != NULL) != LEFT[i].left) {
            g_error("%s is %sleft with %u", LEFT[i].word, LEFT[i].left ? "not " : "", LEFT[i].what);
        }
        json_decref(result);
    }
}

// What stands in for a name tells a part of a path, its words do, and so may what the user said.
static void test_parts_of_paths(void)
{
    json_t *result =
        json_pack("{s:{s:s}, s:{s:s}, s:[{s:s, s:[s]}], s:[{s:s, s:s}], s:[{s:s}]}", "run",
                  "prefix", "shop", "labels", "service", "shop", "suspects", "function",
                  "secret-app+0x1f", "keywords", "secret", "allow", "pattern", "cache::*", "reason",
                  "known", "data_quality", "text", "unused is \"cache::*\" of ann");
    json_t *both = json_deep_copy(result);
    hr_result_redact(result, HR_REDACT_PATHS);
    g_autofree char *paths = json_dumps(result, 0);
    g_assert_null(strstr(paths, "secret"));
    g_assert_null(strstr(paths, "shop"));
    g_assert_nonnull(strstr(paths, "+0x1f\""));
    g_assert_nonnull(strstr(paths, "cache::*"));
    hr_result_redact(both, HR_REDACT_PATHS | HR_REDACT_SYMBOLS);
    g_autofree char *all = json_dumps(both, 0);
    g_assert_null(strstr(all, "secret"));
    g_assert_null(strstr(all, "cache"));
    json_decref(result);
    json_decref(both);
}

// A redacted result is a result; sentence and suspect name the same pseudonym; fingerprints stay.
static void test_names_agree(void)
{
    g_autoptr(GError) error = NULL;
    json_t *plain = redacted(0);
    json_t *result = redacted(HR_REDACT_PATHS | HR_REDACT_SYMBOLS);
    g_autofree char *text = written(result);
    json_t *read = hr_result_read(text, strlen(text), &error);
    g_assert_no_error(error);
    json_decref(read);
    const json_t *suspect = json_array_get(json_object_get(result, "suspects"), 0);
    const json_t *before = json_array_get(json_object_get(plain, "suspects"), 0);
    const char *function = json_string_value(json_object_get(suspect, "function"));
    const json_t *verdict = json_object_get(result, "verdict");
    g_assert_true(g_str_has_prefix(function, "fn_"));
    g_assert_nonnull(strstr(json_string_value(json_object_get(verdict, "sentence")), function));
    g_assert_cmpstr(json_string_value(json_object_get(suspect, "fingerprint")), ==,
                    json_string_value(json_object_get(before, "fingerprint")));
    const json_t *redaction = json_object_get(result, "redaction");
    g_assert_cmpint(json_integer_value(json_object_get(redaction, "symbols_count")), >=, 10);
    g_assert_cmpint(json_integer_value(json_object_get(redaction, "paths_count")), >=, 5);
    json_decref(plain);
    json_decref(result);
}

static void test_commands(void)
{
    json_t *result = redacted(HR_REDACT_PATHS);
    const char *reproduce = json_string_value(json_object_get(result, "reproduce"));
    g_assert_true(g_str_has_prefix(reproduce, "heapreport --dir path_"));
    g_assert_true(g_str_has_suffix(reproduce, " --top 5"));
    json_decref(result);
}

static const struct {
    const char *text;
    const char *shown; // fn and path stand for the pseudonyms of "main" and "/a/b"
} TEXTS[] = {
    {"main grew", "fn_34c8ddf5 grew"},
    {"remain and mainly", "remain and mainly"},
    {"(main)", "(fn_34c8ddf5)"},
    {"see /proc/PID/smaps", "see /proc/PID/smaps"},
    {"rate of 5 MiB/h", "rate of 5 MiB/h"},
    {"", ""},
};

static void test_text(void)
{
    HR_AUTO(hr_redaction) redaction = hr_redaction_new(HR_REDACT_PATHS | HR_REDACT_SYMBOLS);
    const char *known = hr_redaction_symbol(redaction, "main");
    g_assert_true(known == hr_redaction_symbol(redaction, "main"));
    for (size_t i = 0; i < G_N_ELEMENTS(TEXTS); i++) {
        g_autoptr(GString) expected = g_string_new(TEXTS[i].shown);
        g_string_replace(expected, "fn_34c8ddf5", known, 0);
        g_autoptr(GString) out = g_string_new(NULL);
        hr_redaction_append_text(redaction, out, TEXTS[i].text);
        g_assert_cmpstr(out->str, ==, expected->str);
    }
    g_autoptr(GString) out = g_string_new(NULL);
    hr_redaction_append_text(redaction, out, "at /a/b.");
    g_assert_true(g_str_has_prefix(out->str, "at path_"));
    g_assert_true(g_str_has_suffix(out->str, "."));
    g_assert_cmpuint(hr_redaction_count(redaction, HR_REDACT_PATHS), ==, 1);
}

static void test_parse(void)
{
    unsigned what = 0;
    g_autoptr(GError) error = NULL;
    g_assert_true(hr_redact_parse("symbols,paths", &what, NULL));
    g_assert_cmpuint(what, ==, HR_REDACT_PATHS | HR_REDACT_SYMBOLS);
    what = 0;
    g_assert_true(hr_redact_parse("both", &what, NULL));
    g_assert_cmpuint(what, ==, HR_REDACT_PATHS | HR_REDACT_SYMBOLS);
    g_assert_false(hr_redact_parse("paths,names", &what, &error));
    g_assert_error(error, HR_ERROR, HR_ERROR_USAGE);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/redact/nothing-is-left", test_nothing_is_left);
    g_test_add_func("/redact/shared-frames", test_shared_frames);
    g_test_add_func("/redact/names-agree", test_names_agree);
    g_test_add_func("/redact/parts-of-paths", test_parts_of_paths);
    g_test_add_func("/redact/commands", test_commands);
    g_test_add_func("/redact/text", test_text);
    g_test_add_func("/redact/parse", test_parse);
    return g_test_run();
}
