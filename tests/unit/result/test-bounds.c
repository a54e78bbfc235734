// SPDX-License-Identifier: MIT
// What is too large is cut, the cut is summed, and the tree keeps its limit.
#include "sample.h"

#include <math.h>
#include <string.h>

static const struct hr_sample_options HUGE = {.dumps_count = 700,
                                              .suspects_count = 30,
                                              .stacks_count = 8,
                                              .depth = 140,
                                              .evidence = true,
                                              .names = HR_SAMPLE_HOSTILE};

static json_int_t integer_at(const json_t *object, const char *key)
{
    return json_integer_value(json_object_get(object, key));
}

// A tree of `count` nodes, each the child of one before it, whose sizes shrink downward.
static void grow_flame(struct hr_sample *sample, size_t count)
{
    struct hr_flame_node *flame = HR_ARENA_ARRAY(sample->run->arena, struct hr_flame_node, count);
    char *name = g_strnfill(600, 'f');
    const char *kept = hr_arena_strdup(sample->run->arena, name);
    g_free(name);
    for (size_t i = 0; i < count; i++) {
        // Pre-order: one chain of 100, then leaves of its end.
        const int32_t parent = i < 100 ? (int32_t)i - 1 : 99;
        const double bytes = i < 100 ? 1e9 : 1e5 + (double)i;
        flame[i] = (struct hr_flame_node){parent, kept, bytes / 2, bytes, bytes / 2, -1};
    }
    sample->findings.flame = flame;
    sample->findings.flame_count = count;
}

static void check_flame(const json_t *flame, size_t limit)
{
    g_assert_cmpuint(json_array_size(flame), <=, limit);
    size_t i;
    json_t *node;
    bool other = false;
    json_array_foreach(flame, i, node)
    {
        g_assert_cmpint(integer_at(node, "parent_index"), <, (json_int_t)i);
        other |= strcmp(json_string_value(json_object_get(node, "function")), "(other)") == 0;
    }
    g_assert_true(other);
}

// The leaves and "(other)" hold what all leaves held.
static void test_flame_is_cut_and_summed(void)
{
    HR_AUTO(hr_sample) sample = hr_sample_new(&HR_NAMED_SAMPLES[0].options);
    grow_flame(sample, 9000);
    double leaves = 0;
    for (size_t i = 100; i < 9000; i++) {
        leaves += sample->findings.flame[i].final_bytes;
    }
    json_t *result = hr_sample_compose(sample);
    const json_t *flame = json_object_get(result, "flame");
    check_flame(flame, 4000);
    double kept = 0;
    for (size_t i = 100; i < json_array_size(flame); i++) {
        kept += (double)integer_at(json_array_get(flame, i), "final_bytes");
    }
    g_assert_cmpfloat(kept, ==, leaves);
    json_decref(result);
}

static void test_tree_keeps_its_limit(void)
{
    HR_AUTO(hr_sample) sample = hr_sample_new(&HUGE);
    grow_flame(sample, 4000);
    json_t *result = hr_sample_compose(sample);
    g_assert_cmpuint(hr_result_size(result), <=, HR_RESULT_MAX_BYTES);
    const json_t *suspect = json_array_get(json_object_get(result, "suspects"), 0);
    const json_t *stacks = json_object_get(suspect, "stacks");
    const json_t *rest = json_object_get(suspect, "stacks_rest");
    g_assert_cmpint((json_int_t)json_array_size(stacks) + integer_at(rest, "stacks_count"), ==,
                    8 + 3);
    const json_t *stack = json_array_get(stacks, 0);
    g_assert_cmpint((json_int_t)json_array_size(json_object_get(stack, "frames")) +
                        integer_at(stack, "frames_rest_count"),
                    ==, HUGE.depth);
    json_decref(result);
}

static void test_dumps_and_points(void)
{
    HR_AUTO(hr_sample) sample = hr_sample_new(&HUGE);
    json_t *result = hr_sample_compose(sample);
    const json_t *dumps = json_object_get(result, "dumps");
    const json_t *rest = json_object_get(result, "dumps_rest");
    g_assert_cmpuint(json_array_size(dumps), ==, 500);
    g_assert_cmpint(integer_at(rest, "dumps_count"), ==, 700 + 1 - 500);
    g_assert_cmpint(integer_at(json_array_get(dumps, 0), "sequence"), ==, 0);
    const json_t *sequence = json_object_get(json_object_get(result, "series"), "sequence");
    g_assert_cmpuint(json_array_size(sequence), ==, 512);
    g_assert_cmpint(json_integer_value(json_array_get(sequence, 0)), ==, 0);
    g_assert_cmpint(json_integer_value(json_array_get(sequence, 511)), ==, 699);
    g_assert_cmpuint(json_array_size(json_object_get(result, "inputs")), <=, 200);
    g_assert_cmpint(integer_at(json_object_get(result, "inputs_rest"), "count"), ==,
                    700 + 1 + 1 + 2 - 200);
    json_decref(result);
}

// 5,000 snapshots with one peak: thinned, and the peak is there.
static void test_peaks_stay(void)
{
    HR_AUTO(hr_sample) sample = hr_sample_new(&HR_NAMED_SAMPLES[0].options);
    static double times[5000];
    static double values[5000];
    for (int i = 0; i < 5000; i++) {
        times[i] = i;
        values[i] = 1000 + (i == 3333 ? 77 : 0) - (i == 4444 ? 55 : 0);
    }
    sample->run->evidence.series[HR_EVIDENCE_ALLOCATED] =
        (struct hr_evidence_series){"test", 5000, times, values};
    json_t *result = hr_sample_compose(sample);
    const json_t *series = json_object_get(result, "series");
    const json_t *allocated = json_array_get(json_object_get(series, "evidence"), 0);
    const json_t *kept = json_object_get(allocated, "value_bytes");
    json_int_t greatest = 0;
    json_int_t least = G_MAXINT64;
    size_t i;
    json_t *value;
    json_array_foreach(kept, i, value)
    {
        greatest = MAX(greatest, json_integer_value(value));
        least = MIN(least, json_integer_value(value));
    }
    g_assert_cmpuint(json_array_size(kept), <=, 512);
    g_assert_cmpuint(json_array_size(kept), ==,
                     json_array_size(json_object_get(allocated, "time_s")));
    g_assert_cmpint(greatest, ==, 1077);
    g_assert_cmpint(least, ==, 945);
    json_decref(result);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/bounds/flame-is-cut-and-summed", test_flame_is_cut_and_summed);
    g_test_add_func("/bounds/tree-keeps-its-limit", test_tree_keeps_its_limit);
    g_test_add_func("/bounds/dumps-and-points", test_dumps_and_points);
    g_test_add_func("/bounds/peaks-stay", test_peaks_stay);
    return g_test_run();
}
