// SPDX-License-Identifier: MIT
#include "night/gates.h"

#include "result/tree.h"
#include "sample.h"

#include <string.h>

static const struct {
    const char *rules;
    const char *message; // NULL: they are fine
    bool history;
} RULES[] = {
    {"class=heap_growth", NULL, false},
    {"growth>8MiB, rate>1MiB/h,new-suspect", NULL, true},
    {"growth>0", NULL, false},
    {"", "--fail-on takes 1 to 32 rules", false},
    {"growth", "--fail-on: \"growth\" is none of", false},
    {"growth<8MiB", "--fail-on: \"growth<8MiB\" is none of", false},
    {"growth>much", "--fail-on: \"much\" is no size", false},
    {"growth>-1", "--fail-on: \"-1\" is no size", false},
    {"rate>1MiB", "--fail-on: a rate is such as 1MiB/h", false},
    {"rate>/h", "--fail-on: \"\" is no size", false},
    {"class=leak", "--fail-on: there is no class \"leak\"", false},
    {"class=heap_growth,,", "--fail-on: \"\" is none of", false},
};

static void test_rules(void)
{
    for (size_t i = 0; i < G_N_ELEMENTS(RULES); i++) {
        g_autoptr(GError) error = NULL;
        HR_AUTO(hr_gates) gates = hr_gates_new(RULES[i].rules, &error);
        if (RULES[i].message) {
            g_assert_null(gates);
            g_assert_error(error, HR_ERROR, HR_ERROR_USAGE);
            g_assert_true(g_str_has_prefix(error->message, RULES[i].message));
        } else {
            g_assert_no_error(error);
            g_assert_true(hr_gates_need_history(gates) == RULES[i].history);
        }
    }
}

// What a case changes in the sample (a heap that grows by some 96 MiB, S1 and S2 significant).
struct change {
    const char *class;  // NULL: as it is
    const char *growth; // JSON
    const char *low, *high;
    const char *rate;
    const char *rate_low;
    const char *status; // of S1
    bool allow_s1;
    bool allow_s2;
    bool expired;
    bool no_dumps;
};

static const struct {
    const char *rule;
    struct change change;
    enum hr_gates_outcome outcome;
    const char *because; // a part of it
} CASES[] = {
    {"class=heap_growth", {0}, HR_GATES_TRIPPED, "The class heap_growth applies."},
    {"class=outside_heap", {0}, HR_GATES_PASSED, "The class is heap_growth"},
    {"class=heap_growth", {.class = "no_growth"}, HR_GATES_PASSED, "The class is no_growth"},
    {"class=heap_growth", {.class = "inconclusive"}, HR_GATES_INCONCLUSIVE, "cannot be told"},
    {"class=inconclusive", {.class = "inconclusive"}, HR_GATES_TRIPPED, "applies"},
    {"class=heap_growth", {.allow_s1 = true}, HR_GATES_TRIPPED, "applies"},
    {"class=heap_growth", {.allow_s1 = true, .allow_s2 = true}, HR_GATES_PASSED, "allow-list"},
    {"class=heap_growth",
     {.allow_s1 = true, .allow_s2 = true, .expired = true},
     HR_GATES_TRIPPED,
     "applies"},
    {"growth>8MiB", {0}, HR_GATES_TRIPPED, "is over the limit of +8 MiB."},
    {"growth>1GiB", {0}, HR_GATES_PASSED, "is within the limit of +1 GiB."},
    {"growth>8MiB", {.low = "8388608"}, HR_GATES_INCONCLUSIVE, "reaches below it"},
    {"growth>8MiB", {.low = "8388609"}, HR_GATES_TRIPPED, "over"},
    {"growth>8MiB", {.low = "-1"}, HR_GATES_INCONCLUSIVE, "reaches below it"},
    {"growth>8MiB", {.low = "null", .high = "null"}, HR_GATES_INCONCLUSIVE, "reaches below it"},
    {"growth>100MiB", {0}, HR_GATES_INCONCLUSIVE, "reaches above it"},
    {"growth>100MiB", {.high = "104857600"}, HR_GATES_PASSED, "within"},
    {"growth>100MiB", {.high = "104857601"}, HR_GATES_INCONCLUSIVE, "reaches above it"},
    {"growth>8MiB", {.growth = "null"}, HR_GATES_INCONCLUSIVE, "was not measured"},
    {"growth>8MiB",
     {.growth = "8388608", .low = "0", .high = "8388608"},
     HR_GATES_PASSED,
     "+8 MiB is within"},
    {"growth>8MiB", {.growth = "9388609", .low = "8388609"}, HR_GATES_TRIPPED, "over"},
    {"growth>8MiB",
     {.growth = "-90000000", .low = "-95000000", .high = "-85000000"},
     HR_GATES_PASSED,
     "\u2212"},
    {"growth>8MiB", {.class = "inconclusive"}, HR_GATES_TRIPPED, "over"},
    {"growth>20MiB", {.allow_s1 = true}, HR_GATES_INCONCLUSIVE, "reaches above"},
    {"growth>40MiB", {.allow_s1 = true}, HR_GATES_PASSED, "Without what the allow-list allows"},
    {"growth>8MiB", {.allow_s1 = true}, HR_GATES_INCONCLUSIVE, "reaches below"},
    {"growth>8MiB", {.allow_s1 = true, .expired = true}, HR_GATES_TRIPPED, "over"},
    {"rate>1MiB/h", {0}, HR_GATES_TRIPPED, "MiB/h is over the limit of +1 MiB/h."},
    {"rate>1MiB/h", {.rate_low = "9"}, HR_GATES_INCONCLUSIVE, "reaches below it"},
    {"rate>1MiB/h", {.rate = "null"}, HR_GATES_INCONCLUSIVE, "was not measured"},
    {"rate>1GiB/h", {0}, HR_GATES_PASSED, "within"},
    {"new-suspect", {0}, HR_GATES_PASSED, "No suspect is new."},
    {"new-suspect", {.status = "\"new\""}, HR_GATES_TRIPPED, "1 significant suspect that"},
    {"new-suspect", {.status = "\"grown\""}, HR_GATES_PASSED, "No suspect is new."},
    {"new-suspect", {.status = "\"new\"", .allow_s1 = true}, HR_GATES_PASSED, "No suspect"},
    {"new-suspect",
     {.status = "\"new\"", .allow_s1 = true, .expired = true},
     HR_GATES_TRIPPED,
     "1 significant"},
    {"new-suspect", {.no_dumps = true}, HR_GATES_INCONCLUSIVE, "unknown"},
    {"class=outside_heap,growth>8MiB,class=file_backed", {0}, HR_GATES_TRIPPED, "not outside_heap"},
    {"growth>8MiB,class=heap_growth", {.growth = "null"}, HR_GATES_TRIPPED, "not measured"},
    {"growth>8MiB,class=outside_heap", {.growth = "null"}, HR_GATES_INCONCLUSIVE, "not measured"},
};

