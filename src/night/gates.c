// SPDX-License-Identifier: MIT
#include "night/gates.h"

#include "base/format.h"
#include "base/quantity.h"
#include "result/json.h"
#include "result/tree.h"

#include <math.h>
#include <string.h>

#define RULES_MAX 32

enum kind { KIND_CLASS, KIND_GROWTH, KIND_RATE, KIND_NEW_SUSPECT };

struct gate {
    enum kind kind;
    char *rule; // as given
    char *class;
    double limit; // bytes, or bytes per hour
};

struct hr_gates {
    GPtrArray *gates; // of struct gate
};

// What a gate found; numbers are value and limit.
struct judgement {
    enum hr_gates_outcome outcome;
    const char *because; // text id
    const char *key;     // of the numbers; NULL: none
    double value;
    double limit;
    const char *word; // value of a gate without a number
};

static const char *const OUTCOME_NAMES[] = {[HR_GATES_PASSED] = "passed",
                                            [HR_GATES_INCONCLUSIVE] = "inconclusive",
                                            [HR_GATES_TRIPPED] = "tripped"};

static void gate_free(void *pointer)
{
    struct gate *gate = pointer;
    g_free(gate->rule);
    g_free(gate->class);
    g_free(gate);
}

static bool read_class(struct gate *gate, const char *class, GError **error)
{
    if (!hr_tree_is_class(class)) {
        g_set_error(error, HR_ERROR, HR_ERROR_USAGE, "--fail-on: there is no class \"%s\"", class);
        return false;
    }
    gate->kind = KIND_CLASS;
    gate->class = g_strdup(class);
    return true;
}

static bool read_limit(struct gate *gate, enum kind kind, const char *size, GError **error)
{
    gate->kind = kind;
    g_autofree char *bytes = g_strdup(size);
    if (kind == KIND_RATE) {
        if (!g_str_has_suffix(bytes, "/h")) {
            g_set_error(error, HR_ERROR, HR_ERROR_USAGE,
                        "--fail-on: a rate is such as 1MiB/h, not \"%s\"", size);
            return false;
        }
        bytes[strlen(bytes) - 2] = '\0';
    }
    if (!hr_quantity_read_size(bytes, &gate->limit, error)) {
        g_prefix_error(error, "--fail-on: ");
        return false;
    }
    return true;
}

static bool read_rule(struct gate *gate, const char *rule, GError **error)
{
    gate->rule = g_strdup(rule);
    if (g_str_has_prefix(rule, "class=")) {
        return read_class(gate, rule + strlen("class="), error);
    }
    if (g_str_has_prefix(rule, "growth>")) {
        return read_limit(gate, KIND_GROWTH, rule + strlen("growth>"), error);
    }
    if (g_str_has_prefix(rule, "rate>")) {
        return read_limit(gate, KIND_RATE, rule + strlen("rate>"), error);
    }
    if (strcmp(rule, "new-suspect") == 0) {
        gate->kind = KIND_NEW_SUSPECT;
        return true;
    }
    g_set_error(error, HR_ERROR, HR_ERROR_USAGE,
                "--fail-on: \"%s\" is none of class=CLASS, growth>SIZE, rate>SIZE/h, new-suspect",
                rule);
    return false;
}

struct hr_gates *hr_gates_new(const char *rules, GError **error)
{
    HR_AUTO(hr_gates) gates = g_new0(struct hr_gates, 1);
    gates->gates = g_ptr_array_new_with_free_func(gate_free);
    g_auto(GStrv) words = g_strsplit(rules, ",", 0);
    for (char **word = words; *word; word++) {
        struct gate *gate = g_new0(struct gate, 1);
        g_ptr_array_add(gates->gates, gate);
        if (!read_rule(gate, g_strstrip(*word), error)) {
            return NULL;
        }
    }
    if (gates->gates->len == 0 || gates->gates->len > RULES_MAX) {
        g_set_error(error, HR_ERROR, HR_ERROR_USAGE, "--fail-on takes 1 to %d rules", RULES_MAX);
        return NULL;
    }
    return HR_STEAL(gates);
}

void hr_gates_free(struct hr_gates *gates)
{
    if (gates) {
        g_ptr_array_unref(gates->gates);
        g_free(gates);
    }
}

