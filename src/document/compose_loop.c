// SPDX-License-Identifier: MIT
// The rounds of <for-each>, and what of a list is shown.
#include "document/composer.h"

#include <stdlib.h>
#include <string.h>

size_t hr_composer_limit(const struct hr_composer *composer, const xmlNode *element, size_t count)
{
    const json_t *presentation = json_object_get(composer->scope.result, "presentation");
    json_int_t top = json_integer_value(json_object_get(presentation, "top"));
    const char *limit = hr_template_attribute(element, "limit");
    bool is_long = hr_vocabulary_id(element) == HR_ELEMENT_TABLE ||
                   hr_template_attribute(element, "full") != NULL;
    if (!limit || (is_long && json_is_true(json_object_get(presentation, "full")))) {
        return count;
    }
    bool of_suspects = strcmp(hr_template_attribute(element, "in"), "suspects") == 0;
    if (of_suspects && is_long && top > 0) {
        return MIN(count, (size_t)top);
    }
    return MIN(count, (size_t)strtoul(limit, NULL, 10));
}

bool hr_composer_enter_loop(struct hr_composer *composer, const xmlNode *element)
{
    json_t *rounds = hr_scope_rounds(&composer->scope, hr_template_attribute(element, "in"),
                                     hr_template_attribute(element, "where"));
    if (json_array_size(rounds) == 0) {
        json_decref(rounds);
        return false;
    }
    struct hr_open *open = hr_composer_push(composer, element, NULL);
    open->rounds = rounds;
    open->rounds_count = hr_composer_limit(composer, element, json_array_size(rounds));
    hr_scope_set(&composer->scope, hr_template_attribute(element, "as"), json_array_get(rounds, 0));
    return true;
}

bool hr_composer_is_due(const struct hr_composer *composer, const xmlNode *node)
{
    const struct hr_open *open =
        composer->open_count > 0 ? &composer->open[composer->open_count - 1] : NULL;
    if (!open || !open->rounds) {
        return true;
    }
    const bool is_rest =
        node->type == XML_ELEMENT_NODE && hr_vocabulary_id(node) == HR_ELEMENT_REST;
    return is_rest == open->in_rest;
}

bool hr_composer_repeat(struct hr_composer *composer, struct hr_open *open)
{
    if (!open->rounds) {
        return false;
    }
    const char *name = hr_template_attribute(open->element, "as");
    if (!open->in_rest && ++open->round < open->rounds_count) {
        hr_scope_set(&composer->scope, name, json_array_get(open->rounds, open->round));
        return true;
    }
    hr_scope_unset(&composer->scope, open->in_rest ? "rest" : name);
    size_t cut_count = json_array_size(open->rounds) - open->rounds_count;
    if (!open->in_rest && cut_count > 0) {
        open->in_rest = true;
        hr_scope_set_number(&composer->scope, "rest", "count", (double)cut_count);
        return true;
    }
    json_decref(open->rounds);
    open->rounds = NULL;
    return false;
}
