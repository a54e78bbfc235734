// SPDX-License-Identifier: MIT
// suspects, suspects_rest, shrunk: who grew, who shrank, and what was left out.
#include "result/composer.h"
#include "result/names.h"

#include <math.h>

#define KEYWORDS_MAX 16
#define SHRUNK_MAX 30

static json_t *compose_keywords(const struct hr_composer *composer,
                                const struct hr_suspect *suspect)
{
    json_t *keywords = json_array();
    const char *const *words = suspect->keywords;
    for (size_t i = 0; words && words[i] && i < KEYWORDS_MAX; i++) {
        hr_json_append(keywords, hr_composer_name(composer, words[i]));
    }
    return keywords;
}

// What is known of growth says nothing of what was allocated and may be freed.
static json_t *compose_advice(const struct hr_composer *composer, const char *kind,
                              const struct hr_suspect *suspect)
{
    return composer->run->metric == HR_METRIC_LIVE_BYTES
               ? hr_composer_words(composer, kind, suspect->category ? suspect->category : "other")
               : json_null();
}

static void set_place(const struct hr_composer *composer, json_t *entry,
                      const struct hr_suspect *suspect)
{
    hr_json_set(entry, "id", hr_json_text(suspect->id));
    hr_json_set(entry, "fingerprint", hr_json_text(suspect->fingerprint));
    hr_json_set(entry, "function", hr_composer_name(composer, suspect->function));
    hr_json_set(entry, "file", hr_composer_name(composer, suspect->file));
    hr_json_set(entry, "line", suspect->line > 0 ? json_integer(suspect->line) : json_null());
    hr_json_set(entry, "module", hr_composer_name(composer, suspect->module));
    hr_json_set(entry, "keywords", compose_keywords(composer, suspect));
    hr_json_set(entry, "category", hr_json_text(suspect->category ? suspect->category : "other"));
    hr_json_set(entry, "advice", compose_advice(composer, "advice-", suspect));
}

static struct hr_estimate suspect_growth(const struct hr_suspect *suspect)
{
    struct hr_estimate growth = suspect->growth;
    growth.value =
        hr_composer_whole_growth(suspect->base.value, suspect->final.value, suspect->growth.value);
    return growth;
}

static void set_amounts(json_t *entry, const struct hr_suspect *suspect)
{
    hr_json_set(entry, "base_bytes", hr_json_integer(suspect->base.value));
    hr_json_set(entry, "final_bytes", hr_json_integer(suspect->final.value));
    hr_json_set_estimate(entry, "growth_bytes", suspect_growth(suspect));
    hr_json_set(entry, "significant", json_boolean(suspect->significant));
    hr_json_set(entry, "growth_objects", hr_json_integer(suspect->growth_objects));
    hr_json_set(entry, "mean_object_bytes", hr_json_integer(suspect->mean_object_bytes));
    hr_json_set(entry, "mixed_sizes", json_boolean(suspect->mixed_sizes));
    hr_json_set(entry, "share_ratio", hr_json_ratio(suspect->share_ratio));
    const bool mixed = suspect->mixed_sizes;
    hr_json_set(entry, "sampled_base_count",
                hr_json_integer(mixed ? NAN : suspect->sampled_base_count));
    hr_json_set(entry, "sampled_final_count",
                hr_json_integer(mixed ? NAN : suspect->sampled_final_count));
    hr_json_set(entry, "shape", json_string(hr_name_shape(suspect->trend.shape)));
    hr_json_set(entry, "thirds_growth_bytes",
                hr_composer_thirds(suspect->trend.thirds_growth_bytes));
    hr_json_set_estimate(entry, "rate_bytes_per_hour", suspect->trend.rate_bytes_per_hour);
}

// What night/ knows: null until it has spoken.
static void set_history(const struct hr_composer *composer, json_t *entry,
                        const struct hr_suspect *suspect)
{
    hr_json_set(entry, "status", json_null());
    hr_json_set(entry, "nights_count", json_null());
    hr_json_set(entry, "harmless_if", compose_advice(composer, "harmless-", suspect));
    hr_json_set(entry, "allowed", json_null());
}