static void set(json_t *object, const char *key, const char *json)
{
    if (json) {
        g_assert_false(json_object_set_new(object, key, json_loads(json, JSON_DECODE_ANY, NULL)));
    }
}

static void allow(json_t *result, size_t index, bool expired)
{
    json_t *suspect = json_array_get(json_object_get(result, "suspects"), index);
    g_assert_true(hr_tree_is(suspect, "significant"));
    set(suspect, "allowed",
        expired
            ? "{\"reason\": \"r\", \"owner\": \"o\", \"expires_time\": null, \"expired\": true}"
            : "{\"reason\": \"r\", \"owner\": \"o\", \"expires_time\": null, \"expired\": false}");
}

static void set_class(json_t *result, const char *class)
{
    json_t *verdict = json_object_get(result, "verdict");
    json_object_set_new(verdict, "class", json_string(class));
    size_t i;
    json_t *rule;
    json_array_foreach(json_object_get(verdict, "rules"), i, rule)
    {
        const bool fired = strcmp(hr_tree_text(rule, "class"), class) == 0;
        json_object_set_new(rule, "outcome", json_string(fired ? "fired" : "not_fired"));
    }
}

static json_t *changed(const struct change *change)
{
    HR_AUTO(hr_sample) sample = hr_sample_new(&HR_NAMED_SAMPLES[change->no_dumps ? 2 : 0].options);
    json_t *result = hr_sample_compose(sample);
    json_t *totals = json_object_get(result, "totals");
    set(totals, "growth_bytes", change->growth);
    set(totals, "growth_bytes_low", change->low);
    set(totals, "growth_bytes_high", change->high);
    set(totals, "rate_bytes_per_hour", change->rate);
    set(totals, "rate_bytes_per_hour_low", change->rate_low);
    if (change->class) {
        set_class(result, change->class);
    }
    if (change->status) {
        set(json_array_get(json_object_get(result, "suspects"), 0), "status", change->status);
    }
    if (change->allow_s1) {
        allow(result, 0, change->expired);
    }
    if (change->allow_s2) {
        allow(result, 1, change->expired);
    }
    return result;
}

static void test_outcomes(void)
{
    g_autoptr(GError) error = NULL;
    HR_AUTO(hr_text) text = hr_text_load(NULL, &error);
    g_assert_no_error(error);
    for (size_t i = 0; i < G_N_ELEMENTS(CASES); i++) {
        HR_AUTO(hr_gates) gates = hr_gates_new(CASES[i].rule, NULL);
        json_t *result = changed(&CASES[i].change);
        const enum hr_gates_outcome outcome = hr_gates_judge(gates, text, result);
        const json_t *first = json_array_get(json_object_get(result, "gates"), 0);
        const char *because = hr_tree_text(first, "because");
        g_test_message("%zu %s: %d %s", i, CASES[i].rule, outcome, because);
        g_assert_cmpint(outcome, ==, CASES[i].outcome);
        g_assert_nonnull(strstr(because, CASES[i].because));
        g_assert_cmpuint(json_array_size(json_object_get(first, "numbers")), ==, 2);
        json_decref(result);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/gates/rules", test_rules);
    g_test_add_func("/gates/outcomes", test_outcomes);
    return g_test_run();
}
