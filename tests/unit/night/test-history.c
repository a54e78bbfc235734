// SPDX-License-Identifier: MIT
#include "night/history.h"

#include "result/tree.h"
#include "sample.h"

#include <glib/gstdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

struct place {
    char *directory;
    char *file;
};

static void set_up(struct place *place, const void *unused)
{
    (void)unused;
    place->directory = g_dir_make_tmp("hr-history-XXXXXX", NULL);
    g_assert_nonnull(place->directory);
    place->file = g_build_filename(place->directory, "nights.jsonl", NULL);
}

static void tear_down(struct place *place, const void *unused)
{
    (void)unused;
    g_unlink(place->file);
    g_rmdir(place->directory);
    g_free(place->file);
    g_free(place->directory);
}

static json_t *record_of(const char *service, const char *run, const char *time)
{
    return json_pack("{s:s, s:i, s:s, s:s, s:s, s:s, s:[]}", "schema", "heapreport-history",
                     "version", 1, "service", service, "run", run, "final_time", time, "class",
                     "no_growth", "suspects");
}

static void append(const char *path, const char *service, const char *run, const char *time)
{
    g_autoptr(GError) error = NULL;
    HR_AUTO(hr_history) history = hr_history_open(path, &error);
    g_assert_no_error(error);
    json_t *record = record_of(service, run, time);
    g_assert_true(hr_history_append(history, record, &error));
    g_assert_no_error(error);
    json_decref(record);
}

static char *runs_of(const char *path, const char *service, unsigned *skipped)
{
    HR_AUTO(hr_history) history = hr_history_read(path, NULL);
    g_assert_nonnull(history);
    g_autoptr(GPtrArray) nights = hr_history_nights(history, service);
    GString *runs = g_string_new(NULL);
    for (guint i = 0; i < nights->len; i++) {
        g_string_append_printf(runs, "%s ", hr_tree_text(g_ptr_array_index(nights, i), "run"));
    }
    *skipped = hr_history_skipped_count(history);
    return g_string_free(runs, FALSE);
}

static void test_order_and_services(struct place *place, const void *unused)
{
    (void)unused;
    append(place->file, "a", "a2", "2026-12-02T00:00:00Z");
    append(place->file, "b", "b1", "2026-12-01T12:00:00Z");
    append(place->file, "a", "a1", "2026-12-01T00:00:00Z");
    append(place->file, "a", "a3", "2026-12-03T00:00:00Z");
    append(place->file, "a", "a2", "2026-12-02T00:00:00Z");
    unsigned skipped;
    g_autofree char *of_a = runs_of(place->file, "a", &skipped);
    g_autofree char *of_all = runs_of(place->file, NULL, &skipped);
    g_assert_cmpstr(of_a, ==, "a1 a2 a3 ");
    g_assert_cmpstr(of_all, ==, "a1 b1 a2 a3 ");
    g_assert_cmpuint(skipped, ==, 0);
}

// What is no record is passed over, counted and left in the file; a ragged end is mended.
static void test_foreign_lines_stay(struct place *place, const void *unused)
{
    (void)unused;
    static const char FOREIGN[] =
        "{\"schema\":\"heapreport-history\",\"version\":2}\nnot json\n\n{\"schema\": "
        "\"other\"}\n[]\n{\"schema\":\"heapreport-his";
    g_assert_true(g_file_set_contents(place->file, FOREIGN, -1, NULL));
    append(place->file, "a", "a1", "2026-12-01T00:00:00Z");
    append(place->file, "a", "a2", "2026-12-02T00:00:00Z");
    unsigned skipped;
    g_autofree char *runs = runs_of(place->file, "a", &skipped);
    g_assert_cmpstr(runs, ==, "a1 a2 ");
    g_assert_cmpuint(skipped, ==, 5);
    g_autofree char *bytes = NULL;
    g_assert_true(g_file_get_contents(place->file, &bytes, NULL, NULL));
    g_assert_true(g_str_has_prefix(bytes, FOREIGN));
    g_assert_true(g_str_has_suffix(bytes, "}\n"));
}

