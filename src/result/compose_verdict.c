// SPDX-License-Identifier: MIT
// verdict: the class, its sentence, and every rule with its numbers.
#include "result/composer.h"
#include "result/names.h"

static json_t *compose_reasons(const struct hr_composer *composer)
{
    const struct hr_verdict *verdict = &composer->findings->verdict;
    json_t *reasons = json_array();
    for (unsigned i = 0; i < verdict->confidence_reasons_count; i++) {
        hr_json_append(reasons, hr_composer_sentence(composer, &verdict->confidence_reasons[i]));
    }
    return reasons;
}

static json_t *compose_contributions(const struct hr_verdict *verdict)
{
    json_t *contributions = json_array();
    for (unsigned i = 0; i < verdict->contributions_count; i++) {
        const struct hr_contribution *contribution = &verdict->contributions[i];
        json_t *entry = json_object();
        hr_json_set(entry, "class", json_string(hr_name_class(contribution->class)));
        hr_json_set(entry, "part", json_string(hr_name_part(contribution->part)));
        hr_json_set_estimate(entry, "growth_bytes", contribution->growth);
        hr_json_set(entry, "share_ratio", hr_json_ratio(contribution->share_ratio));
        hr_json_append(contributions, entry);
    }
    return contributions;
}

static json_t *compose_numbers(const struct hr_composer *composer,
                               const struct hr_rule_finding *rule)
{
    json_t *numbers = json_array();
    for (unsigned i = 0; i < rule->numbers_count; i++) {
        const struct hr_rule_number *number = &rule->numbers[i];
        json_t *entry = json_object();
        hr_json_set(entry, "key", json_string(number->key));
        hr_json_set(entry, "label", hr_composer_words(composer, "number-", number->key));
        hr_json_set(entry, "value", hr_json_by_key(number->key, number->value));
        hr_json_append(numbers, entry);
    }
    return numbers;
}

static json_t *compose_rules(const struct hr_composer *composer)
{
    const struct hr_verdict *verdict = &composer->findings->verdict;
    json_t *rules = json_array();
    for (unsigned i = 0; i < verdict->rules_count; i++) {
        const struct hr_rule_finding *rule = &verdict->rules[i];
        json_t *entry = json_object();
        hr_json_set(entry, "id", json_string(rule->id));
        hr_json_set(entry, "class", json_string(hr_name_class(rule->class)));
        hr_json_set(entry, "title", hr_composer_words(composer, "rule-", rule->id));
        hr_json_set(entry, "outcome", json_string(hr_name_outcome(rule->outcome)));
        hr_json_set(entry, "because", hr_composer_sentence(composer, &rule->because));
        hr_json_set(entry, "against", hr_composer_sentence(composer, &rule->against));
        hr_json_set(entry, "would_overturn", hr_composer_sentence(composer, &rule->would_overturn));
        hr_json_set(entry, "numbers", compose_numbers(composer, rule));
        hr_json_append(rules, entry);
    }
    return rules;
}

static json_t *compose_next_steps(const struct hr_composer *composer)
{
    const struct hr_verdict *verdict = &composer->findings->verdict;
    json_t *steps = json_array();
    for (unsigned i = 0; i < verdict->next_steps_count; i++) {
        const struct hr_next_step *step = &verdict->next_steps[i];
        json_t *entry = json_object();
        hr_json_set(entry, "text", hr_composer_sentence(composer, &step->text));
        hr_json_set(entry, "command", hr_composer_sentence(composer, &step->command));
        hr_json_append(steps, entry);
    }
    return steps;
}

json_t *hr_compose_verdict(const struct hr_composer *composer)
{
    const struct hr_verdict *verdict = &composer->findings->verdict;
    json_t *object = json_object();
    hr_json_set(object, "class", json_string(hr_name_class(verdict->class)));
    hr_json_set(object, "scope", json_string(hr_name_scope(verdict->scope)));
    hr_json_set(object, "confidence", json_string(hr_name_confidence(verdict->confidence)));
    hr_json_set(object, "confidence_reasons", compose_reasons(composer));
    hr_json_set(object, "sentence", hr_composer_sentence(composer, &verdict->sentence));
    hr_json_set(object, "contributions", compose_contributions(verdict));
    hr_json_set(object, "rules", compose_rules(composer));
    hr_json_set(object, "next_steps", compose_next_steps(composer));
    return object;
}

static json_t *compose_threshold(const struct hr_composer *composer, enum hr_threshold_id id)
{
    const char *key = hr_threshold_key(id);
    const double value = composer->rules->thresholds[id];
    g_autofree char *meaning = g_strconcat(key, "-meaning", NULL);
    json_t *entry = json_object();
    hr_json_set(entry, "key", json_string(key));
    hr_json_set(entry, "label", hr_composer_words(composer, "threshold-", key));
    hr_json_set(entry, "value", hr_json_by_key(key, value));
    hr_json_set(entry, "meaning", hr_composer_words(composer, "threshold-", meaning));
    hr_json_set(entry, "changed", json_boolean(value != hr_threshold_default(id)));
    return entry;
}

json_t *hr_compose_thresholds(const struct hr_composer *composer)
{
    json_t *thresholds = json_array();
    for (int id = 0; id < HR_THRESHOLDS_COUNT; id++) {
        hr_json_append(thresholds, compose_threshold(composer, (enum hr_threshold_id)id));
    }
    return thresholds;
}
