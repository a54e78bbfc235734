// SPDX-License-Identifier: MIT
// Nights in a row through the door.
#include "night/night.h"

#include "result/tree.h"
#include "sample.h"

#include <glib/gstdio.h>
#include <string.h>

#define DAY_S 86400.0

struct place {
    char *directory;
    char *history;
    char *allow;
};

static void set_up(struct place *place, const void *unused)
{
    (void)unused;
    place->directory = g_dir_make_tmp("hr-night-XXXXXX", NULL);
    g_assert_nonnull(place->directory);
    place->history = g_build_filename(place->directory, "nights.jsonl", NULL);
    place->allow = g_build_filename(place->directory, "allow", NULL);
}

static void tear_down(struct place *place, const void *unused)
{
    (void)unused;
    g_unlink(place->history);
    g_unlink(place->allow);
    g_rmdir(place->directory);
    g_free(place->history);
    g_free(place->allow);
    g_free(place->directory);
}

// The sample, moved on by so many days.
static json_t *night(unsigned day)
{
    HR_AUTO(hr_sample) sample = hr_sample_new(&HR_NAMED_SAMPLES[0].options);
    for (size_t i = 0; i < sample->run->dumps_count; i++) {
        sample->run->dumps[i].taken_at_s += day * DAY_S;
    }
    return hr_sample_compose(sample);
}

static json_t *suspect_of(json_t *result, size_t index)
{
    return json_array_get(json_object_get(result, "suspects"), index);
}

static enum hr_gates_outcome apply(json_t *result, const struct hr_night_options *options)
{
    g_autoptr(GError) error = NULL;
    HR_AUTO(hr_text) text = hr_text_load(NULL, NULL);
    enum hr_gates_outcome outcome;
    const bool applied = hr_night_apply(result, text, options, &outcome, &error);
    g_assert_no_error(error);
    g_assert_true(applied);
    // Whatever night adds keeps to the schema.
    g_autoptr(GByteArray) bytes = g_byte_array_new();
    hr_result_write(result, bytes);
    json_t *read = hr_result_read((const char *)bytes->data, bytes->len, &error);
    g_assert_no_error(error);
    json_decref(read);
    return outcome;
}

static const char *status(json_t *result, size_t index)
{
    return hr_tree_text(suspect_of(result, index), "status");
}

static void test_nights_in_a_row(struct place *place, const void *unused)
{
    (void)unused;
    const struct hr_night_options options = {.fail_on = "new-suspect",
                                             .history_file = place->history};
    json_t *first = night(0);
    g_assert_cmpint(apply(first, &options), ==, HR_GATES_TRIPPED);
    g_assert_cmpstr(status(first, 0), ==, "new");
    g_assert_cmpuint(json_array_size(json_object_get(first, "history")), ==, 1);

    json_t *second = night(1);
    json_object_set_new(suspect_of(second, 0), "growth_bytes_low", json_integer(90000000));
    g_assert_cmpint(apply(second, &options), ==, HR_GATES_PASSED);
    g_assert_cmpstr(status(second, 0), ==, "grown");
    g_assert_cmpstr(status(second, 1), ==, "known");
    g_assert_cmpfloat(hr_tree_number(suspect_of(second, 0), "nights_count"), ==, 2);

    // S1 is mended; somebody else comes.
    json_t *third = night(2);
    json_object_set_new(suspect_of(third, 0), "fingerprint", json_string("abcabcabcabc"));
    g_assert_cmpint(apply(third, &options), ==, HR_GATES_TRIPPED);
    g_assert_cmpstr(status(third, 0), ==, "new");
    const json_t *gone = json_object_get(third, "gone");
    g_assert_cmpuint(json_array_size(gone), ==, 1);
    g_assert_cmpstr(hr_tree_text(json_array_get(gone, 0), "function"), ==,
                    "filedrive::cache::MetadataCache::insert");
    g_assert_cmpfloat(hr_tree_number(json_array_get(gone, 0), "nights_count"), ==, 2);
    const json_t *history = json_object_get(third, "history");
    g_assert_cmpuint(json_array_size(history), ==, 3);
    g_assert_cmpfloat(hr_tree_number(json_array_get(history, 0), "new_count"), ==, 2);
    g_assert_cmpfloat(hr_tree_number(json_array_get(history, 2), "new_count"), ==, 1);
    json_decref(first);
    json_decref(second);
    json_decref(third);
}