// Any other file, named by mistake, is left as it is.
// One value of a night that cannot be: the whole line is none, and that is counted.
static void test_damaged_values(struct place *place, const void *unused)
{
    (void)unused;
    static const struct {
        const char *value;
        bool sound;
    } cases[] = {
        {"\"growth_bytes\":-5,\"rate_bytes_per_hour\":null", true},
        {"\"growth_bytes\":\"5\"", false},
        {"\"growth_bytes\":1e300", false},
        {"\"final_bytes\":-1", false},
        {"\"new_count\":true", false},
        {"\"final_time\":null", true},
        {"\"final_time\":\"2026-02-30T00:00:00Z\"", false},
        {"\"final_time\":5", false},
        {"\"suspects\":[{\"fingerprint\":\"a\",\"growth_bytes\":null}]", true},
        {"\"suspects\":[{\"fingerprint\":7}]", false},
        {"\"suspects\":[{\"fingerprint\":\"a\",\"growth_bytes\":{}}]", false},
        {"\"suspects\":[null]", false},
        {"\"suspects\":{}", false},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        const char *suspects = strstr(cases[i].value, "suspects") ? "" : ",\"suspects\":[]";
        g_autofree char *line = g_strdup_printf(
            "{\"schema\":\"heapreport-history\",\"version\":1,\"service\":\"a\",\"run\":\"a1\","
            "\"class\":\"no_growth\",%s%s}\n",
            cases[i].value, suspects);
        g_test_message("%s", line);
        g_assert_true(g_file_set_contents(place->file, line, -1, NULL));
        unsigned skipped;
        g_autofree char *runs = runs_of(place->file, "a", &skipped);
        g_assert_cmpstr(runs, ==, cases[i].sound ? "a1 " : "");
        g_assert_cmpuint(skipped, ==, cases[i].sound ? 0 : 1);
    }
}

static void test_foreign_file_is_refused(struct place *place, const void *unused)
{
    (void)unused;
    static const char FOREIGN[] = "heap_v2/1\n  t*: 1: 1 [0: 0]\n";
    g_assert_true(g_file_set_contents(place->file, FOREIGN, -1, NULL));
    g_autoptr(GError) error = NULL;
    g_assert_null(hr_history_open(place->file, &error));
    g_assert_error(error, HR_ERROR, HR_ERROR_INPUT);
    g_autofree char *bytes = NULL;
    g_assert_true(g_file_get_contents(place->file, &bytes, NULL, NULL));
    g_assert_cmpstr(bytes, ==, FOREIGN);
}

// Eight processes append eight lines each at once; none is lost or mixed.
static void test_no_line_is_lost(struct place *place, const void *unused)
{
    (void)unused;
    for (int process = 0; process < 8; process++) {
        const pid_t pid = fork();
        g_assert_cmpint(pid, >=, 0);
        if (pid == 0) {
            for (int i = 0; i < 8; i++) {
                g_autofree char *run = g_strdup_printf("%d-%d", process, i);
                append(place->file, "a", run, "2026-12-01T00:00:00Z");
            }
            _exit(0);
        }
    }
    int status;
    while (wait(&status) > 0) {
        g_assert_cmpint(status, ==, 0);
    }
    HR_AUTO(hr_history) history = hr_history_read(place->file, NULL);
    g_autoptr(GPtrArray) nights = hr_history_nights(history, "a");
    g_assert_cmpuint(nights->len, ==, 64);
    g_assert_cmpuint(hr_history_skipped_count(history), ==, 0);
}

static void test_unusable_files(struct place *place, const void *unused)
{
    (void)unused;
    g_autoptr(GError) error = NULL;
    g_assert_null(hr_history_open(place->directory, &error));
    g_assert_error(error, HR_ERROR, HR_ERROR_OUTPUT);
    g_clear_error(&error);
    g_assert_null(hr_history_read(place->file, &error));
    g_assert_error(error, HR_ERROR, HR_ERROR_INPUT);
    g_clear_error(&error);
    g_assert_null(hr_history_open("/dev/null", &error));
    g_assert_nonnull(error);
}

static void test_record(struct place *place, const void *unused)
{
    (void)unused;
    (void)place;
    HR_AUTO(hr_sample) sample = hr_sample_new(&HR_NAMED_SAMPLES[0].options);
    json_t *result = hr_sample_compose(sample);
    json_t *record = hr_history_compose_record(result);
    g_assert_cmpstr(hr_tree_text(record, "service"), ==, "filedrive");
    g_assert_cmpstr(hr_tree_text(record, "run"), ==,
                    "filedrive/10630/2025-11-30T20:55:00Z/2025-12-01T10:35:00Z");
    g_assert_cmpuint(json_array_size(json_object_get(record, "suspects")), ==, 3);
    g_assert_cmpfloat(hr_tree_number(record, "suspects_count"), ==, 2);
    g_assert_true(hr_history_is_same_run(record, record));
    json_decref(record);
    json_decref(result);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
#define ADD(name, function)                                                                        \
    g_test_add("/history/" name, struct place, NULL, set_up, function, tear_down)
    ADD("order-and-services", test_order_and_services);
    ADD("foreign-lines-stay", test_foreign_lines_stay);
    ADD("damaged-values", test_damaged_values);
    ADD("foreign-file-is-refused", test_foreign_file_is_refused);
    ADD("no-line-is-lost", test_no_line_is_lost);
    ADD("unusable-files", test_unusable_files);
    ADD("record", test_record);
    return g_test_run();
}