bool hr_gates_need_history(const struct hr_gates *gates)
{
    for (guint i = 0; i < gates->gates->len; i++) {
        const struct gate *gate = g_ptr_array_index(gates->gates, i);
        if (gate->kind == KIND_NEW_SUSPECT) {
            return true;
        }
    }
    return false;
}

static bool is_allowed(const json_t *suspect)
{
    const json_t *allowed = json_object_get(suspect, "allowed");
    return json_is_object(allowed) && !hr_tree_is(allowed, "expired");
}

// Sum of what suspects that are allowed add to a quantity.
static double allowed_sum(const json_t *result, const char *key)
{
    double sum = 0;
    size_t i;
    json_t *suspect;
    json_array_foreach(json_object_get(result, "suspects"), i, suspect)
    {
        const double value = hr_tree_number(suspect, key);
        if (is_allowed(suspect) && !isnan(value)) {
            sum += value;
        }
    }
    return sum;
}

// True when there are significant suspects and each is allowed.
static bool growth_is_allowed(const json_t *result)
{
    bool any = false;
    size_t i;
    json_t *suspect;
    json_array_foreach(json_object_get(result, "suspects"), i, suspect)
    {
        if (hr_tree_is(suspect, "significant")) {
            any = true;
            if (!is_allowed(suspect)) {
                return false;
            }
        }
    }
    return any;
}

static bool rule_fired(const json_t *verdict, const char *class)
{
    size_t i;
    json_t *rule;
    json_array_foreach(json_object_get(verdict, "rules"), i, rule)
    {
        if (g_strcmp0(hr_tree_text(rule, "class"), class) == 0 &&
            g_strcmp0(hr_tree_text(rule, "outcome"), "fired") == 0) {
            return true;
        }
    }
    return g_strcmp0(hr_tree_text(verdict, "class"), class) == 0;
}

static struct judgement judge_class(const struct gate *gate, const json_t *result)
{
    const json_t *verdict = json_object_get(result, "verdict");
    const char *class = hr_tree_text(verdict, "class");
    struct judgement judgement = {HR_GATES_PASSED, "gate-class-passed", NULL, NAN, NAN, class};
    if (rule_fired(verdict, gate->class)) {
        const bool allowed = strcmp(gate->class, "heap_growth") == 0 && growth_is_allowed(result);
        judgement.outcome = allowed ? HR_GATES_PASSED : HR_GATES_TRIPPED;
        judgement.because = allowed ? "gate-class-allowed" : "gate-class-tripped";
    } else if (g_strcmp0(class, "inconclusive") == 0) {
        judgement.outcome = HR_GATES_INCONCLUSIVE;
        judgement.because = "gate-class-inconclusive";
    }
    return judgement;
}

// What the allow-list allows is taken off value and bounds alike.
static struct judgement judge_amount(const struct gate *gate, const json_t *result, const char *key)
{
    const json_t *totals = json_object_get(result, "totals");
    g_autofree char *low_key = g_strconcat(key, "_low", NULL);
    g_autofree char *high_key = g_strconcat(key, "_high", NULL);
    const double allowed = allowed_sum(result, key);
    const double value = hr_tree_number(totals, key) - allowed;
    const double low = hr_tree_number(totals, low_key) - allowed;
    const double high = hr_tree_number(totals, high_key) - allowed;
    struct judgement judgement = {
        HR_GATES_INCONCLUSIVE, "gate-amount-unknown", key, value, gate->limit, NULL};
    if (isnan(value)) {
        return judgement;
    }
    if (low > gate->limit) {
        judgement.outcome = HR_GATES_TRIPPED;
        judgement.because = "gate-amount-tripped";
    } else if (high <= gate->limit) {
        judgement.outcome = HR_GATES_PASSED;
        judgement.because = allowed > 0 ? "gate-amount-passed-allowed" : "gate-amount-passed";
    } else {
        judgement.because =
            value > gate->limit ? "gate-amount-over-unsure" : "gate-amount-within-unsure";
    }
    return judgement;
}