static void set_stacks(const struct hr_composer *composer, json_t *entry,
                       const struct hr_suspect *suspect)
{
    const size_t listed = MIN(suspect->stacks_count, composer->bounds.stacks);
    const size_t total = MAX(suspect->stacks_total, suspect->stacks_count);
    double growth = suspect_growth(suspect).value;
    double final = round(suspect->final.value);
    json_t *stacks = json_array();
    for (size_t i = 0; i < listed; i++) {
        hr_json_append(stacks, hr_compose_stack(composer, &suspect->stacks[i]));
        growth -= round(suspect->stacks[i].growth_bytes);
        final -= round(suspect->stacks[i].final_bytes);
    }
    json_t *rest = json_object();
    hr_json_set(rest, "stacks_count", hr_json_count(total - listed));
    hr_json_set(rest, "growth_bytes", hr_json_integer(growth));
    hr_json_set(rest, "final_bytes", hr_json_integer(final));
    hr_json_set(entry, "stacks", stacks);
    hr_json_set(entry, "stacks_rest", rest);
}

static json_t *compose_suspect(const struct hr_composer *composer, size_t index)
{
    const struct hr_suspect *suspect = &composer->findings->suspects[index];
    json_t *entry = json_object();
    set_place(composer, entry, suspect);
    set_amounts(entry, suspect);
    set_history(composer, entry, suspect);
    set_stacks(composer, entry, suspect);
    hr_json_set(entry, "call_tree", hr_compose_call_tree(composer, index));
    return entry;
}

// List and rest make the total in whole bytes. The rest's bounds move with its value.
static json_t *compose_rest(const struct hr_composer *composer, size_t rest_count,
                            double listed_bytes)
{
    const struct hr_findings *findings = composer->findings;
    struct hr_estimate rest = findings->suspects_rest;
    const double value = composer->growth_bytes - listed_bytes;
    if (!isnan(value)) {
        rest = (struct hr_estimate){value, rest.low + value - rest.value,
                                    rest.high + value - rest.value};
    }
    json_t *object = json_object();
    hr_json_set(object, "suspects_count", hr_json_count(rest_count));
    hr_json_set_estimate(object, "growth_bytes", rest);
    return object;
}

static json_t *compose_shrinker(const struct hr_composer *composer,
                                const struct hr_shrinker *shrinker)
{
    json_t *entry = json_object();
    hr_json_set(entry, "function", hr_composer_name(composer, shrinker->function));
    hr_json_set(entry, "module", hr_composer_name(composer, shrinker->module));
    hr_json_set(entry, "base_bytes", hr_json_integer(shrinker->base_bytes));
    hr_json_set(entry, "final_bytes", hr_json_integer(shrinker->final_bytes));
    hr_json_set(entry, "growth_bytes",
                hr_json_integer(hr_composer_whole_growth(
                    shrinker->base_bytes, shrinker->final_bytes, shrinker->growth_bytes)));
    return entry;
}

void hr_compose_set_suspects(const struct hr_composer *composer, json_t *result)
{
    const struct hr_findings *findings = composer->findings;
    const size_t listed = MIN(findings->suspects_count, HR_SUSPECTS_MAX);
    json_t *suspects = json_array();
    double listed_bytes = 0;
    for (size_t i = 0; i < listed; i++) {
        hr_json_append(suspects, compose_suspect(composer, i));
        listed_bytes += suspect_growth(&findings->suspects[i]).value;
    }
    const size_t rest_count = findings->suspects_rest_count + findings->suspects_count - listed;
    hr_json_set(result, "suspects", suspects);
    hr_json_set(result, "suspects_rest", compose_rest(composer, rest_count, listed_bytes));
    json_t *shrunk = json_array();
    for (size_t i = 0; i < MIN(findings->shrunk_count, SHRUNK_MAX); i++) {
        hr_json_append(shrunk, compose_shrinker(composer, &findings->shrunk[i]));
    }
    hr_json_set(result, "shrunk", shrunk);
}

size_t hr_compose_suspects_least_bytes(const struct hr_composer *composer)
{
    const struct hr_findings *findings = composer->findings;
    size_t bytes = 0;
    for (size_t i = 0; i < MIN(findings->suspects_count, HR_SUSPECTS_MAX); i++) {
        const struct hr_suspect *suspect = &findings->suspects[i];
        for (size_t k = 0; k < MIN(suspect->stacks_count, composer->bounds.stacks); k++) {
            bytes += hr_compose_stack_least_bytes(composer, suspect->stacks[k].stack);
        }
    }
    return bytes;
}
