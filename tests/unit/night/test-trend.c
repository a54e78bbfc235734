// SPDX-License-Identifier: MIT
#include "night/trend.h"

#include "result/tree.h"
#include "sample.h"

#include <glib/gstdio.h>
#include <string.h>

#define DAY_S 86400.0

static void add_night(struct hr_history *history, const char *service, unsigned day)
{
    HR_AUTO(hr_sample) sample = hr_sample_new(&HR_NAMED_SAMPLES[0].options);
    for (size_t i = 0; i < sample->run->dumps_count; i++) {
        sample->run->dumps[i].taken_at_s += day * DAY_S;
    }
    const struct hr_label label = {"service", service};
    sample->context.labels = &label;
    sample->context.labels_count = 1;
    json_t *result = hr_sample_compose(sample);
    json_t *record = hr_history_compose_record(result);
    g_assert_true(hr_history_append(history, record, NULL));
    json_decref(record);
    json_decref(result);
}

// Two services, ten and two nights.
static json_t *composed(const struct hr_text *text)
{
    g_autofree char *directory = g_dir_make_tmp("hr-trend-XXXXXX", NULL);
    g_autofree char *path = g_build_filename(directory, "nights.jsonl", NULL);
    HR_AUTO(hr_history) written = hr_history_open(path, NULL);
    for (unsigned day = 0; day < 10; day++) {
        add_night(written, "web", day);
    }
    add_night(written, "\"api\", =1", 3);
    add_night(written, "\"api\", =1", 4);
    HR_AUTO(hr_history) history = hr_history_read(path, NULL);
    json_t *trend = hr_trend_compose(history, text);
    g_unlink(path);
    g_rmdir(directory);
    return trend;
}

static void test_compose(void)
{
    HR_AUTO(hr_text) text = hr_text_load(NULL, NULL);
    json_t *trend = composed(text);
    const json_t *services = json_object_get(trend, "services");
    g_assert_cmpuint(json_array_size(services), ==, 2);
    const json_t *web = json_array_get(services, 1);
    g_assert_cmpstr(hr_tree_text(web, "service"), ==, "web");
    g_assert_cmpuint(json_array_size(json_object_get(web, "nights")), ==, 10);
    const json_t *suspects = json_object_get(web, "suspects");
    g_assert_cmpuint(json_array_size(suspects), ==, 2); // S3 never counted
    g_assert_cmpfloat(hr_tree_number(json_array_get(suspects, 0), "nights_count"), ==, 10);
    g_assert_cmpstr(hr_tree_text(json_array_get(suspects, 0), "first_time"), ==,
                    "2025-12-01T10:35:00Z");
    g_assert_cmpstr(hr_tree_text(json_array_get(suspects, 0), "last_time"), ==,
                    "2025-12-10T10:35:00Z");
    json_decref(trend);
}

static void test_text(void)
{
    HR_AUTO(hr_text) text = hr_text_load(NULL, NULL);
    json_t *trend = composed(text);
    g_autoptr(GString) out = g_string_new(NULL);
    hr_trend_append_text(trend, text, out);
    g_assert_nonnull(strstr(out->str, "\nweb: 10 nights\n"));
    g_assert_nonnull(strstr(out->str, "2025-12-10 10:35:00 UTC"));
    g_assert_nonnull(strstr(out->str, "filedrive::cache::MetadataCache::insert"));
    json_decref(trend);
}

static void test_csv(void)
{
    HR_AUTO(hr_text) text = hr_text_load(NULL, NULL);
    json_t *trend = composed(text);
    g_autoptr(GString) out = g_string_new(NULL);
    hr_trend_append_csv(trend, out);
    g_auto(GStrv) lines = g_strsplit(out->str, "\r\n", 0);
    g_assert_cmpuint(g_strv_length(lines), ==, 1 + 12 + 1);
    g_assert_true(
        g_str_has_prefix(lines[1], "\"\"\"api\"\", =1\",2025-12-04T10:35:00Z,heap_growth,"));
    g_assert_true(g_str_has_suffix(lines[12], ",2,0,123102823"));
    json_decref(trend);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/trend/compose", test_compose);
    g_test_add_func("/trend/text", test_text);
    g_test_add_func("/trend/csv", test_csv);
    return g_test_run();
}