// The same run reported twice, and an old one after a newer: what they say stays the same.
static void test_reported_again(struct place *place, const void *unused)
{
    (void)unused;
    const struct hr_night_options options = {.history_file = place->history};
    for (int i = 0; i < 2; i++) {
        json_t *first = night(0);
        json_t *second = night(1);
        apply(first, &options);
        apply(second, &options);
        g_assert_cmpstr(status(first, 0), ==, "new");
        g_assert_cmpstr(status(second, 0), ==, "known");
        g_assert_cmpuint(json_array_size(json_object_get(first, "history")), ==, 1);
        g_assert_cmpuint(json_array_size(json_object_get(second, "history")), ==, 2);
        json_decref(first);
        json_decref(second);
    }
}

static void test_allowed_night_passes(struct place *place, const void *unused)
{
    (void)unused;
    g_assert_true(g_file_set_contents(place->allow,
                                      "[cache]\npattern = *MetadataCache*\nreason = r\nowner = o\n"
                                      "[session]\npattern = *SessionStore*\nreason = r\nowner = o\n"
                                      "[old]\npattern = old\nreason = r\nowner = o\n"
                                      "expires = 2020-01-01\n",
                                      -1, NULL));
    const struct hr_night_options options = {.fail_on = "new-suspect,class=heap_growth",
                                             .history_file = place->history,
                                             .allow_file = place->allow};
    json_t *result = night(0);
    g_assert_cmpint(apply(result, &options), ==, HR_GATES_PASSED);
    bool told = false;
    size_t i;
    json_t *quality;
    json_array_foreach(json_object_get(result, "data_quality"), i, quality)
    {
        told |= strcmp(hr_tree_text(quality, "code"), "HR-501") == 0;
    }
    g_assert_true(told);
    json_decref(result);
}

// A slow drift: each night some growth within its error.
static void set_small_growth(json_t *result, json_int_t bytes)
{
    json_t *totals = json_object_get(result, "totals");
    json_object_set_new(totals, "growth_bytes", json_integer(bytes));
    json_object_set_new(totals, "significant", json_false());
    for (size_t i = 0; i < 3; i++) {
        json_object_set_new(suspect_of(result, i), "significant", json_false());
    }
}

static size_t drift_after(struct place *place, const json_int_t *growth, unsigned nights)
{
    g_unlink(place->history);
    const struct hr_night_options options = {.history_file = place->history};
    size_t found = 0;
    for (unsigned i = 0; i < nights; i++) {
        json_t *result = night(i);
        set_small_growth(result, growth[i]);
        apply(result, &options);
        found = 0;
        size_t d;
        json_t *drift;
        json_array_foreach(json_object_get(result, "drift"), d, drift)
        {
            found += !hr_tree_text(drift, "suspect");
        }
        json_decref(result);
    }
    return found;
}

static void test_drift(struct place *place, const void *unused)
{
    (void)unused;
    static const json_int_t SLOW[] = {900, 800, 1000, 700, 900, 1100, 950, 990};
    static const json_int_t NOISE[] = {900, -800, 1000, 700, -900, 1100, -950, 990};
    g_assert_cmpuint(drift_after(place, SLOW, 6), ==, 0);
    g_assert_cmpuint(drift_after(place, SLOW, 7), ==, 1);
    g_assert_cmpuint(drift_after(place, NOISE, 8), ==, 0);
}

static void test_usage(struct place *place, const void *unused)
{
    (void)unused;
    g_autoptr(GError) error = NULL;
    g_assert_false(hr_night_check(&(struct hr_night_options){.fail_on = "new-suspect"}, &error));
    g_assert_error(error, HR_ERROR, HR_ERROR_USAGE);
    g_clear_error(&error);
    g_assert_false(hr_night_check(&(struct hr_night_options){.fail_on = "nonsense"}, &error));
    g_assert_error(error, HR_ERROR, HR_ERROR_USAGE);
    g_clear_error(&error);
    g_assert_false(hr_night_check(&(struct hr_night_options){.allow_file = place->allow}, &error));
    g_assert_nonnull(error);
    g_assert_true(hr_night_check(&(struct hr_night_options){0}, NULL));
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
#define ADD(name, function)                                                                        \
    g_test_add("/night/" name, struct place, NULL, set_up, function, tear_down)
    ADD("nights-in-a-row", test_nights_in_a_row);
    ADD("reported-again", test_reported_again);
    ADD("allowed-night-passes", test_allowed_night_passes);
    ADD("drift", test_drift);
    ADD("usage", test_usage);
    return g_test_run();
}