static struct judgement judge_new_suspect(const json_t *result)
{
    struct judgement judgement = {HR_GATES_PASSED, "gate-new-passed", "new_count", 0, 0, NULL};
    size_t i;
    json_t *suspect;
    json_array_foreach(json_object_get(result, "suspects"), i, suspect)
    {
        const bool fresh = g_strcmp0(hr_tree_text(suspect, "status"), "new") == 0;
        judgement.value += fresh && hr_tree_is(suspect, "significant") && !is_allowed(suspect);
    }
    if (judgement.value > 0) {
        judgement.outcome = HR_GATES_TRIPPED;
        judgement.because = "gate-new-tripped";
    } else if (json_is_null(json_object_get(json_object_get(result, "run"), "final"))) {
        judgement.outcome = HR_GATES_INCONCLUSIVE;
        judgement.because = "gate-new-unknown";
        judgement.value = NAN;
    }
    return judgement;
}

static struct judgement judge(const struct gate *gate, const json_t *result)
{
    switch (gate->kind) {
    case KIND_CLASS:
        return judge_class(gate, result);
    case KIND_GROWTH:
        return judge_amount(gate, result, "growth_bytes");
    case KIND_RATE:
        return judge_amount(gate, result, "rate_bytes_per_hour");
    case KIND_NEW_SUSPECT:
        return judge_new_suspect(result);
    }
    g_assert_not_reached();
}

static void append_number(json_t *numbers, const struct hr_text *text, const char *label,
                          const char *key, json_t *value)
{
    json_t *number = json_object();
    hr_json_set(number, "key", json_string(key));
    hr_json_set(number, "label", hr_json_text(hr_text_get(text, label)));
    hr_json_set(number, "value", value);
    hr_json_append(numbers, number);
}

static json_t *compose_numbers(const struct gate *gate, const struct judgement *judgement,
                               const struct hr_text *text)
{
    json_t *numbers = json_array();
    if (judgement->key) {
        append_number(numbers, text, "gate-value", judgement->key,
                      hr_json_by_key(judgement->key, judgement->value));
        append_number(numbers, text, "gate-limit", judgement->key,
                      hr_json_by_key(judgement->key, judgement->limit));
    } else {
        append_number(numbers, text, "gate-value", "class", hr_json_text(judgement->word));
        append_number(numbers, text, "gate-limit", "class", hr_json_text(gate->class));
    }
    return numbers;
}

// The slots carry the amounts under the name of their unit, so that each is written by it.
static json_t *compose_because(const struct gate *gate, const struct judgement *judgement,
                               const struct hr_text *text)
{
    struct hr_phrase phrase = hr_phrase_new(judgement->because);
    g_autoptr(GString) value = g_string_new(NULL);
    g_autoptr(GString) limit = g_string_new(NULL);
    if (judgement->key) {
        hr_format_append(value, judgement->key, judgement->value);
        hr_format_append(limit, judgement->key, judgement->limit);
        hr_phrase_add_number(&phrase, "new_count", judgement->value);
    } else {
        g_string_assign(value, judgement->word ? judgement->word : "");
        g_string_assign(limit, gate->class);
    }
    hr_phrase_add_text(&phrase, "value", value->str);
    hr_phrase_add_text(&phrase, "limit", limit->str);
    g_autoptr(GString) sentence = g_string_new(NULL);
    hr_text_append(text, sentence, &phrase);
    return hr_json_text_within(sentence->str, HR_JSON_SENTENCE_MAX_BYTES);
}

enum hr_gates_outcome hr_gates_judge(const struct hr_gates *gates, const struct hr_text *text,
                                     json_t *result)
{
    enum hr_gates_outcome worst = HR_GATES_PASSED;
    json_t *list = json_array();
    for (guint i = 0; i < gates->gates->len; i++) {
        const struct gate *gate = g_ptr_array_index(gates->gates, i);
        const struct judgement judgement = judge(gate, result);
        json_t *entry = json_object();
        hr_json_set(entry, "rule", hr_json_text(gate->rule));
        hr_json_set(entry, "outcome", json_string(OUTCOME_NAMES[judgement.outcome]));
        hr_json_set(entry, "numbers", compose_numbers(gate, &judgement, text));
        hr_json_set(entry, "because", compose_because(gate, &judgement, text));
        hr_json_append(list, entry);
        worst = MAX(worst, judgement.outcome);
    }
    hr_json_set(result, "gates", list);
    return worst;
}
