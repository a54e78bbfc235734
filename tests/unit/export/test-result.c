// SPDX-License-Identifier: MIT
// The exports that are written from a result.
#include "export/export.h"

#include "night/gates.h"
#include "sample.h"

#include <string.h>

static json_t *composed(size_t sample)
{
    HR_AUTO(hr_sample) built = hr_sample_new(&HR_NAMED_SAMPLES[sample].options);
    return hr_sample_compose(built);
}

static char *exported(const json_t *result, const char *name)
{
    HR_AUTO(hr_text) text = hr_text_load(NULL, NULL);
    g_autoptr(GByteArray) bytes = g_byte_array_new();
    const struct hr_export *export = hr_export_find_name(name);
    g_assert_nonnull(export);
    export->write_result(result, text, bytes);
    return g_strndup((const char *)bytes->data, bytes->len);
}

static const struct {
    const char *path;
    const char *name;
} PATHS[] = {{"a.csv", "csv"},
             {"a.prom", "prom"},
             {"a.junit.xml", "junit"},
             {"a.json", "json"},
             {"a.folded", "folded"},
             {"a.pb.gz", "pprof"},
             {"a.diff.folded", "folded-diff"},
             {"diff.folded", "folded"},
             {"dir.csv/a.xml", NULL},
             {"a.gz", NULL},
             {"a.pdf", NULL}};

static void test_table(void)
{
    for (size_t i = 0; i < G_N_ELEMENTS(PATHS); i++) {
        const struct hr_export *export = hr_export_find_path(PATHS[i].path);
        g_assert_cmpstr(export ? export->name : NULL, ==, PATHS[i].name);
    }
    for (const struct hr_export *export = hr_exports(); export->name; export ++) {
        g_assert_true(!export->write_result != !export->write_model);
    }
}

static void test_csv(void)
{
    json_t *result = composed(0);
    json_t *suspect = json_array_get(json_object_get(result, "suspects"), 0);
    json_object_set_new(suspect, "function", json_string("=cmd|'/c calc'!A1"));
    json_object_set_new(suspect, "file", json_string("a,\"b\".rs"));
    json_object_set_new(suspect, "line", json_null());
    g_autofree char *table = exported(result, "csv");
    g_auto(GStrv) lines = g_strsplit(table, "\r\n", 0);
    g_assert_cmpuint(g_strv_length(lines), ==, 1 + 3 + 2 + 1);
    g_assert_true(g_str_has_prefix(lines[0], "id,fingerprint,function,file,line,"));
    g_assert_true(
        g_str_has_prefix(lines[1], "S1,1a2b9e3779b9,\"'=cmd|'/c calc'!A1\",\"a,\"\"b\"\".rs\",,"));
    g_assert_true(g_str_has_prefix(lines[4], "rest,,,,,,,,,-"));
    g_assert_true(g_str_has_prefix(lines[5], "total,"));
    g_assert_cmpstr(lines[6], ==, "");
    json_decref(result);
}

static void count_lines(const char *page, unsigned *helps, unsigned *samples)
{
    g_auto(GStrv) lines = g_strsplit(page, "\n", 0);
    *helps = 0;
    *samples = 0;
    for (char **line = lines; **line; line++) {
        *helps += g_str_has_prefix(*line, "# HELP heapreport_");
        // name{labels} number
        *samples +=
            g_regex_match_simple("^heapreport_[a-z_]+\\{service=\"[^\"]*\"(,[a-z]+=\"([^\"\\\\]|"
                                 "\\\\.)*\")*\\} -?[0-9.e+-]+$",
                                 *line, 0, 0);
    }
}

static void test_prom(void)
{
    for (size_t i = 0; i < HR_NAMED_SAMPLES_COUNT; i++) {
        json_t *result = composed(i);
        g_autofree char *page = exported(result, "prom");
        unsigned helps;
        unsigned samples;
        count_lines(page, &helps, &samples);
        g_auto(GStrv) lines = g_strsplit(page, "\n", 0);
        g_assert_cmpuint(helps * 2 + samples, ==, g_strv_length(lines) - 1);
        g_assert_cmpuint(samples, >, 10);
        g_assert_null(strstr(page, "nan"));
        g_assert_null(strstr(page, "HELP heapreport_verdict prom-"));
        json_decref(result);
    }
}

static void test_prom_values(void)
{
    json_t *result = composed(0);
    json_t *suspect = json_array_get(json_object_get(result, "suspects"), 0);
    json_object_set_new(suspect, "function", json_string("say \"hi\\\""));
    g_autofree char *page = exported(result, "prom");
    g_assert_nonnull(
        strstr(page, "\nheapreport_verdict{service=\"filedrive\",class=\"heap_growth\"} 1\n"));
    g_assert_nonnull(
        strstr(page, "\nheapreport_verdict{service=\"filedrive\",class=\"no_growth\"} 0\n"));
    g_assert_nonnull(strstr(
        page, "\nheapreport_heap_growth_bytes{service=\"filedrive\",bound=\"value\"} 100768154\n"));
    g_assert_nonnull(strstr(page, "function=\"say \\\"hi\\\\\\\"\""));
    g_assert_null(strstr(page, "gate_outcome"));
    json_decref(result);
    result = composed(2);
    g_autofree char *without = exported(result, "prom");
    g_assert_null(strstr(without, "\nheapreport_heap_growth_bytes{"));
    json_decref(result);
}

static void test_junit(void)
{
    HR_AUTO(hr_text) text = hr_text_load(NULL, NULL);
    json_t *result = composed(0);
    g_autofree char *plain = exported(result, "junit");
    g_assert_nonnull(strstr(plain, " tests=\"1\" failures=\"0\" errors=\"0\""));
    g_assert_nonnull(strstr(plain, " name=\"heap_growth\""));
    HR_AUTO(hr_gates)
    gates = hr_gates_new("growth>8MiB,growth>1GiB,class=outside_heap,rate>1MiB/h", NULL);
    json_object_set_new(json_object_get(result, "totals"), "rate_bytes_per_hour", json_null());
    hr_gates_judge(gates, text, result);
    g_autofree char *suite = exported(result, "junit");
    g_assert_nonnull(strstr(
        suite, "<testsuite name=\"Memory of filedrive\" tests=\"4\" failures=\"1\" errors=\"1\""));
    g_assert_nonnull(strstr(
        suite, "name=\"growth&gt;8MiB\" time=\"0\">\n    <failure message=\"+96.1 MiB is over"));
    g_assert_nonnull(strstr(suite, "<error message=\"It was not measured"));
    json_decref(result);
}

static void test_json(void)
{
    json_t *result = composed(1);
    g_autofree char *text = exported(result, "json");
    json_t *read = hr_result_read(text, strlen(text), NULL);
    g_assert_true(json_equal(result, read));
    json_decref(read);
    json_decref(result);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/export/table", test_table);
    g_test_add_func("/export/csv", test_csv);
    g_test_add_func("/export/prom", test_prom);
    g_test_add_func("/export/prom-values", test_prom_values);
    g_test_add_func("/export/junit", test_junit);
    g_test_add_func("/export/json", test_json);
    return g_test_run();
}
